/* SPDX-License-Identifier: MIT */
/* Runs command lines of the host tool in this process and judges what they print, by tests/fuzz/oracle.c. */
#include "tests/fuzz/lines.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/oracle.h"
#include "tools/base/cli.h"
#include "tools/cmd/commands.h"
#include "tools/export/export.h"

#define WORDS     7   /* of a command line, at most */
#define WORD_ROOM 128 /* bytes of them all */

/* What must hold of what a command prints; of JSON with any status, of a table with status 0. */
enum judged { AS_BYTES, AS_TEXT, AS_SIGNS, AS_TABLE, AS_JSON, AS_JSON_LINES };

struct line {
    const char *words;
    enum judged judged;
    unsigned same;
};

static const struct line lines[] = {
    {"stat @", AS_TEXT, 0},
    {"stat --json @", AS_TABLE, 1},
    {"stat --json --epoch=1 @", AS_TABLE, 0},
    {"stat --json --epoch=2 @", AS_TABLE, 0},
    {"stat --exact --cells --wald @", AS_TEXT, 0},
    {"stat --sort=user --top=2 @", AS_TEXT, 0},
    {"info @", AS_TEXT, 0},
    {"info --json @", AS_JSON, 1},
    {"script @", AS_TEXT, 0},
    {"script --snapshots @", AS_TEXT, 0},
    {"output @", AS_BYTES, 0},
    {"samples @", AS_TEXT, 0},
    {"transitions @", AS_TEXT, 0},
    {"trace @", AS_TEXT, 0},
    {"trace --json --steps @", AS_JSON_LINES, 0},
    {"trace --filter=task=ROGUE --from=1 --to=2 @", AS_TEXT, 0},
    {"gantt @", AS_SIGNS, 0},
    {"gantt --ascii --width=60 @", AS_TEXT, 0},
    {"gantt --svg=- @", AS_SIGNS, 0},
    {"intercept @", AS_TEXT, 0},
    {"intercept --json @", AS_JSON, 1},
    {"acct @", AS_TEXT, 0},
    {"acct --json @", AS_JSON, 1},
    {"acct --all --from=0.5 --to=1 @", AS_TEXT, 0},
    {"procstat @", AS_TEXT, 0},
    {"procstat --json @", AS_JSON, 1},
    {"procstat --from=0.5 --to=1 @", AS_TEXT, 0},
    {"idle @", AS_TEXT, 0},
    {"idle --json @", AS_JSON, 1},
    {"ps @", AS_TEXT, 0},
    {"ps --json @", AS_JSON, 1},
    {"compare @", AS_TEXT, 0},
    {"compare --json @", AS_JSON, 1},
    {"compare --svg=- @ @", AS_SIGNS, 0},
    {"profile @", AS_TEXT, 0},
    {"profile --json @", AS_JSON, 1},
    {"kiviat @", AS_SIGNS, 0},
    {"kiviat --json @ @", AS_JSON, 0},
    {"kiviat --svg=- --exact @", AS_SIGNS, 0},
    {"diff @ @", AS_TEXT, 0},
    {"diff --json @ @", AS_JSON, 1},
    {"states @", AS_SIGNS, 0},
    {"states --json @", AS_JSON_LINES, 1},
    {"states --match=4.+0 --hits @", AS_SIGNS, 0},
    {"states --tree @", AS_SIGNS, 0},
    {"states --svg=- @", AS_SIGNS, 0},
    {"load @", AS_SIGNS, 0},
    {"load --json @", AS_JSON, 1},
    {"load --acct @", AS_SIGNS, 0},
    {"load --ranges --table @", AS_SIGNS, 0},
    {"load --svg=- @", AS_SIGNS, 0},
    {"durations @", AS_SIGNS, 0},
    {"durations --json @", AS_JSON, 1},
    {"durations --of=run @", AS_SIGNS, 0},
    {"durations --of=ready --linear=1 --json @", AS_JSON, 0},
    {"durations --of=sleep --svg=- @", AS_SIGNS, 0},
    {"masked @", AS_TEXT, 0},
    {"masked --json @", AS_JSON, 1},
    {"waits @", AS_TEXT, 0},
    {"waits --json @", AS_JSON, 1},
    {"model @", AS_TEXT, 0},
    {"model --json @", AS_JSON, 1},
    {"model --cpu=fifo --scale=cpu=2 @", AS_TEXT, 0},
    {"time --count=1000 @", AS_TEXT, 0},
    {"time --json --count=1000 @", AS_JSON, 1},
    {"audit @", AS_TEXT, 0},
    {"audit --json @", AS_JSON, 1},
    {"survey @", AS_TEXT, 0},
    {"survey --json @", AS_JSON, 1},
    {"survey @ @", AS_TEXT, 0},
    {"verify-port @", AS_TEXT, 0},
    {"verify-port --json @", AS_JSON, 1},
    {"histogram @", AS_TEXT, 0},
    {"histogram --json @", AS_JSON, 1},
    {"histogram --mode=all @", AS_TEXT, 0},
    {"histogram --by=instruction --mode=all @", AS_TEXT, 0},
    {"histogram --zoom @", AS_TEXT, 0},
    {"histogram --region @", AS_TEXT, 0},
    {"histogram --callers @", AS_TEXT, 0},
    {"report --output=- @", AS_SIGNS, 0},
    {"report --json @", AS_JSON, 1},
    {"report --json @ @", AS_JSON, 0},
};

#define LINES (sizeof(lines) / sizeof(lines[0]))

size_t fuzz_lines(void)
{
    return LINES + export_format_count;
}

static bool ends(const char *text, const char *end)
{
    const size_t length = strlen(text), of = strlen(end);

    return length >= of && !strcmp(text + length - of, end);
}

/* Whether a format is text, which is judged. */
static bool is_text(const struct export_format *f)
{
    return !ends(f->extension, ".gz") && !ends(f->extension, ".pftrace") && !ends(f->extension, ".data") &&
           f->needs != NEEDS_PROFILE;
}

/* A folder is made and does not get the name "."; bytes that are no text are thrown away. */
static struct line export_line(const struct export_format *f)
{
    static char words[WORD_ROOM];
    const char *const to = f->write_folder ? "." : is_text(f) ? "-" : "/dev/null";

    snprintf(words, sizeof(words), "export --format=%s -o%s @", f->name, to);
    return (struct line){words, ends(f->extension, ".json") ? AS_JSON : ends(f->extension, ".jsonl") ? AS_JSON_LINES :
                         AS_SIGNS, 0};
}

static struct line line_at(size_t line)
{
    return line < LINES ? lines[line] : export_line(&export_formats[line - LINES]);
}

const char *fuzz_line_words(size_t line)
{
    return line_at(line).words;
}

unsigned fuzz_line_same(size_t line)
{
    return line_at(line).same;
}

/* ---- what it printed ---- */

static const char *judge_json(const char *text, size_t length, bool table)
{
    json_error_t error;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    static char no[sizeof(error.text) + 32];
    const char *found = !root ? no : table ? oracle_table(root) : NULL;

    snprintf(no, sizeof(no), "no JSON: %s", error.text);
    json_decref(root); /* `found` is no part of it */
    return found;
}

static const char *judge_json_lines(const char *text, size_t length)
{
    const char *found = NULL;

    for (size_t at = 0; at < length && !found;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t size = end ? (size_t)(end - text) - at : length - at;

        found = judge_json(text + at, size, false);
        at += size + 1;
    }
    return found;
}

static const char *judge_text(enum judged as, int status, const char *text, size_t length)
{
    switch (as) {
    case AS_TEXT: return oracle_text(text, length);
    case AS_SIGNS: return oracle_signs(text, length);
    case AS_JSON_LINES: return judge_json_lines(text, length);
    case AS_TABLE: case AS_JSON: break;
    default: return NULL;
    }
    if (!length)
        return status == EXIT_OK ? "no output" : NULL;
    return judge_json(text, length, as == AS_TABLE && status == EXIT_OK);
}

static const char *judge_file(enum judged as, int status, int file)
{
    const char *text, *found;
    struct stat s;

    FUZZ_CHECK(!fstat(file, &s));
    text = s.st_size ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, file, 0) : "";
    FUZZ_CHECK(text != MAP_FAILED);
    found = judge_text(as, status, text, (size_t)s.st_size);
    if (s.st_size)
        munmap((void *)text, (size_t)s.st_size);
    return found;
}

/* ---- one line ---- */

static const struct subcommand *command_of(const char *name)
{
    const struct command_row *at = commands;

    while (at->command && strcmp(at->command->name, name))
        at++;
    FUZZ_CHECK(at->command);
    return at->command;
}

static int run(const char *words, const char *path)
{
    char text[WORD_ROOM], *argv[WORDS + 2], *rest = text, *word;
    int argc = 0;

    snprintf(text, sizeof(text), "%s", words);
    while (argc <= WORDS && (word = strsep(&rest, " ")))
        argv[argc++] = strcmp(word, "@") ? word : (char *)path;
    argv[argc] = NULL;
    return subcommand_run(command_of(text), argc, argv);
}

/* What it prints goes to a file in memory, which is no part of what it takes. */
const char *fuzz_line_run(size_t line, const char *path, int *status)
{
    const struct line l = line_at(line);
    const int out = memfd_create("output", MFD_CLOEXEC), copy = dup(out);
    FILE *const before = stdout;
    const char *found;

    stdout = fdopen(out, "w");
    FUZZ_CHECK(stdout && copy >= 0);
    *status = run(l.words, path);
    FUZZ_CHECK(!fclose(stdout));
    stdout = before;
    found = *status < 0 || *status == EXIT_USAGE || *status > EXIT_CHECK_FAILED ?
            "an exit status that no stream can cause" : judge_file(l.judged, *status, copy);
    close(copy);
    return found;
}
