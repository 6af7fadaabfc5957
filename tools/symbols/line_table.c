/* SPDX-License-Identifier: MIT */
/*
 * The index of lines and inlined functions: all tables are walked once by
 * libdw, each look-up is one binary search.  libdw checks offsets and sizes;
 * loops, depth and amount are bounded here.
 */
#include "tools/symbols/line_table.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/symbols/demangle.h"
#include "tools/symbols/dwarf_file.h"
#include "tools/symbols/elf_file.h"

#define DEPTH_MOST  200 /* of nested entries, deeper than compilers nest */
#define ORIGIN_MOST 16  /* most references from an inlined copy to the entry with its name */

/*
 * Limit of rows and ranges per byte of the file.  Valid tables, even compressed ones, have fewer;
 * tables that refer to each other could have any number.
 */
#define PER_BYTE 1

/*
 * Limit of rows requested from libdw, which takes 160 bytes for each: a constant, and one row per
 * this many bytes of the file.  Images and this tool have one row per 39 to 41 bytes.
 */
#define ROWS_FREE      ((size_t)1 << 18)
#define BYTES_FOR_ROW 8

/* A function: inlined, or not inlined, which ends a chain of callers. */
struct node {
    Dwarf_Off die;
    size_t caller; /* what it is inlined into, by the nesting of the entries; or RANGE_NONE */
    bool real;
    bool owned;  /* `shown` was allocated here */
    char *shown; /* NULL: not asked for yet */
};

struct line_table {
    struct dwarf_file file;
    uint64_t base; /* what the file's addresses are less than the program's */
    Dwarf_Line **row;
    struct node *node;
    size_t rows, nodes;
    struct range_map by_line, by_node;
};

struct ranges {
    struct range *range;
    size_t count;
};

struct unit {
    Dwarf_Word table; /* where its lines are */
    Dwarf_Die die;
};

struct walk {
    struct line_table *index;
    struct ranges lines, nodes;
    struct unit *unit; /* those with lines */
    size_t units, most;
    Dwarf_Off last; /* the last entry that was seen */
};

static bool add_range(struct walk *w, struct ranges *r, uint64_t start, uint64_t end, size_t what)
{
    if (start >= end || r->count >= w->most)
        return false;
    APPEND(r->range, r->count, (struct range){start, end, what});
    return true;
}

/* The unit says which code is its, and the address is not among it. */
static bool is_outside(Dwarf_Die *unit, Dwarf_Addr address)
{
    Dwarf_Addr base, start, end;

    return dwarf_ranges(unit, 0, &base, &start, &end) > 0 && !dwarf_haspc(unit, address);
}

/*
 * Rows are sorted by address; each is valid up to the next one.  libdw has the end of a sequence before all rows of
 * the same address: one of them may be the ended sequence's own last row, of no byte (GCC 14 makes such), or the
 * first of the next one.
 */
static void add_lines(struct walk *w, Dwarf_Die *unit, Dwarf_Lines *lines, size_t count)
{
    struct line_table *index = w->index;
    Dwarf_Addr ended = 0; /* where the sequence before ended */

    for (size_t i = 0; i + 1 < count; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        Dwarf_Addr start, end;
        bool last;

        if (dwarf_lineendsequence(row, &last) || dwarf_lineaddr(row, &start))
            continue;
        if (last)
            ended = start;
        if (last || dwarf_lineaddr(dwarf_onesrcline(lines, i + 1), &end) ||
            (start == ended && is_outside(unit, start)) || !add_range(w, &w->lines, start, end, index->rows))
            continue;
        APPEND(index->row, index->rows, row);
    }
}

static int compare_units(const void *left, const void *right)
{
    const struct unit *a = left, *b = right;

    return a->table < b->table ? -1 : a->table > b->table;
}

/*
 * Units may share a table, which is read once.  Compilers do not make overlapping tables, from
 * which libdw would make rows of the same bytes any number of times: they are skipped.
 */
static void add_tables(struct walk *w, const char *path)
{
    size_t end = 0, rows = 0;

    if (w->units)
        qsort(w->unit, w->units, sizeof(*w->unit), compare_units);
    for (size_t i = 0; i < w->units; i++) {
        Dwarf_Lines *lines;
        size_t count;

        if (w->unit[i].table < end)
            continue;
        end = dwarf_file_table_end(&w->index->file, w->unit[i].table);
        if (end == SIZE_MAX)
            return; /* by its head it ends after the section, so nothing after it can be read */
        rows += dwarf_file_table_rows(&w->index->file, w->unit[i].table, end);
        if (rows > ROWS_FREE + w->most / (PER_BYTE * BYTES_FOR_ROW)) {
            cli_error("%s has more source lines than a file of its size: some are not read", path);
            return;
        }
        if (!dwarf_getsrclines(&w->unit[i].die, &lines, &count))
            add_lines(w, &w->unit[i].die, lines, count);
    }
}

/* False: the entry has none. */
static bool add_code(struct walk *w, Dwarf_Die *die, size_t node)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t next = 0;
    bool any = false;

    while (w->nodes.count < w->most && (next = dwarf_ranges(die, next, &base, &start, &end)) > 0)
        any |= add_range(w, &w->nodes, start, end, node);
    return any;
}

/* Add a node if the entry is a function; returns the node that nested entries are inlined into. */
static size_t add_node(struct walk *w, Dwarf_Die *die, size_t caller)
{
    struct line_table *index = w->index;
    int tag = dwarf_tag(die);
    bool real = tag == DW_TAG_subprogram;

    if (!real && tag != DW_TAG_inlined_subroutine)
        return caller;
    if (!add_code(w, die, index->nodes) && real)
        return RANGE_NONE; /* only a declaration, or only the origin of inlined copies */
    index->node = xgrow(index->node, index->nodes, sizeof(*index->node));
    index->node[index->nodes] =
        (struct node){.die = dwarf_dieoffset(die), .caller = caller, .real = real};
    return index->nodes++;
}

static void add_functions(struct walk *w, Dwarf_Die *parent, size_t caller, unsigned depth)
{
    Dwarf_Die die;

    if (depth == DEPTH_MOST || dwarf_child(parent, &die))
        return;
    do {
        if (dwarf_dieoffset(&die) <= w->last || w->nodes.count >= w->most)
            return; /* siblings of a damaged file may lead anywhere, but not back */
        w->last = dwarf_dieoffset(&die);
        add_functions(w, &die, add_node(w, &die, caller), depth + 1);
    } while (!dwarf_siblingof(&die, &die));
}

static void add_units(struct walk *w)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Half version;
    uint8_t type;
    Dwarf_Die die;

    while (!dwarf_get_units(w->index->file.dwarf, cu, &cu, &version, &type, &die, NULL)) {
        Dwarf_Attribute table;
        Dwarf_Word offset;

        if (type == DW_UT_type || type == DW_UT_split_type)
            continue; /* types have no code; their entries lie in a section of their own */
        if (!dwarf_formudata(dwarf_attr(&die, DW_AT_stmt_list, &table), &offset))
            APPEND(w->unit, w->units, (struct unit){offset, die});
        w->last = dwarf_dieoffset(&die);
        add_functions(w, &die, RANGE_NONE, 0);
    }
}

static const struct elf_file *file_with_dwarf(const struct symbols *s)
{
    if (elf_file_has_dwarf(&s->file))
        return &s->file;
    return s->debug.open && elf_file_has_dwarf(&s->debug) ? &s->debug : NULL;
}

struct line_table *line_table_open(const struct symbols *s)
{
    const struct elf_file *file = file_with_dwarf(s);
    struct dwarf_file dwarf;
    struct walk w = {0};
    const char *why;

    if (!file)
        return NULL;
    if (!dwarf_file_open(&dwarf, file->table.file, &why)) {
        if (why)
            cli_error("%s %s", s->path, why);
        return NULL;
    }
    w.most = PER_BYTE * file->table.size;
    w.index = xrealloc_array(NULL, 1, sizeof(*w.index));
    *w.index = (struct line_table){.file = dwarf, .base = s->base};
    add_units(&w);
    add_tables(&w, s->path);
    range_map_build(&w.index->by_line, w.lines.range, w.lines.count);
    range_map_build(&w.index->by_node, w.nodes.range, w.nodes.count);
    free(w.lines.range);
    free(w.nodes.range);
    free(w.unit);
    if (w.index->rows || w.index->nodes)
        return w.index;
    line_table_close(w.index);
    return NULL;
}

void line_table_close(struct line_table *index)
{
    if (!index)
        return;
    for (size_t i = 0; i < index->nodes; i++)
        if (index->node[i].owned)
            free(index->node[i].shown);
    free(index->node);
    free(index->row);
    range_map_free(&index->by_line);
    range_map_free(&index->by_node);
    dwarf_file_close(&index->file);
    free(index);
}

bool line_table_find(const struct line_table *index, uint64_t address, const char **file,
                     unsigned *line)
{
    size_t found = range_map_find(&index->by_line, address - index->base, NULL);
    const char *source;
    int number;

    if (found == RANGE_NONE)
        return false;
    source = dwarf_linesrc(index->row[found], NULL, NULL);
    if (!source || dwarf_lineno(index->row[found], &number) || number < 0)
        return false;
    while (!strncmp(source, "./", 2))
        source += 2; /* otherwise one file had two names, depending on how it was included */
    *file = source;
    *line = (unsigned)number;
    return true;
}

static const char *text_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute memory;

    return dwarf_formstring(dwarf_attr(die, attribute, &memory));
}

/* The entry that this one is a copy or a definition of. */
static bool origin_of(Dwarf_Die *die)
{
    Dwarf_Attribute memory, *origin = dwarf_attr(die, DW_AT_abstract_origin, &memory);
    Dwarf_Die found;

    if (!origin)
        origin = dwarf_attr(die, DW_AT_specification, &memory);
    if (!origin || !dwarf_formref_die(origin, &found))
        return false;
    *die = found;
    return true;
}

/* The linker's name, else the name in the source. */
static const char *name_of(Dwarf_Die *die)
{
    const char *plain = NULL;

    for (unsigned i = 0; i < ORIGIN_MOST; i++) {
        const char *linkage = text_of(die, DW_AT_linkage_name);

        if (!linkage)
            linkage = text_of(die, DW_AT_MIPS_linkage_name); /* its name before DWARF 4 */
        if (linkage)
            return linkage;
        if (!plain)
            plain = text_of(die, DW_AT_name);
        if (!origin_of(die))
            break;
    }
    return plain ? plain : "??";
}

static const char *shown(const struct line_table *index, struct node *node)
{
    Dwarf_Die die;
    const char *name = "??";

    if (node->shown)
        return node->shown;
    if (dwarf_offdie(index->file.dwarf, node->die, &die))
        name = name_of(&die);
    node->shown = demangle(name);
    node->owned = node->shown;
    if (!node->owned)
        node->shown = (char *)name;
    return node->shown;
}

size_t line_table_inlined(const struct line_table *index, uint64_t address, const char *names[],
                          size_t most)
{
    size_t count = 0;

    for (size_t i = range_map_find(&index->by_node, address - index->base, NULL);
         i != RANGE_NONE && !index->node[i].real && count < most; i = index->node[i].caller)
        names[count++] = shown(index, &index->node[i]);
    return count;
}
