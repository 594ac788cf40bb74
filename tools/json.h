/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Writes JSON to a stream, on one line, so that the command needs no library for it. The caller
 * keeps the order of calls right: in an object a key before every value.
 */
#ifndef ASTRIDE_TOOLS_JSON_H
#define ASTRIDE_TOOLS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json_writer {
    FILE *stream;
    bool needs_comma; /* a value stands before what comes next in the same object or array */
} json_writer;

void json_begin(json_writer *json, char bracket); /* '{' or '[' */
void json_end(json_writer *json, char bracket);   /* '}' or ']' */
void json_key(json_writer *json, const char *key);

/* Any bytes: what is no UTF-8 becomes U+FFFD, the replacement character. */
void json_string(json_writer *json, const char *text);
void json_unsigned(json_writer *json, uint64_t number);
void json_null(json_writer *json);

#endif /* ASTRIDE_TOOLS_JSON_H */
