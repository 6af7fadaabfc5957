/* SPDX-License-Identifier: MIT */
/* Adds the counts of blocks up by routine. */
#include "tools/hwmon/block_report.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

struct routine {
    uint64_t entries, instructions;
};

struct report {
    FILE *file;
    const struct names *names;
    struct routine *routine; /* of each name */
};

static void print_block(const struct block *b, void *data)
{
    const struct report *const r = data;
    const struct name *const name = names_code_at(r->names, b->insn[0].address);

    fprintf(r->file, "block %#llx %u %u %llu", (unsigned long long)b->insn[0].address, b->ring, b->count,
            (unsigned long long)b->times);
    if (name != NULL)
        fprintf(r->file, " %s+%#llx", name->text, (unsigned long long)(b->insn[0].address - name->address));
    fputc('\n', r->file);
}

static void add_block(const struct block *b, void *data)
{
    const struct report *const r = data;

    for (uint32_t i = 0; i < b->count; i++) {
        const struct name *const name = names_code_at(r->names, b->insn[i].address);
        struct routine *const to = name != NULL ? &r->routine[name - r->names->name] : NULL;

        if (to == NULL)
            continue;
        to->instructions += b->times;
        if (b->insn[i].address == name->address)
            to->entries += b->times;
    }
}

/* A label within a routine is none itself. */
static bool is_routine(const struct name *n)
{
    return n->code && (n->size != 0 || strchr(n->text, '.') == NULL);
}

static void print_routines(const struct report *r, bool run)
{
    for (size_t i = 0; i < r->names->count; i++) {
        const struct name *const name = &r->names->name[i];
        const struct routine *const it = &r->routine[i];

        if (!is_routine(name) || (it->instructions != 0) != run)
            continue;
        if (run)
            fprintf(r->file, "routine %s %llu %llu\n", name->text, (unsigned long long)it->entries,
                    (unsigned long long)it->instructions);
        else
            fprintf(r->file, "never %s %#llx %#llx\n", name->text, (unsigned long long)name->address,
                    (unsigned long long)names_end(r->names, i));
    }
}

void block_report(FILE *file, const struct block_table *t, const struct names *n)
{
    struct report r = { file, n, xcalloc(n->count + 1, sizeof(struct routine)) };

    block_each(t, print_block, &r);
    block_each(t, add_block, &r);
    print_routines(&r, true);
    print_routines(&r, false);
    free(r.routine);
}
