/* SPDX-License-Identifier: MIT */
/*
 * The longest walk.  A page of code, where each test of a function without a frame is made and the last one fails;
 * frames whose two words lie in two pages, as many as a walk may look up, and the other frames in one page.  Then a
 * table in which the stack is compared with others that differ in their last address only,
 * and gets the last record that it may have.
 */
#include "kernel/tick/costs.h"

#include "drivers/io.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/mm/user_memory.h"
#include "probe/config/config.h"
#include "probe/core/timed.h"
#include "probe/schedule/memory.h"

#define FRAMES   (CONFIG_STACK_MAX + 1u)
#define SPREAD   ((USER_WALK_PAGES - 2u) / 2) /* frames of two pages each */
#define PAGES    USER_WALK_PAGES /* the first has code and the word at RSP, the last one the other frames */
#define BASE     0x400000u
#define STACK    2048u /* RSP, in the first page */
#define LAST     (PAGE_SIZE - sizeof(uint64_t))
#define FRAME    (2 * sizeof(uint64_t))
#define RECORDS  8u
#define HOMES    CALL_STACK_HOMES(RECORDS)

static const uint8_t code[] = {
    0x55, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, /* push rbp, and the instruction that is interrupted */
    0xe8, 0xf2, 0xff, 0xff, 0xff,                         /* call of the first one */
};
#define INTERRUPTED 1u

static struct call_stacks table = CALL_STACKS(RECORDS); /* the start and task PROBE, as the next */
static uint64_t known[CONFIG_STACK_MAX + 1];            /* by callers; 0: not measured */

static uint64_t frame_at(unsigned number)
{
    if (number < SPREAD)
        return BASE + (1 + 2 * number) * PAGE_SIZE + LAST;
    return BASE + (PAGES - 1) * PAGE_SIZE + (number - SPREAD) * FRAME;
}

static void put_word(const uint64_t page[PAGES], uint64_t at, uint64_t word)
{
    memcpy((uint8_t *)phys_to_virt(page[(at - BASE) / PAGE_SIZE]) + at % PAGE_SIZE, &word, sizeof word);
}

static bool map_pages(uint64_t space, uint64_t page[PAGES])
{
    for (unsigned i = 0; i < PAGES; i++)
        if ((page[i] = paging_map_new(space, BASE + i * PAGE_SIZE, PAGE_USER)) == 0)
            return false;
    return true;
}

/* The space of the program; 0: no memory. */
static uint64_t make_program(void)
{
    const uint64_t space = paging_new_space(), behind = BASE + sizeof code;
    uint64_t page[PAGES];

    if (space == 0)
        return 0;
    if (!map_pages(space, page)) {
        paging_release(space);
        return 0;
    }
    memcpy(phys_to_virt(page[0]), code, sizeof code);
    put_word(page, BASE + STACK, behind);
    for (unsigned i = 0; i < FRAMES; i++) {
        put_word(page, frame_at(i), frame_at(i + 1));
        put_word(page, frame_at(i) + sizeof(uint64_t), behind);
    }
    return space;
}

/* The home that the stack would have in an empty table, and its key. */
static unsigned first_home(const struct user_walk *w, struct call_stack_key *key)
{
    enum walk_end end;
    unsigned home = 0;

    call_stacks_init(&table);
    *key = user_walk_find(w, &table, &end)->key;
    while (table.home[home] == 0)
        home++;
    return home;
}

/* All homes but the last one that is tried belong to another stack. */
static void fill_table(const struct call_stack_key *key, unsigned last)
{
    table.used = 1;
    table.stack[0].key = *key;
    table.stack[0].key.pc[key->depth - 1]++;
    for (unsigned i = 0; i < HOMES; i++)
        table.home[i] = i != last;
}

static uint64_t walk(const struct user_walk *w, const struct call_stack_key *key, unsigned last)
{
    enum walk_end end;
    uint64_t begin;

    fill_table(key, last);
    begin = rdtsc();
    user_walk_find(w, &table, &end)->count++;
    return rdtsc() - begin;
}

static uint64_t measure(const struct user_walk *w)
{
    struct call_stack_key key;
    const unsigned last = (first_home(w, &key) + CALL_STACK_TRIES - 1) % HOMES;

    return TIMED_LEAST(walk(w, &key, last));
}

bool walk_cost(unsigned callers, uint64_t *clocks, struct refusal *why)
{
    const struct cpu_frame f = { .rip = BASE + INTERRUPTED, .rsp = BASE + STACK };
    struct user_walk w = { .f = &f, .rbp = frame_at(0), .callers = callers };

    if (callers != 0 && known[callers] == 0) {
        w.space = make_program();
        if (w.space == 0)
            return REFUSE(why, "out of memory: the cost of stack= cannot be measured");
        known[callers] = measure(&w);
        paging_release(w.space);
    }
    *clocks = known[callers];
    return true;
}
