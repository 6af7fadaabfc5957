/* SPDX-License-Identifier: MIT */
/* Counts instructions by mnemonic. */
#include "tools/hwmon/mix.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"

/* Bytes of the first word; of a prefix and the second. */
static size_t mnemonic_length(const char *text)
{
    const size_t first = strcspn(text, " \t");
    const char *const second = text + first + strspn(text + first, " \t");

    if (strncmp(text, "rep", 3) != 0 && strncmp(text, "lock", 4) != 0)
        return first;
    return (size_t)(second - text) + strcspn(second, " \t");
}

uint16_t mix_number(struct mix *m, const char *disassembled)
{
    size_t length = disassembled != NULL ? mnemonic_length(disassembled) : 0;
    struct mnemonic new = { .seen = 0 };

    if (length == 0) {
        disassembled = "(unknown)";
        length = strlen(disassembled);
    }
    memcpy(new.text, disassembled, length < sizeof new.text ? length : sizeof new.text - 1);
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->mnemonic[i].text, new.text) == 0)
            return (uint16_t)i;
    APPEND(m->mnemonic, m->count, new);
    return (uint16_t)(m->count - 1);
}

static void add_block(const struct block *b, void *data)
{
    struct mix *const m = data;

    for (uint32_t i = 0; i < b->count; i++) {
        m->mnemonic[b->insn[i].mnemonic].seen++;
        m->mnemonic[b->insn[i].mnemonic].executed += b->times;
    }
}

static int most_executed(const void *a, const void *b)
{
    const struct mnemonic *const one = a, *const other = b;

    if (one->executed != other->executed)
        return one->executed < other->executed ? 1 : -1;
    return strcmp(one->text, other->text);
}

static double percent(uint64_t part, uint64_t all)
{
    return all != 0 ? 100.0 * (double)part / (double)all : 0.0;
}

void mix_report(FILE *file, struct mix *m, const struct block_table *t)
{
    uint64_t seen = 0, executed = 0;

    block_each(t, add_block, m);
    if (m->count)
        qsort(m->mnemonic, m->count, sizeof m->mnemonic[0], most_executed);
    for (size_t i = 0; i < m->count; i++) {
        seen += m->mnemonic[i].seen;
        executed += m->mnemonic[i].executed;
    }
    fputs("# mnemonic, static, %, executed, %\n", file);
    for (size_t i = 0; i < m->count; i++) {
        const struct mnemonic *const it = &m->mnemonic[i];

        fprintf(file, "%s\t%llu\t%.3f\t%llu\t%.3f\n", it->text, (unsigned long long)it->seen, percent(it->seen, seen),
                (unsigned long long)it->executed, percent(it->executed, executed));
    }
    fprintf(file, "total\t%llu\t100\t%llu\t100\n", (unsigned long long)seen, (unsigned long long)executed);
}
