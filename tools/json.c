/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The JSON writer: commas, escapes and the check that strings are UTF-8, as RFC 8259 wants them.
 * Errors of the stream are left in the stream.
 */
#include "tools/json.h"

#include <inttypes.h>
#include <stddef.h>

static void separate(json_writer *json)
{
    if (json->needs_comma)
        (void)fputs(", ", json->stream);
    json->needs_comma = true;
}

void json_begin(json_writer *json, char bracket)
{
    separate(json);
    (void)fputc(bracket, json->stream);
    json->needs_comma = false;
}

void json_end(json_writer *json, char bracket)
{
    (void)fputc(bracket, json->stream);
    json->needs_comma = true;
}

/*
 * The length of the UTF-8 sequence at `text`; 0 when there is none. Overlong forms, surrogates and
 * what is above U+10FFFF are none (RFC 3629, section 4).
 */
static size_t utf8_length(const unsigned char *text)
{
    unsigned char lead = text[0], low = 0x80, high = 0xbf;
    size_t length;

    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf)
        length = 2;
    else if (lead >= 0xe0 && lead <= 0xef)
        length = 3;
    else if (lead >= 0xf0 && lead <= 0xf4)
        length = 4;
    else
        return 0;
    if (lead == 0xe0)
        low = 0xa0;
    else if (lead == 0xed)
        high = 0x9f;
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f;
    if (text[1] < low || text[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    }
    return length;
}

static void write_string(FILE *stream, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    (void)fputc('"', stream);
    while (*at != '\0') {
        size_t length = utf8_length(at);

        if (length == 0) {
            (void)fputs("\\ufffd", stream);
            length = 1;
        } else if (*at < 0x20 || *at == 0x7f) {
            (void)fprintf(stream, "\\u%04x", (unsigned)*at);
        } else {
            if (*at == '"' || *at == '\\')
                (void)fputc('\\', stream);
            (void)fwrite(at, 1, length, stream);
        }
        at += length;
    }
    (void)fputc('"', stream);
}

void json_key(json_writer *json, const char *key)
{
    separate(json);
    write_string(json->stream, key);
    (void)fputs(": ", json->stream);
    json->needs_comma = false;
}

void json_string(json_writer *json, const char *text)
{
    separate(json);
    write_string(json->stream, text);
}

void json_unsigned(json_writer *json, uint64_t number)
{
    separate(json);
    (void)fprintf(json->stream, "%" PRIu64, number);
}

void json_null(json_writer *json)
{
    separate(json);
    (void)fputs("null", json->stream);
}
