/* SPDX-License-Identifier: MIT */
/*
 * Writes a synthetic, valid stream on standard output, for cli_test.sh and the
 * golden files: make_dump [KIND], the kinds being those of the table below.
 */
#include <stdio.h>
#include <string.h>

#include "tests/host/dump.h"

static void run(struct dump *d)
{
    dump_run(d, 0x1111, "rate=120 seed=7 output=frames", 10);
}

static void fixed(struct dump *d)
{
    dump_run(d, 0x1111, "rate=120 seed=7 interval=fixed output=frames", 10);
}

static void random_policy(struct dump *d)
{
    dump_run(d, 0x1111, "rate=120 seed=7 interval=random output=frames", 10);
}

static void two(struct dump *d)
{
    run(d);
    dump_raw(d, "BdsDxe: loading Boot0001\r\n", 26);
    dump_run(d, 0x2222, "rate=120 seed=7 output=frames", 20);
}

static void refusal(struct dump *d)
{
    struct wire_text_record text = {0x1111, 2, dump_text("unknown word 'tik'")};

    dump_hello(d, 0x1111, "output=frames");
    dump_head(d, WIRE_TEXT, &text);
    dump_end(d, 0x1111, 1, "the words were refused");
}

static void version(struct dump *d)
{
    struct wire_hello hello = {.major = WIRE_MAJOR + 1};

    dump_head(d, WIRE_HELLO, &hello);
}

static void unknown(struct dump *d)
{
    static const uint8_t body[] = {200, 0, 0, 1, 2, 3};
    struct wire_writer w = {.length = sizeof(body)};

    dump_hello(d, 0x1111, "rate=120 seed=7 output=frames");
    memcpy(w.bytes, body, sizeof(body));
    dump_end_frame(d, &w);
    dump_snapshot(d, 0x1111, 1, true, 10);
    dump_end(d, 0x1111, 0, "60 seconds are over");
}

static void hello(struct dump *d)
{
    dump_hello(d, 0x1111, "output=frames");
}

/* The kernel's last words, in frames. */
static void exception(struct dump *d)
{
    static const char *const lines[] = {
        "cpuprobe: error: exception in the kernel: page fault at 0xffffffff80100012\n",
        "rip 0xffffffff80100012, cr2 0x0000000000000010\n",
        "stack 0xffffffff80100043 0xffffffff80200000\n",
    };

    d->sequence = 0;
    dump_hello(d, 0x1111, "output=frames");
    dump_sayings(d, 0x1111);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        dump_head(d, WIRE_TEXT,
                  &(struct wire_text_record){0x1111, 2, dump_text(lines[i])});
    dump_hello(d, 0x1111, "output=frames");
    dump_end(d, 0x1111, 1, "exception in the kernel");
}

static void text(struct dump *d)
{
    static const char table[] = "Percentage CPU Utilization\n(7200 Samples, 8 missed)\n";

    dump_raw(d, table, sizeof(table) - 1);
}

static const struct kind {
    const char *name;
    void (*make)(struct dump *d);
} kinds[] = {
    {"run", run},         {"fixed", fixed},     {"random", random_policy}, {"two", two},
    {"refusal", refusal}, {"version", version}, {"unknown", unknown},      {"hello", hello},
    {"text", text},       {"exception", exception},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "run";
    struct dump d = {0};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kinds[i].name, name))
            continue;
        kinds[i].make(&d);
        fwrite(d.bytes, 1, d.length, stdout);
        free(d.bytes);
        return 0;
    }
    fprintf(stderr, "make_dump: there is no kind '%s'\n", name);
    return 2;
}
