/* SPDX-License-Identifier: MIT */
/*
 * docs/PROTOCOL.md says what probe/stream/wire.h does, docs/WORDS.md what
 * probe/config/config_table.c does, docs/TOOL.md what tools/hwmon/options.c does: their generated parts are made
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

#include "probe/config/config_table.h"
#include "probe/stream/wire_fields.h"
#include "tests/host/dump.h"
#include "tools/hwmon/options.h"

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

static void print_table(FILE *out, const struct config_words *words)
{
    fputs("| word | allowed | default | what it is |\n|---|---|---|---|\n", out);
    for (const struct config_word *word = words->row; word < words->row + words->count; word++)
        fprintf(out, "| `%s` | %s | `%s` | %s |\n", word->key, word->allowed,
                word->standard ? word->standard : "none", word->what);
}

static void print_words(FILE *out)
{
    print_table(out, &(struct config_words){config_table, CONFIG_KEYS});
}

static void print_hwmon_words(FILE *out)
{
    print_table(out, &option_words);
}

static const struct part {
    const char *page, *begin, *end;
    void (*print)(FILE *out);
} parts[] = {
    {"docs/PROTOCOL.md", "<!-- generated from probe/stream/wire.h: begin -->\n",
     "<!-- generated from probe/stream/wire.h: end -->", print_records},
    {"docs/PROTOCOL.md", "<!-- example: begin -->\n", "<!-- example: end -->", print_example},
    {"docs/WORDS.md", "<!-- generated from probe/config/config_table.c: begin -->\n",
     "<!-- generated from probe/config/config_table.c: end -->", print_words},
    {"docs/TOOL.md", "<!-- generated from tools/hwmon/options.c: begin -->\n",
     "<!-- generated from tools/hwmon/options.c: end -->", print_hwmon_words},
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

static char *read_page(const char *page)
{
    FILE *in = fopen(page, "r");
    char *text = NULL;
    size_t length = 0;

    if (!in || getdelim(&text, &length, '\0', in) < 0) {
        fprintf(stderr, "%s cannot be read: run this from the project's root\n", page);
        exit(1);
    }
    fclose(in);
    return text;
}

/* The page with one part made anew; NULL where a marker is missing. */
static char *renew(const char *text, const struct part *part)
{
    const char *begin = strstr(text, part->begin);
    const char *end = begin ? strstr(begin, part->end) : NULL;
    char *made = NULL;
    size_t length;
    FILE *out;

    if (!end)
        return NULL;
    out = open_memstream(&made, &length);
    begin += strlen(part->begin);
    fwrite(text, 1, (size_t)(begin - text), out);
    part->print(out);
    fputs(end, out);
    fclose(out);
    return made;
}

static void test_pages(void **state)
{
    (void)state;
    for (size_t i = 0; i < PARTS; i++) {
        char *text = read_page(parts[i].page), *made = renew(text, &parts[i]);

        assert_non_null(made);
        assert_string_equal(text, made);
        free(text);
        free(made);
    }
}

static int write_part(const struct part *part)
{
    char *text = read_page(part->page), *made = renew(text, part);
    FILE *out = made ? fopen(part->page, "w") : NULL;
    bool well = out && fputs(made, out) >= 0;

    if (out)
        well &= !fclose(out);
    free(text);
    free(made);
    return well ? 0 : 1;
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages)};
    int wrong = 0;

    if (argc < 2 || strcmp(argv[1], "--write"))
        return cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < PARTS; i++)
        wrong |= write_part(&parts[i]);
    return wrong;
}
