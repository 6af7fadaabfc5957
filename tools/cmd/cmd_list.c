/* SPDX-License-Identifier: MIT */
/* `cpuprobe list`: a folder of recordings as a table, a row each. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/archive/arrival_summary.h"
#include "tools/archive/dump_summary.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/printable.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"

#define STATE_SIZE 120
#define WIDTH_MOST 40 /* of a column of text, characters */
#define SUFFIX     ".times" /* these belong to the recordings */

typedef int order(const void *a, const void *b);

struct arguments {
    const char *folder;
    unsigned order; /* of `orders` */
    bool json;
};

/* ---- order ---- */

static int by_number(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct dump_summary *)a)->name, ((const struct dump_summary *)b)->name);
}

/* Rows that are alike are in the order of their names, so that a table is always the same. */
#define ORDER(name, comparison)                                    \
    static int by_##name(const void *one, const void *other)       \
    {                                                              \
        const struct dump_summary *a = one, *b = other;            \
        const int order = comparison;                              \
                                                                   \
        return order ? order : by_name(a, b);                      \
    }
ORDER(date, by_number(a->date, b->date))
ORDER(note, strcmp(a->words.note, b->words.note))
ORDER(samples, by_number((double)b->snapshot.samples, (double)a->snapshot.samples))
ORDER(losses, by_number((double)dump_summary_losses(b), (double)dump_summary_losses(a)))

/* ---- options ---- */

/* --sort, and which order each is. */
#define ORDER_CHOICES "date|name|note|samples|losses"
static order *const orders[] = {by_date, by_name, by_note, by_samples, by_losses};

static const struct option_row options[] = {
    {"json", 'j', NULL, "print a JSON object, not a table", SET_FLAG(json)},
    {"sort", 0, ORDER_CHOICES, "the order of the rows: oldest first (default), by name or note, most samples or "
     "losses first", SET_WORD(order)},
    {0},
};

static const struct argument_row folder = {
    ARGUMENT(folder), .many = "only one folder can be listed: '%s' is one too many",
};

/* ---- the folder ---- */

struct listing {
    struct dump_summary *row;
    size_t rows;
};

static bool is_listed(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);

    return entry->d_name[0] != '.' && entry->d_type != DT_DIR &&
           (length < sizeof(SUFFIX) || strcmp(entry->d_name + length + 1 - sizeof(SUFFIX), SUFFIX));
}

static bool read_folder(struct listing *l, const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;

    if (!folder) {
        cli_error("%s: %s", path, strerror(errno));
        return false;
    }
    while ((entry = readdir(folder)))
        if (is_listed(entry)) {
            GROW(l->row, l->rows);
            dump_summary_read(&l->row[l->rows++], dirfd(folder), entry->d_name);
        }
    closedir(folder);
    return true;
}

/* ---- the table ---- */

static const char *const date_words[] = {"arrival", "file", NULL};

#define RECORDING_MEMBERS(M, O)                                                     \
    M(TEXT, file, "its name in the folder; null: that is no UTF-8")                 \
    M(COUNT, bytes, "its length")                                                   \
    M(TEXT, date, "when it was recorded, ISO 8601 in UTC")                          \
    O(WORD, date_of, date_words, "date is that of the first byte that arrived, or of the last change of the file") \
    M(TEXT, state, "complete, or what is wrong with it")                            \
    M(FLAG, whole, "all of it was read, not its head and its tail alone")           \
    M(FLAG, complete, "it has the end of a run that ended well, and nothing that was read is damaged") \
    M(TEXT, note, "the word note= of its last HELLO")                               \
    M(TEXT, build, "build id of the image, hexadecimal")                            \
    M(TEXT, version, "version of the image")                                        \
    M(TEXT, words, "the words that have other values than their defaults, without note=, output= and exit=") \
    M(REAL, seconds, "length of the window of the last table, s")                   \
    M(COUNT_OR_NULL, samples, "samples of the last table")                          \
    M(COUNT_OR_NULL, lost, "samples that were taken and not kept, and ticks that the device lost") \
    M(COUNT_OR_NULL, late, "late samples")                                          \
    M(COUNT, damaged, "damaged stretches in what was read")                         \
    M(COUNT, missing, "missing frames in what was read")                            \
    M(COUNT, unknown, "frames in what was read that are of types which this version does not know")
REPORT_OBJECT(recording, RECORDING_MEMBERS)

#define LIST_MEMBERS(M, O) O(LIST, recordings, recording, "each file of the folder, in the order that was asked for")
REPORT_WHOLE(list, "cpuprobe-list-1", LIST_MEMBERS)

static json_t *row_json(const struct dump_summary *s)
{
    const bool has = s->has_snapshot;
    char date[32], state[STATE_SIZE], words[CONFIG_LINE];

    arrival_date(s->date, date);
    dump_summary_state(s, state, sizeof(state));
    dump_summary_words(s, words);
    return REPORT_MAKE(
        recording, .file = s->name, .bytes = s->bytes, .date = s->date != 0 ? date : NULL,
        .date_of = date_words[!s->arrived], .state = state, .whole = s->whole,
        .complete = s->ended && !s->status && !s->damaged && !s->missing && !s->unsure && !s->unknown,
        .note = s->words.note[0] ? s->words.note : NULL, .build = s->has_hello ? s->build : NULL,
        .version = s->has_hello ? s->version : NULL, .words = s->words_known && s->has_hello ? words : NULL,
        .seconds = has ? dump_summary_seconds(s) : NAN, .samples = REPORT_KNOWN_IF(has, s->snapshot.samples),
        .lost = REPORT_KNOWN_IF(has, dump_summary_losses(s)), .late = REPORT_KNOWN_IF(has, s->snapshot.late),
        .damaged = s->damaged, .missing = s->missing, .unknown = s->unknown);
}

/* What only the text has: a name that no terminal is harmed by, and the note in quotes. */
static json_t *more_text(const struct dump_summary *s)
{
    char *const name = xasprintf("%s", s->name), *const note = xasprintf("\"%s\"", s->words.note);
    json_t *more;

    printable_name(name);
    more = json_pack("{ss ss}", "file", name, "note", s->words.note[0] ? note : "-");
    free(name);
    free(note);
    return more;
}

/* One long text does not make the table wide: its row alone is. */
static int width_of(const json_t *rows, const char *member, size_t least)
{
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        const size_t length = json_string_length(json_object_get(row, member));

        least = length > least && length <= WIDTH_MOST ? length : least;
    }
    return (int)least;
}

static char *text_of(const json_t *rows)
{
    const int file = width_of(rows, "file", 4), state = width_of(rows, "state", 5), note = width_of(rows, "note", 4);

    return xasprintf("Date                   Seconds      Samples     Lost  Build     %-*s  %-*s  %-*s  Words\n"
                     "[recordings:{date|-20s} {seconds|9.1f} {samples|12d} {lost|8d}  {build|-8.8s}  "
                     "{file|-%ds}  {state|-%ds}  {note|-%ds}  [words?{words}][words!-]\n]",
                     file, "File", state, "State", note, "Note", file, state, note);
}

static void print(const struct listing *l, bool as_json)
{
    json_t *rows = json_array();
    char *text;

    for (size_t i = 0; i < l->rows; i++) {
        json_array_append_new(rows, row_json(&l->row[i]));
        if (!as_json)
            json_object_update_new(json_array_get(rows, i), more_text(&l->row[i]));
    }
    text = text_of(rows);
    report_print(REPORT_MAKE(list, rows), text, as_json, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
    free(text);
}

static int run_command(void *arguments)
{
    const struct arguments *a = arguments;
    struct listing l = {0};

    if (!read_folder(&l, a->folder))
        return EXIT_NO_DATA;
    if (l.rows)
        qsort(l.row, l.rows, sizeof(*l.row), orders[a->order]);
    print(&l, a->json);
    for (size_t i = 0; i < l.rows; i++)
        dump_summary_free(&l.row[i]);
    free(l.row);
    return EXIT_OK;
}

const struct subcommand cmd_list = {
    .name = "list", .what = "print a folder of recordings as a table", .run = run_command,
    .bytes = sizeof(struct arguments), .initial = &(const struct arguments){.folder = "."},
    .own = {options, &folder}, .args_doc = "[FOLDER]", .json = {&list_object},
    .doc = "Print the recordings in FOLDER (this one) as a table: when, how long, samples, losses, build, state, "
           "note and the words that are not the usual ones.\vOf a large recording the head and the tail are read.  A "
           "file that is no "
           "recording, or a damaged one, is a row that says so.  Exit status: 0 listed, 1 the folder cannot be read.",
    .example = {"cpuprobe list .", "cpuprobe list --sort samples ."},
};
