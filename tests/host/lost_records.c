/* SPDX-License-Identifier: MIT */
/*
 * How many ids find no record in the system monitor's table (probe/core/system_monitor.c), of 16 to 128 that have
 * one sample each: names in RADIX-50, i-nodes and process numbers, drawn anew for each of many tables.  A line for
 * each kind and number: ids that lost their samples in percent of all, tables that lost any in percent, the most
 * that one table lost.  Argument: tables, from 1.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/schedule/splitmix64.h"
#include "probe/core/system_monitor.h"
#include "probe/text/radix50.h"

#define MOST 128u

static uint64_t state;

static uint32_t below(uint32_t width)
{
    return (uint32_t)(splitmix64_mix(state += SPLITMIX64_GAMMA) % width);
}

/* Three to six letters and digits, the first a letter, as tasks are named. */
static uint32_t name(void)
{
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    char text[7] = {all[below(26)]};
    uint32_t id = 0;

    for (unsigned i = 1, length = 3 + below(4); i < length; i++)
        text[i] = all[below(sizeof(all) - 1)];
    radix50_pack(text, &id);
    return id;
}

/* Files of a few folders: runs of neighbours in 65536 i-nodes. */
static uint32_t inode(void)
{
    static uint32_t last;

    last = below(4) ? last + 1 + below(3) : 1 + below(65535);
    return last;
}

/* Processes that live, of all that were made: 30000 numbers. */
static uint32_t process(void)
{
    return 1 + below(30000);
}

static const struct {
    const char *name;
    uint32_t (*draw)(void);
} kinds[] = {{"names", name}, {"i-nodes", inode}, {"processes", process}};

static int is_new(const uint32_t *ids, unsigned count, uint32_t id)
{
    for (unsigned i = 0; i < count; i++)
        if (ids[i] == id)
            return 0;
    return 1;
}

/* Of so many different ids, how many are lost. */
static uint64_t table(uint32_t (*draw)(void), unsigned ids)
{
    static struct system_monitor m;
    uint32_t of[MOST];

    system_init(&m);
    for (unsigned i = 0; i < ids;) {
        of[i] = draw();
        if (!is_new(of, i, of[i]))
            continue;
        system_tick(&m, &(struct sample){.task = of[i], .mode = MODE_USER}, DELAY_NONE, false);
        i++;
    }
    return m.lost.hits[MODES];
}

int main(int argc, char **argv)
{
    const unsigned tables = argc == 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;

    if (!tables)
        return 2;
    for (unsigned k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
        for (unsigned ids = 16; ids <= MOST; ids += 16) {
            uint64_t all = 0, any = 0, most = 0;

            state = ids;
            for (unsigned t = 0; t < tables; t++) {
                const uint64_t lost = table(kinds[k].draw, ids);

                all += lost;
                any += lost > 0;
                most = lost > most ? lost : most;
            }
            printf("%s %u %.3f %.1f %lu\n", kinds[k].name, ids, 100.0 * (double)all / tables / ids,
                   100.0 * (double)any / tables, most);
        }
    return 0;
}
