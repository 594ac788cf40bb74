/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reads the words and numbers of which memref types are made, and words the errors of the parser.
 * Every byte of the text may have any value: what is no printable ASCII never reaches a message.
 */
#include "tools/memref_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool scan_is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static bool is_word_byte(char byte, const char *extra)
{
    return is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte != '\0' && strchr(extra, byte) != NULL);
}

bool scan_fail(scan *in, size_t position, const char *format, ...)
{
    va_list arguments;

    in->error->position = position;
    va_start(arguments, format);
    (void)vsnprintf(in->error->message, sizeof(in->error->message), format, arguments);
    va_end(arguments);
    return false;
}

bool scan_fail_expected(scan *in, const char *what)
{
    size_t position = scan_skip_blanks(in);
    char byte = in->text[position];
    scan_slice word = scan_word(in, "_");

    in->position = position;
    if (byte == '\0')
        return scan_fail(in, position, "expected %s, not the end of the type", what);
    if (word.bytes > 24)
        return scan_fail(in, position, "expected %s, not '%.24s...'", what, word.text);
    if (word.bytes > 0)
        return scan_fail(in, position, "expected %s, not '%.*s'", what, (int)word.bytes, word.text);
    if (byte < ' ' || byte > '~')
        return scan_fail(in, position, "expected %s, not a byte of value 0x%02x", what,
                         (unsigned)(unsigned char)byte);
    return scan_fail(in, position, "expected %s, not '%c'", what, byte);
}

size_t scan_skip_blanks(scan *in)
{
    while (scan_is_blank(in->text[in->position]))
        in->position++;
    return in->position;
}

char scan_peek(scan *in)
{
    return in->text[scan_skip_blanks(in)];
}

bool scan_accept(scan *in, char byte)
{
    if (scan_peek(in) != byte)
        return false;
    in->position++;
    return true;
}

bool scan_expect(scan *in, char byte, const char *what)
{
    return scan_accept(in, byte) || scan_fail_expected(in, what);
}

scan_slice scan_word(scan *in, const char *extra)
{
    scan_slice word = {.text = in->text + scan_skip_blanks(in), .bytes = 0};

    while (is_word_byte(word.text[word.bytes], extra))
        word.bytes++;
    in->position += word.bytes;
    return word;
}

bool scan_slice_is(scan_slice slice, const char *word)
{
    return strlen(word) == slice.bytes && memcmp(slice.text, word, slice.bytes) == 0;
}

static int digit_value(char byte)
{
    if (is_digit(byte))
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F')
        return byte - 'A' + 10;
    return 99;
}

bool scan_number(scan *in, const char *what, bool hexadecimal, int64_t *number_out)
{
    size_t start = scan_skip_blanks(in);
    const char *text = in->text;
    int base = 10;
    int64_t number = 0;

    if (!is_digit(text[start]))
        return scan_fail_expected(in, what);
    if (hexadecimal && text[start] == '0' && text[start + 1] == 'x' &&
        digit_value(text[start + 2]) < 16) {
        base = 16;
        in->position += 2;
    }
    for (; digit_value(text[in->position]) < base; in->position++) {
        if (__builtin_mul_overflow(number, base, &number) ||
            __builtin_add_overflow(number, digit_value(text[in->position]), &number))
            return scan_fail(in, start, "the number is larger than 9223372036854775807");
    }
    *number_out = number;
    return true;
}
