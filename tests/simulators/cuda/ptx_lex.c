/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The words of PTX: comments are dropped, an opcode is one word with its dots, so is the name of a
 * special register.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/simulators/cuda/ptx.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

static void skip_line(ptx_lexer *lexer)
{
    while (*lexer->at != '\0' && *lexer->at != '\n')
        lexer->at++;
}

static void skip_comment(ptx_lexer *lexer)
{
    lexer->at += 2;
    while (*lexer->at != '\0' && (lexer->at[0] != '*' || lexer->at[1] != '/')) {
        if (*lexer->at == '\n')
            lexer->line++;
        lexer->at++;
    }
    if (*lexer->at != '\0')
        lexer->at += 2;
}

static void skip_blanks(ptx_lexer *lexer)
{
    for (;;) {
        if (*lexer->at == '\n') {
            lexer->line++;
            lexer->at++;
        } else if (isspace((unsigned char)*lexer->at) != 0) {
            lexer->at++;
        } else if (lexer->at[0] == '/' && lexer->at[1] == '/') {
            skip_line(lexer);
        } else if (lexer->at[0] == '/' && lexer->at[1] == '*') {
            skip_comment(lexer);
        } else {
            return;
        }
    }
}

void ptx_next(ptx_lexer *lexer)
{
    size_t length = 0;
    skip_blanks(lexer);
    while (is_word(lexer->at[length]))
        length++;
    if (length == 0 && *lexer->at == '"') {
        length = 1;
        while (lexer->at[length] != '\0' && lexer->at[length] != '"')
            length++;
        length += lexer->at[length] != '\0';
    }
    if (length == 0 && *lexer->at != '\0')
        length = 1;
    lexer->token = (ptx_token){lexer->at, length, lexer->line};
    lexer->at += length;
}

void ptx_lexer_start(ptx_lexer *lexer, const char *text)
{
    *lexer = (ptx_lexer){.at = text, .line = 1};
    ptx_next(lexer);
}

bool ptx_is(const ptx_lexer *lexer, const char *text)
{
    return strlen(text) == lexer->token.length &&
           memcmp(text, lexer->token.text, lexer->token.length) == 0;
}

bool ptx_number(const ptx_token *token, uint64_t *value_out)
{
    char text[32];
    char *end;
    if (token->length == 0 || token->length >= sizeof(text) ||
        isdigit((unsigned char)token->text[0]) == 0)
        return false;
    memcpy(text, token->text, token->length);
    text[token->length] = '\0';
    /* Floating point in hexadecimal: 0f and 0d with the bits. */
    const bool bits =
        text[0] == '0' && (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D');
    *value_out = bits ? strtoull(text + 2, &end, 16) : strtoull(text, &end, 0);
    if (*end == 'U' && !bits)
        end++;
    return *end == '\0';
}

char *ptx_copy_name(const ptx_token *token)
{
    return strndup(token->text, token->length);
}
