/* SPDX-License-Identifier: MIT */
/* The zoom: which slots stay, to the address, and which step follows which, over programs made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/stats/zoom.h"

static uint64_t hits[REGION_SLOTS];

/* Slots of 16 bytes from 0x1000 on, asked for from 0x1004 to 0x2ffa. */
static const struct zoom_slots slots = {hits, 0x1000, 4, 0x1004, 0x2ffa};

static void expect(uint64_t least, bool narrower, uint64_t low, uint64_t high)
{
    uint64_t l, h;

    assert_int_equal(zoom_narrow(&slots, least, &l, &h), narrower);
    assert_int_equal(l, low);
    assert_int_equal(h, high);
}

static int begin(void **state)
{
    (void)state;
    memset(hits, 0, sizeof hits);
    return 0;
}

static void test_all_stay(void **state)
{
    (void)state;
    hits[3] = 1;
    hits[100] = 50;
    hits[200] = 2;
    expect(53, true, 0x1030, 0x1c90); /* no hit is left aside */
}

/* The emptier end goes first, as long as enough stay. */
static void test_some_go(void **state)
{
    (void)state;
    hits[3] = 1;
    hits[100] = 50;
    hits[200] = 2;
    expect(52, true, 0x1640, 0x1c90);
    expect(50, true, 0x1640, 0x1650);
    expect(1, true, 0x1640, 0x1650);
}

/* Hits in both the lowest and the highest slot end it; the addresses that were asked for are kept. */
static void test_end(void **state)
{
    (void)state;
    hits[0] = 1;
    hits[REGION_SLOTS - 1] = 1;
    expect(2, false, 0x1004, 0x2ffa);
}

static void test_nothing(void **state)
{
    uint64_t low, high;

    (void)state;
    zoom_narrow(&slots, 0, &low, &high);
    assert_true(low >= slots.low && low < high && high <= slots.high);
}

/* ---- whole zooms ---- */

/* A program: functions by address, and hits at single addresses. */
struct program {
    struct zoom_function function[4];
    struct {
        uint64_t address, hits;
    } at[8];
};

struct run {
    const struct program *program;
    struct region region; /* of the step, hits only */
    struct zoom zoom;
    enum zoom_how how[ZOOM_STEPS];
};

/* The slot of a function's first or last byte; outside of the region that of its ends. */
static uint64_t slot_of(const struct region *r, uint64_t address)
{
    return address < r->base ? 0 : (address - r->base) >> r->shift;
}

/* As the image does it: by all hits of the slots that a function overlaps. */
static bool find_hottest(void *context, struct zoom_hottest *to)
{
    const struct run *run = context;
    const struct region *r = &run->region;
    uint64_t most = 0, most_unshared = 0;

    for (const struct zoom_function *f = run->program->function; f->end; f++) {
        const uint64_t first = slot_of(r, f->start), last = slot_of(r, f->end - 1);
        uint64_t hits_here = 0;
        bool shared = false;

        for (uint64_t i = first; i <= last && i < REGION_SLOTS; i++)
            hits_here += r->hits[i];
        for (const struct zoom_function *g = run->program->function; g->end; g++)
            shared |= g != f && slot_of(r, g->start) <= last && slot_of(r, g->end - 1) >= first;
        if (!shared && hits_here > most_unshared) {
            most_unshared = hits_here;
            to->unshared = *f;
            to->unshared.hits = hits_here;
            to->unshared.samples = 1000;
        }
        if (hits_here <= most)
            continue;
        most = hits_here;
        to->function = *f;
        to->function.hits = hits_here;
        to->function.samples = 1000;
        to->shared = shared;
        to->low = r->base + (first << r->shift);
        to->high = r->base + ((last + 1) << r->shift);
    }
    return most;
}

/* Zoom from [0, 2^47) to the end; the number of steps. */
static unsigned zoom_into(struct run *run, const struct program *p, enum zoom_goal goal, bool exact, uint64_t least)
{
    struct zoom *z = &run->zoom;
    struct region *r = &run->region;
    struct zoom_window w = {.hottest = find_hottest, .context = run};

    run->program = p;
    zoom_begin(z, goal, 0, (uint64_t)1 << 47);
    z->exact = exact;
    do {
        assert_in_range(z->step, 1, ZOOM_STEPS);
        assert_true(z->low < z->high);
        run->how[z->step - 1] = z->how;
        region_init(r, &(struct region_request){ROW_ANY, MODE_USER, z->low, z->high});
        w.hits = 0;
        for (unsigned i = 0; p->at[i].hits; i++)
            if (p->at[i].address - z->low < z->high - z->low) {
                r->hits[(p->at[i].address - r->base) >> r->shift] += p->at[i].hits;
                w.hits += p->at[i].hits;
            }
        w.slots = (struct zoom_slots){r->hits, r->base, r->shift, z->low, z->high};
        w.least = least ? least : w.hits;
    } while (zoom_next(z, &w));
    return z->step;
}

static const struct program distinct = {
    .function = {{0x401000, 0x401040, .name = "cold"}, {0x401040, 0x402000, .name = "hot"}},
    .at = {{0x401010, 10}, {0x401800, 60}, {0x401804, 30}},
};

static void test_function(void **state)
{
    struct run run;
    const unsigned steps = zoom_into(&run, &distinct, ZOOM_TO_FUNCTION, false, 0);

    (void)state;
    assert_int_equal(run.how[0], ZOOM_BEGUN);
    for (unsigned i = 1; i + 1 < steps; i++)
        assert_int_equal(run.how[i], ZOOM_NARROWED);
    assert_int_equal(run.how[steps - 1], ZOOM_AT_FUNCTION);
    assert_string_equal(run.zoom.function.name, "hot");
    assert_int_equal(run.zoom.low, 0x401040);
    assert_int_equal(run.zoom.high, 0x402000);
}

/* The function has more than 512 bytes: its hottest slot comes next, of one byte at last. */
static void test_instruction(void **state)
{
    struct run run;
    const unsigned steps = zoom_into(&run, &distinct, ZOOM_TO_INSTRUCTION, false, 0);

    (void)state;
    assert_int_equal(run.how[steps - 2], ZOOM_AT_FUNCTION);
    assert_int_equal(run.how[steps - 1], ZOOM_AT_SLOT);
    assert_int_equal(run.region.shift, 0);
    assert_int_equal(run.zoom.low, 0x401800);
    assert_int_equal(run.zoom.high, 0x401808);
    zoom_into(&run, &distinct, ZOOM_TO_INSTRUCTION, true, 0); /* exact: no slot tells more */
    assert_int_equal(run.zoom.how, ZOOM_AT_FUNCTION);
}

static void test_share(void **state)
{
    struct run run;

    (void)state;
    zoom_into(&run, &distinct, ZOOM_TO_SHARE, false, 90);
    assert_int_equal(run.zoom.how, ZOOM_NARROWED);
    assert_int_equal(run.zoom.low, 0x401800);
    assert_int_equal(run.zoom.high, 0x401805);
}

/* Two functions of 16 bytes share a slot as long as the hits are far apart: their slot is looked at first. */
static void test_shared(void **state)
{
    static const struct program p = {
        .function = {{0x401000, 0x401010, .name = "a"}, {0x401010, 0x401020, .name = "b"},
                     {0x700000, 0x701000, .name = "far"}},
        .at = {{0x401008, 30}, {0x401018, 40}, {0x700123, 50}},
    };
    struct run run;
    unsigned shared = 0;
    const unsigned steps = zoom_into(&run, &p, ZOOM_TO_FUNCTION, false, 0);

    (void)state;
    for (unsigned i = 0; i < steps; i++)
        shared += run.how[i] == ZOOM_SHARED;
    assert_int_equal(shared, 1);
    assert_int_equal(run.zoom.how, ZOOM_AT_FUNCTION); /* b alone has fewer than the one that was passed by */
    assert_string_equal(run.zoom.function.name, "far");
    assert_int_equal(run.zoom.low, 0x700000);
}

/* Functions that lie over one another: no slot tells them apart, and the zoom ends at the smaller addresses. */
static void test_never_alone(void **state)
{
    static const struct program p = {
        .function = {{0x401000, 0x401010, .name = "outer"}, {0x401000, 0x401010, .name = "inner"}},
        .at = {{0x401000, 30}, {0x40100f, 40}},
    };
    struct run run;

    (void)state;
    zoom_into(&run, &p, ZOOM_TO_FUNCTION, false, 0);
    assert_true(run.zoom.shared);
    assert_int_equal(run.zoom.low, 0x401000);
    assert_int_equal(run.zoom.high, 0x401010);
}

/* The same, to an instruction: no function is smaller, but a slot is. */
static void test_slot_of_several(void **state)
{
    static const struct program p = {
        .function = {{0x401000, 0x402000, .name = "outer"}, {0x401000, 0x402000, .name = "inner"}},
        .at = {{0x401000, 30}, {0x401fff, 40}},
    };
    struct run run;

    (void)state;
    zoom_into(&run, &p, ZOOM_TO_INSTRUCTION, false, 0);
    assert_int_equal(run.zoom.how, ZOOM_AT_SLOT);
    assert_int_equal(run.region.shift, 0);
    assert_int_equal(run.zoom.high, 0x402000);
}

static void test_no_hits(void **state)
{
    static const struct program p = {.function = {{0x401000, 0x401010, .name = "a"}}};
    struct run run;

    (void)state;
    assert_int_equal(zoom_into(&run, &p, ZOOM_TO_INSTRUCTION, false, 0), 1);
}

/* Hits without a function: the narrowest addresses, and no more. */
static void test_no_names(void **state)
{
    static const struct program p = {.at = {{0x401000, 30}, {0x401123, 40}}};
    struct run run;

    (void)state;
    zoom_into(&run, &p, ZOOM_TO_FUNCTION, true, 0);
    assert_int_equal(run.zoom.how, ZOOM_NARROWED);
    assert_int_equal(run.zoom.low, 0x401000);
    assert_int_equal(run.zoom.high, 0x401124);
}

static bool find_another(void *context, struct zoom_hottest *to)
{
    uint64_t *at = context;

    to->shared = true;
    to->low = to->function.start = *at += 0x1000;
    to->high = to->function.end = *at + 0x1000;
    return true;
}

/* An image that tells ever other slots is left at some time. */
static void test_no_end(void **state)
{
    uint64_t at = 0;
    const struct zoom_window w = {{hits, 0, 4, 0, 0x2000}, 2, 2, find_another, &at};
    struct zoom z;

    (void)state;
    hits[0] = hits[REGION_SLOTS - 1] = 1;
    zoom_begin(&z, ZOOM_TO_FUNCTION, 0, 0x2000);
    while (zoom_next(&z, &w))
        assert_in_range(z.step, 2, ZOOM_STEPS);
    assert_int_equal(z.step, ZOOM_STEPS);
}

static void test_long_name(void **state)
{
    struct zoom_function f;
    char name[2 * ZOOM_NAME];

    (void)state;
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    zoom_name(&f, name);
    assert_int_equal(strlen(f.name), ZOOM_NAME - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_all_stay, begin),
        cmocka_unit_test_setup(test_some_go, begin),
        cmocka_unit_test_setup(test_end, begin),
        cmocka_unit_test_setup(test_nothing, begin),
        cmocka_unit_test(test_function),
        cmocka_unit_test(test_instruction),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_never_alone),
        cmocka_unit_test(test_slot_of_several),
        cmocka_unit_test(test_no_hits),
        cmocka_unit_test(test_no_names),
        cmocka_unit_test_setup(test_no_end, begin),
        cmocka_unit_test(test_long_name),
    };

    return cmocka_run_group_tests_name("zoom", tests, NULL, NULL);
}
