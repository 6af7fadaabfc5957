/* SPDX-License-Identifier: MIT */
/*
 * The monitors of a tick (probe/core/system_monitor.c, probe/core/region.c, probe/core/samples.c) against
 * plain models that look at the whole sequence of samples again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/core/region.h"
#include "probe/core/samples.h"
#include "probe/schedule/splitmix64.h"
#include "probe/core/system_monitor.h"

#define TICKS 20000u
#define IDS   8u /* of one home record: more than are looked at */

static struct taken {
    struct sample s;
    enum delay delay;
    bool pair;
} taken[TICKS];

static uint64_t random_state;

static uint64_t below(uint64_t width)
{
    return splitmix64_mix(random_state += SPLITMIX64_GAMMA) % width;
}

/* Byte 1 and byte 0 undo each other in the hash: all have one home. */
static uint32_t id_of(uint64_t number)
{
    return (uint32_t)(number << 8 ^ number ^ 0x7e);
}

static void take_some(uint64_t seed)
{
    random_state = seed;
    for (unsigned i = 0; i < TICKS; i++)
        taken[i] = (struct taken){
            .s = { .time = i, .pc = below(4) ? 0x10000 + below(0x3000) : below(UINT64_MAX), .task = id_of(below(IDS)),
                   .mode = (enum mode)below(MODES) },
            .delay = below(9) != 0 ? DELAY_NONE : below(3) != 0 ? DELAY_MASKED : DELAY_STOLEN,
            .pair = i > 0 && below(2) == 0,
        };
}

/* ---- the system monitor ---- */

/* Places of the model: a task's modes, then the rows without. */
enum { MASKED = IDS * MODES, STOLEN, LOST, PLACES };

static unsigned order[IDS], known; /* tasks in the order in which they were first sampled in time */

/* The first five have a record, the others none. */
static unsigned place_of(const struct taken *t)
{
    unsigned task = 0, i;

    if (t->delay != DELAY_NONE)
        return t->delay == DELAY_MASKED ? MASKED : STOLEN;
    while (id_of(task) != t->s.task)
        task++;
    for (i = 0; i < known && order[i] != task; i++)
        ;
    if (i == known && known == SYSTEM_PROBES)
        return LOST;
    if (i == known)
        order[known++] = task;
    return task * MODES + t->s.mode;
}

static unsigned row_of(unsigned place)
{
    return place < MASKED ? place / MODES : place;
}

static const struct system_record *record_of(const struct system_monitor *m, unsigned place)
{
    if (place >= MASKED)
        return place == MASKED ? &m->masked : place == STOLEN ? &m->stolen : &m->lost;
    for (unsigned i = 0; i < SYSTEM_RECORDS; i++)
        if (m->record[i].key == (id_of(row_of(place)) | SYSTEM_USED))
            return &m->record[i];
    return NULL;
}

/* What every counter is to be; `start` is where it began. */
static void check_system(const struct system_monitor *m, uint64_t start)
{
    static uint64_t hits[PLACES], changes[PLACES], rows[PLACES];
    unsigned last = 0;

    memset(hits, 0, sizeof hits);
    memset(changes, 0, sizeof changes);
    memset(rows, 0, sizeof rows);
    known = 0;
    for (unsigned i = 0; i < TICKS; i++) {
        const unsigned place = place_of(&taken[i]);

        hits[place]++;
        if (taken[i].pair && place != last) {
            changes[place]++;
            changes[last]++;
        }
        if (taken[i].pair && row_of(place) != row_of(last)) {
            rows[row_of(place)]++;
            rows[row_of(last)]++;
        }
        last = place;
    }
    assert_int_equal(known, SYSTEM_PROBES);
    assert_true(hits[LOST] > 100 && hits[MASKED] > 100 && hits[STOLEN] > 100);
    for (unsigned place = 0; place < PLACES; place++) {
        const struct system_record *r = record_of(m, place);
        const unsigned slot = place < MASKED ? place % MODES : MODES;

        if (r == NULL)
            assert_int_equal(hits[place], 0);
        else if (hits[place] != r->hits[slot] - start || changes[place] != r->changes[slot] - start ||
                 rows[row_of(place)] != r->total_changes - start)
            fail_msg("place %u: %ju hits, %ju changes", place,
                     (uintmax_t)r->hits[slot], (uintmax_t)r->changes[slot]);
    }
}

static struct system_monitor monitor;

static void set_all(struct system_record *r, uint64_t value)
{
    for (unsigned slot = 0; slot < SYSTEM_SLOTS; slot++)
        r->hits[slot] = r->changes[slot] = value;
    r->total_changes = value;
}

static void test_system(void **state)
{
    const uint64_t starts[] = { 0, UINT64_MAX - 50, (1ull << 32) - 50 }; /* each counter wraps, or passes 2^32 */

    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        const uint64_t start = starts[seed % 3];

        take_some(seed);
        system_init(&monitor);
        set_all(&monitor.masked, start);
        set_all(&monitor.stolen, start);
        set_all(&monitor.lost, start);
        for (unsigned i = 0; i < SYSTEM_RECORDS; i++)
            set_all(&monitor.record[i], start);
        for (unsigned i = 0; i < TICKS; i++)
            system_tick(&monitor, &taken[i].s, taken[i].delay, taken[i].pair);
        check_system(&monitor, start);
    }
}

/* Any id of 32 bits has a home, and the five probes go on behind the last record. */
static void test_probes(void **state)
{
    (void)state;
    assert_int_equal(system_hash(0x01020408), 0x0f);
    assert_int_equal(system_hash(0xff000000), 0x7f);
    system_init(&monitor);
    for (uint32_t i = 0; i < IDS; i++) {
        const struct sample s = { .task = id_of(i) ^ 1, .mode = MODE_USER }; /* home 127 */

        assert_int_equal(system_hash(s.task), SYSTEM_RECORDS - 1);
        system_tick(&monitor, &s, DELAY_NONE, false);
        assert_int_equal(system_hits(&monitor, s.task), i < SYSTEM_PROBES);
    }
    assert_int_equal(monitor.record[SYSTEM_PROBES - 2].key, (id_of(SYSTEM_PROBES - 1) ^ 1) | SYSTEM_USED);
    assert_int_equal(monitor.lost.hits[MODES], IDS - SYSTEM_PROBES);
}

/* ---- regions ---- */

static unsigned region_place(const struct region_request *q, uint64_t size, uint64_t base, const struct taken *t)
{
    if (t->delay != DELAY_NONE || t->s.mode != q->mode || (q->task != ROW_ANY && q->task != t->s.task))
        return REGION_ELSEWHERE;
    if (t->s.pc < q->low)
        return REGION_BELOW;
    return t->s.pc >= q->high ? REGION_ABOVE : (unsigned)((t->s.pc - base) / size);
}

static void check_region(const struct region_request *q)
{
    static uint64_t hits[REGION_PLACES], changes[REGION_PLACES];
    static struct region r;
    uint64_t active = 0, size = 1, base;
    unsigned last = REGION_ELSEWHERE;

    while ((q->high - 1) / size - q->low / size >= REGION_SLOTS)
        size *= 2;
    base = q->low / size * size;
    memset(hits, 0, sizeof hits);
    memset(changes, 0, sizeof changes);
    region_init(&r, q);
    for (unsigned i = 0; i < TICKS; i++) {
        const unsigned place = region_place(q, size, base, &taken[i]);

        region_tick(&r, &taken[i].s, taken[i].delay != DELAY_NONE, taken[i].pair);
        hits[place]++;
        if (taken[i].pair && place != last) {
            changes[place]++;
            changes[last]++;
            active += place == REGION_ELSEWHERE || last == REGION_ELSEWHERE;
        }
        last = place;
    }
    assert_memory_equal(r.hits, hits, sizeof hits);
    assert_memory_equal(r.changes, changes, sizeof changes);
    assert_int_equal(r.changes_active, active);
    assert_int_equal(region_active(&r), TICKS - hits[REGION_ELSEWHERE]);
}

static void test_region(void **state)
{
    static const struct region_request requests[] = {
        { ROW_ANY, MODE_USER, 0x10000, 0x13000 },
        { ROW_ANY, MODE_KERNEL, 0x10001, 0x10002 },
        { ROW_ANY, MODE_INTERRUPT, 0, UINT64_MAX },
        { 0x7e, MODE_SUPERVISOR, 0x10fff, 0x11201 },
        { 0x7e, MODE_USER, UINT64_MAX - 1, UINT64_MAX },
    };

    (void)state;
    take_some(99);
    for (unsigned i = 0; i < sizeof requests / sizeof requests[0]; i++)
        check_region(&requests[i]);
}

/* ---- the ring ---- */

/* From any count, also where it wraps: first in, first out; what finds no room is lost and nothing else. */
static void check_ring(uint64_t start)
{
    struct samples_ring *ring = calloc(1, sizeof *ring);
    struct sample_record r;
    uint64_t put = 0, lost = 0, next = 0;
    static uint64_t kept[4 * SAMPLES_RING];

    ring->put = ring->taken = start;
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < SAMPLES_RING - 3 + 2 * round; i++, put++) {
            const struct sample_record s = {
                .time = put, .pc = ~put, .tick = put + 7, .arrival = (int32_t)~put, .task = (uint32_t)put,
                .mode = put % MODES, .delay = put % 4,
            };
            struct sample_record *const place = samples_place(ring);

            assert_int_equal(place != NULL, ring->put - ring->taken < SAMPLES_RING);
            if (place != NULL) {
                *place = s;
                samples_put(ring);
                kept[ring->put - start - 1] = put;
            }
            lost += place == NULL;
            assert_int_equal(ring->lost, lost);
        }
        for (unsigned i = 0; i < SAMPLES_RING - round && samples_take(ring, &r); i++, next++) {
            assert_int_equal(r.time, kept[next]);
            assert_true(r.pc == ~r.time && r.tick == r.time + 7 && r.task == r.time && r.arrival == (int32_t)~r.time);
            assert_int_equal(r.mode, r.time % MODES);
            assert_int_equal(r.delay, r.time % 4);
        }
    }
    while (samples_take(ring, &r))
        assert_int_equal(r.time, kept[next++]);
    assert_int_equal(next + lost, put);
    assert_true(lost > 0);
    free(ring);
}

static void test_ring(void **state)
{
    (void)state;
    check_ring(0);
    check_ring((1ull << 32) - 5);
    check_ring(UINT64_MAX - 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_system),
        cmocka_unit_test(test_probes),
        cmocka_unit_test(test_region),
        cmocka_unit_test(test_ring),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
