/* SPDX-License-Identifier: MIT */
/*
 * docs/PROTOCOL.md says what probe/wire.h does: its generated parts are made
 * here again and compared.  With --write they are put in their place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/host/dump.h"

#define DOCUMENT "docs/PROTOCOL.md"

static void print_fields(FILE *out, const char *heading, const struct wire_field *field,
                         unsigned fields)
{
    if (!fields)
        return;
    fprintf(out, "\n| %s | kind | what it is |\n|---|---|---|\n", heading);
    for (unsigned i = 0; i < fields; i++)
        fprintf(out, "| %s | %s | %s |\n", field[i].name, field[i].text ? "text" : "number",
                field[i].what);
}

static void print_records(FILE *out)
{
    const struct wire_record *record;

    fprintf(out, "Version %d.%d; at most %d bytes of fields.\n\n", WIRE_MAJOR, WIRE_MINOR,
            WIRE_FIELDS_MAX);
    fputs("| record | type | what it is |\n|---|---|---|\n", out);
    for (unsigned i = 0; (record = wire_record_at(i)); i++)
        fprintf(out, "| %s | %d | %s |\n", record->name, record->type, record->what);
    for (unsigned i = 0; (record = wire_record_at(i)); i++) {
        fprintf(out, "\n### %s\n", record->name);
        print_fields(out, "field", record->head, record->heads);
        print_fields(out, "field of a row", record->row, record->rows);
    }
}

static void print_hex(FILE *out, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        fprintf(out, " %02x", bytes[i]);
}

static void print_example(FILE *out)
{
    struct dump d = {.sequence = 0x0102};

    dump_end(&d, 300, 1, "no");
    fputs("    type 09  sequence 02 01  epoch ac 02  status 01  reason 02 6e 6f  CRC-32", out);
    print_hex(out, d.bytes + d.length - 5, 4); /* no zero in it: COBS left it as it is */
    fputs("\n    on the line:", out);
    print_hex(out, d.bytes, d.length);
    fputc('\n', out);
    free(d.bytes);
}

static const struct part {
    const char *begin, *end;
    void (*print)(FILE *out);
} parts[] = {
    {"<!-- generated from probe/wire.h: begin -->\n",
     "<!-- generated from probe/wire.h: end -->", print_records},
    {"<!-- example: begin -->\n", "<!-- example: end -->", print_example},
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

static char *read_document(void)
{
    FILE *in = fopen(DOCUMENT, "r");
    char *text = NULL;
    size_t length = 0;

    if (!in || getdelim(&text, &length, '\0', in) < 0) {
        fputs(DOCUMENT " cannot be read: run this from the project's root\n", stderr);
        exit(1);
    }
    fclose(in);
    return text;
}

/* The document with its generated parts made anew; NULL where a marker is missing. */
static char *renew(const char *text)
{
    char *made = NULL;
    size_t length;
    FILE *out = open_memstream(&made, &length);
    bool whole = true;

    for (size_t i = 0; i < PARTS && whole; i++) {
        const char *begin = strstr(text, parts[i].begin);
        const char *end = begin ? strstr(begin, parts[i].end) : NULL;

        whole = end != NULL;
        if (!whole)
            break;
        begin += strlen(parts[i].begin);
        fwrite(text, 1, (size_t)(begin - text), out);
        parts[i].print(out);
        text = end;
    }
    fputs(text, out);
    fclose(out);
    if (whole)
        return made;
    free(made);
    return NULL;
}

static void test_document(void **state)
{
    char *text = read_document(), *made = renew(text);

    (void)state;
    assert_non_null(made);
    assert_string_equal(text, made);
    free(text);
    free(made);
}

static int write_document(void)
{
    char *text = read_document(), *made = renew(text);
    FILE *out = made ? fopen(DOCUMENT, "w") : NULL;
    bool well = out && fputs(made, out) >= 0;

    if (out)
        well &= !fclose(out);
    free(text);
    free(made);
    return well ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_document)};

    if (argc > 1 && !strcmp(argv[1], "--write"))
        return write_document();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
