/* SPDX-License-Identifier: MIT */
/* A hash table of blocks by address, ring and code. */
#include "tools/hwmon/block.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

struct block *block_new(size_t insns, int ring)
{
    struct block *b = xcalloc(1, sizeof *b + insns * sizeof b->insn[0]);

    b->ring = (uint8_t)ring;
    return b;
}

void block_add(struct block *b, uint64_t address, const void *code, size_t size)
{
    struct insn *i = &b->insn[b->count++];

    *i = (struct insn){ .address = address, .size = (uint8_t)(size < INSN_BYTES ? size : INSN_BYTES) };
    memcpy(i->code, code, i->size);
}

static size_t hash(const struct block *b)
{
    const uint64_t address = b->count != 0 ? b->insn[0].address : 0;

    return (size_t)((address * 0x9e3779b97f4a7c15ull >> 48 ^ b->ring) % BLOCK_HASHES);
}

static bool same(const struct block *a, const struct block *b)
{
    if (a->count != b->count || a->ring != b->ring)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->insn[i].address != b->insn[i].address || a->insn[i].size != b->insn[i].size ||
            memcmp(a->insn[i].code, b->insn[i].code, a->insn[i].size) != 0)
            return false;
    return true;
}

struct block *block_intern(struct block_table *t, struct block *b)
{
    struct block **head = &t->of[hash(b)];

    for (struct block *there = *head; there != NULL; there = there->next)
        if (same(there, b)) {
            free(b);
            return there;
        }
    b->next = *head;
    t->count++;
    return *head = b;
}

static int by_address(const void *a, const void *b)
{
    const struct block *const *one = a, *const *other = b;
    const uint64_t left = (*one)->count != 0 ? (*one)->insn[0].address : 0;
    const uint64_t right = (*other)->count != 0 ? (*other)->insn[0].address : 0;

    return (left > right) - (left < right);
}

void block_each(const struct block_table *t, void call(const struct block *b, void *data), void *data)
{
    const struct block **all = xrealloc_array(NULL, t->count + 1, sizeof *all);
    size_t count = 0;

    for (size_t i = 0; i < BLOCK_HASHES; i++)
        for (const struct block *b = t->of[i]; b != NULL; b = b->next)
            all[count++] = b;
    qsort(all, count, sizeof *all, by_address);
    for (size_t i = 0; i < count; i++)
        call(all[i], data);
    free(all);
}

/* Adds the counts of blocks up by routine. */

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
