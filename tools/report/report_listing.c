/* SPDX-License-Identifier: MIT */
/*
 * Lists the code of functions with the samples of each instruction, those with most samples first until there is no
 * room; and the lines of source that it was made of, from files below the folder that the user gave.
 */
#include "tools/report/report_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/analysis/breakdown.h"
#include "tools/base/alloc.h"
#include "tools/base/hash_index.h"
#include "tools/symbols/line_table.h"

#define BYTES   (256u * 1024) /* of JSON, about: two runs have 512 KiB */
#define ROWS    200u          /* of a function */
#define BESIDE  3u            /* instructions without samples that are shown before and behind one with some */
#define DECODED 5000u         /* instructions of a function; one with more is left out */
#define WORK    2000000u      /* instructions that are decoded in all */
#define FILE_MOST ((size_t)1 << 20) /* bytes of a source file */
#define ROW_BYTES 40          /* of JSON without its texts */

struct source {
    char *path; /* as the compiler was told */
    char *text; /* NULL: it is not there, or may not be shown */
    size_t *line, lines; /* where each begins */
};

struct listings {
    const struct report_run *run;
    const struct code_tree *tree;
    uint32_t *number;  /* of each node among those that are shown; UINT32_MAX: it is not */
    json_t *functions, *lines;
    struct source *source;
    size_t sources;
    struct index told; /* lines of source, by file and line */
    char *folder; /* of source, as realpath() has it; NULL: none is wanted, or it is not there */
    size_t bytes, work; /* of the JSON; instructions that were decoded */
    uint64_t left_out;
};

struct decoded {
    struct instruction at;
    uint64_t hits;
};

/* ---- source ---- */

/* Only a file below the folder: debug information may name any. */
static FILE *open_source(const struct listings *l, const char *path)
{
    const size_t length = strlen(l->folder);
    char *const name = path[0] == '/' ? xasprintf("%s", path) : xasprintf("%s/%s", l->folder, path);
    char *const real = realpath(name, NULL);
    FILE *file = NULL;
    struct stat what;

    if (real && !strncmp(real, l->folder, length) && real[length] == '/' && !stat(real, &what) &&
        S_ISREG(what.st_mode) && (size_t)what.st_size <= FILE_MOST)
        file = fopen(real, "re");
    free(name);
    free(real);
    return file;
}

static void read_source(struct listings *l, struct source *s)
{
    FILE *const file = l->folder ? open_source(l, s->path) : NULL;
    size_t length;

    if (!file)
        return;
    s->text = xcalloc(FILE_MOST + 1, 1);
    length = fread(s->text, 1, FILE_MOST, file);
    fclose(file);
    s->text = xrealloc_array(s->text, length + 1, 1);
    for (char *at = s->text; at < s->text + length;) {
        char *const end = at + strcspn(at, "\n");

        APPEND(s->line, s->lines, (size_t)(at - s->text));
        at = end + 1;
        *end = '\0';
    }
}

static size_t source_of(struct listings *l, const char *path)
{
    for (size_t i = 0; i < l->sources; i++)
        if (!strcmp(l->source[i].path, path))
            return i;
    APPEND(l->source, l->sources, (struct source){.path = xasprintf("%s", path)});
    read_source(l, &l->source[l->sources - 1]);
    return l->sources - 1;
}

#define LINE_MEMBERS(M, O)                                                          \
    M(COUNT, file, "index of its file")                                             \
    M(COUNT, line, "its number, from 1")                                            \
    M(TEXT, text, "the line")
REPORT_TUPLE(source_line, LINE_MEMBERS)

static void tell_line(struct listings *l, size_t file, unsigned line)
{
    const struct source *const s = &l->source[file];
    const uint64_t key = (uint64_t)file << 32 | line;

    if (!line || line > s->lines || index_find(&l->told, key) != INDEX_NONE)
        return;
    index_put(&l->told, key, 0);
    l->bytes += strlen(s->text + s->line[line - 1]) + 16;
    REPORT_ADD(l->lines, source_line, .file = file, .line = line, .text = s->text + s->line[line - 1]);
}

/* ---- code ---- */

#define INSTRUCTION_MEMBERS(M, O)                                                   \
    M(ADDRESS, address, "its address")                                              \
    M(COUNT, hits, "samples at it")                                                 \
    M(TEXT, text, "disassembled")                                                   \
    M(COUNT, file, "one more than the index of the file of its line; 0: not known") \
    M(COUNT, line, "its line; 0: none")                                             \
    M(FLAG, gap, "instructions before it are left out")
REPORT_TUPLE(instruction, INSTRUCTION_MEMBERS)

#define LISTING_MEMBERS(M, O)                                                       \
    M(COUNT, node, "index of its function among `nodes` of the code")               \
    O(LIST, rows, instruction, "its instructions with samples, and those beside them")
REPORT_OBJECT(listing, LISTING_MEMBERS)

static void add_row(struct listings *l, const struct code_file *file, const struct decoded *d, bool gap, json_t *rows)
{
    const char *path = NULL;
    unsigned line = 0;
    size_t source = 0;

    if (file->lines && line_table_find(file->lines, d->at.start, &path, &line))
        source = source_of(l, path) + 1;
    if (source)
        tell_line(l, source - 1, line);
    l->bytes += strlen(d->at.text) + ROW_BYTES;
    REPORT_ADD(rows, instruction, .address = d->at.start, .hits = d->hits, .text = d->at.text, .file = source,
               .line = line, .gap = gap);
}

/* The instructions with samples and those beside them. */
static void add_rows(struct listings *l, const struct code_file *file, const struct decoded *d, size_t count,
                     json_t *rows)
{
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t from = i < BESIDE ? 0 : i - BESIDE;

        if (!d[i].hits)
            continue;
        for (size_t r = next > from ? next : from; r < count && r <= i + BESIDE; r++) {
            if (json_array_size(rows) >= ROWS)
                return;
            add_row(l, file, &d[r], r != next, rows);
            next = r + 1;
        }
    }
}

/* The atoms of a group within one symbol, from atom `a` on, the first of them; returns the one behind them. */
static size_t add_symbol(struct listings *l, const struct profile *p, const int32_t *group, size_t a, json_t *rows)
{
    const struct code_file *const file = code_file_at(&l->run->names->symbols, p->atom[a].address);
    const struct symbol *const symbol = code_file_symbol(file, p->atom[a].address);
    const int32_t wanted = group[a];
    struct decoded *d = NULL;
    struct instruction i;
    size_t count = 0;
    bool more = symbol && file->disassembly && disassembly_find(file->disassembly, symbol->start, &i);

    for (; more && i.start < symbol->end && count < DECODED; more = disassembly_next(file->disassembly, &i)) {
        APPEND(d, count, (struct decoded){i, 0});
        for (; a < p->atoms && p->atom[a].address < i.start + i.length; a++)
            d[count - 1].hits += group[a] == wanted ? p->atom[a].hits : 0;
    }
    l->work += count;
    if (count < DECODED)
        add_rows(l, file, d, count, rows);
    free(d);
    return a;
}

static json_t *rows_of(struct listings *l, const struct profile *p, const int32_t *group, int32_t wanted)
{
    json_t *rows = json_array();

    for (size_t a = 0; a < p->atoms;) {
        const size_t next = group[a] == wanted ? add_symbol(l, p, group, a, rows) : a + 1;

        a = next > a ? next : a + 1;
    }
    return rows;
}

static void add_function(struct listings *l, const struct profile *p, const struct breakdown *b, int32_t row,
                         uint32_t node)
{
    json_t *rows;

    if (l->number[node] == UINT32_MAX)
        return;
    if (l->bytes > BYTES || l->work > WORK) {
        l->left_out++;
        return;
    }
    rows = rows_of(l, p, b->group, row);
    if (json_array_size(rows))
        REPORT_ADD(l->functions, listing, .node = l->number[node], .rows = rows);
    else
        json_decref(rows);
}

/* The functions of a mode are in the order of its breakdown. */
static void add_mode(struct listings *l, uint32_t mode)
{
    const struct code_node *const n = l->tree->node;
    const struct profile_request request = {.task = n[mode].task, .mode = n[mode].mode};
    struct breakdown b;
    struct profile p;
    int32_t row = 0;

    resolver_use(l->run->names, l->run->epoch, request.task, true);
    if (!profile_make(&p, l->run->epoch, &request))
        return;
    if (breakdown_make(&b, &p, &l->run->names->symbols, BREAKDOWN_FUNCTION)) {
        for (uint32_t f = mode + 1; f < l->tree->nodes && (size_t)row < b.rows; f++)
            if (n[f].parent == mode)
                add_function(l, &p, &b, row++, f);
        breakdown_free(&b);
    }
    profile_free(&p);
}

static const struct code_node *sorted; /* for qsort() */

static int by_hits(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const uint64_t one = sorted[a].tally.hits, other = sorted[b].tally.hits;

    return one != other ? (one < other) - (one > other) : (a > b) - (a < b);
}

/* Modes with most samples first; late samples tell where a delay ended, and have no code of their own. */
static void add_all(struct listings *l)
{
    const struct code_tree *const t = l->tree;
    uint32_t *mode = NULL;
    size_t modes = 0;

    for (uint32_t i = 0; i < t->nodes; i++)
        if (t->node[i].level == CODE_MODE && row_has_modes(t->node[i].task))
            APPEND(mode, modes, i);
    sorted = t->node;
    if (modes)
        qsort(mode, modes, sizeof(*mode), by_hits);
    for (size_t i = 0; i < modes; i++)
        add_mode(l, mode[i]);
    free(mode);
}

#define LISTINGS_MEMBERS(M, O)                                                      \
    M(TEXTS, files, "files of lines, as the compiler was told")                     \
    O(LIST, lines, source_line, "lines of these, where the files are there")        \
    M(COUNT, left_out, "functions for which there is no room")                      \
    O(LIST, functions, listing, "functions whose code is there")
REPORT_SHARED(report_listings, LISTINGS_MEMBERS)

static json_t *files_json(struct listings *l)
{
    json_t *array = json_array();

    for (size_t i = 0; i < l->sources; i++) {
        json_array_append_new(array, json_text_or_null(l->source[i].path));
        free(l->source[i].path);
        free(l->source[i].text);
        free(l->source[i].line);
    }
    free(l->source);
    return array;
}

json_t *report_listings_json(const struct report_run *run, const struct code_tree *t)
{
    const uint64_t least = t ? report_code_least(t) : 0;
    struct listings l = {.run = run, .tree = t, .functions = json_array(), .lines = json_array()};
    uint32_t count = 0;

    if (run->source)
        l.folder = realpath(run->source, NULL);
    if (t) {
        l.number = xrealloc_array(NULL, t->nodes, sizeof(*l.number));
        for (size_t i = 0; i < t->nodes; i++)
            l.number[i] = t->node[i].tally.hits >= least ? count++ : UINT32_MAX;
        add_all(&l);
    }
    free(l.number);
    free(l.folder);
    index_free(&l.told);
    return REPORT_MAKE(report_listings, .files = files_json(&l), .lines = l.lines, .left_out = l.left_out,
                       .functions = l.functions);
}
