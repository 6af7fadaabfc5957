/* SPDX-License-Identifier: MIT */
/*
 * Profiles: raw samples against the region monitor itself, pair for pair;
 * what belongs where; narrower requests; names of tasks and their builds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/core/region.h"
#include "tests/host/listen.h"
#include "tests/host/refused.h"
#include "tools/analysis/profile.h"

#define SAMPLES 5000
#define PLACES  64
#define ROGUE   7
#define AU      9

static struct sample_place place[PLACES];
static struct {
    uint16_t place;
    bool pair;
} taken[SAMPLES];
static struct samples samples;
static struct snapshot snapshot;
static struct epoch_name names[] = {
    {ROGUE, "ROGUE", 1}, {AU, "AU", 2}, {5, "PROBE", 0}, {6, "rogue", 0},
};
static struct wire_programs_row programs[] = {
    {1, {"rogue", 5}, {"feed", 4}}, {2, {"worker", 6}, {"", 0}},
};
static struct epoch epoch;
static uint32_t dice;

static uint32_t roll(uint32_t sides)
{
    dice = dice * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)dice * sides >> 32);
}

/* The sums of the samples, whose numbers have a gap before `gap`; 0: none. */
static void add_up(unsigned gap)
{
    struct place_meaning meaning[PLACES];
    const struct place_index index = {meaning, PLACES};

    for (unsigned i = 0; i < PLACES; i++)
        meaning[i] = (struct place_meaning){
            {.pc = place[i].pc, .task = place[i].task,
             .mode = (uint8_t)(place[i].mode + SAMPLE_DELAY_STEP * place[i].delay)},
            place[i].known,
        };
    sample_sums_free(samples.sums);
    samples.sums = sample_sums_new();
    for (unsigned i = 0; i < SAMPLES; i++)
        sample_sums_add(samples.sums, &(struct sample_stretch){.first = i, .count = 1, .follows = i && i != gap,
                                                               .place = &taken[i].place, .pair = &taken[i].pair});
    sample_sums_finish(samples.sums, &index);
}

/* Places of three tasks, two modes and all over the addresses; random samples of them in pairs. */
static int begin(void **state)
{
    char sentence[REFUSAL_TEXT];
    (void)state;
    dice = 1;
    for (unsigned i = 0; i < PLACES; i++)
        place[i] = (struct sample_place){
            .pc = roll(4) ? 0x1000 + roll(0x3000) : 0x100000 + roll(16), .task = ROGUE + roll(3),
            .mode = roll(2) ? MODE_USER : MODE_KERNEL,
            .delay = roll(16) ? DELAY_NONE : roll(2) ? DELAY_MASKED : DELAY_STOLEN, .known = true,
        };
    for (unsigned i = 0; i < SAMPLES; i++)
        taken[i].place = (uint16_t)roll(PLACES), taken[i].pair = i & 1;
    samples = (struct samples){.setting.thin = 1, .count = SAMPLES, .told = SAMPLES, .sums = samples.sums};
    add_up(0);
    index_free(&epoch.name_of);
    index_free(&epoch.program_of);
    epoch = (struct epoch){
        .samples = &samples, .words_known = true, .has_hello = true, .names = names,
        .name_count = 4, .programs = programs, .program_count = 2, .snapshot = &snapshot,
        .hello = {.build = {"0123", 4}, .words = {"", 0}, .mean = 651642000, .minimum = 20},
    };
    for (size_t i = 0; i < epoch.name_count; i++)
        index_put(&epoch.name_of, names[i].id, i);
    for (size_t i = 0; i < epoch.program_count; i++)
        index_put(&epoch.program_of, programs[i].number, i);
    config_default(&epoch.words);
    assert_true(words_taken(&epoch.words, "interval=stratified", sentence));
    memset(&snapshot, 0, sizeof(snapshot));
    return 0;
}

static void run_region(struct region *r, const struct region_request *q)
{
    region_init(r, q);
    for (unsigned i = 0; i < SAMPLES; i++) {
        const struct sample_place *p = &place[taken[i].place];
        struct sample s = {.pc = p->pc, .task = p->task, .mode = p->mode};

        region_tick(r, &s, p->delay != DELAY_NONE, taken[i].pair);
    }
}

/* As a region's slots: the same hits and changes as the monitor of the image counts. */
static void check_region(const struct region_request *q)
{
    struct profile_request request = {.task = q->task, .mode = q->mode, .low = q->low,
                                      .high = q->high};
    static struct region region;
    struct tally tally[REGION_SLOTS];
    struct profile p;
    int32_t *group;

    run_region(&region, q);
    assert_true(profile_make(&p, &epoch, &request));
    group = calloc(p.atoms + 1, sizeof(*group));
    for (size_t i = 0; i < p.atoms; i++)
        group[i] = (int32_t)((p.atom[i].address - region.base) >> region.shift);
    profile_group(&p, group, REGION_SLOTS, tally);
    for (unsigned i = 0; i < REGION_SLOTS; i++) {
        assert_int_equal(tally[i].hits, region.hits[i]);
        assert_int_equal(tally[i].changes, region.changes[i]);
        assert_int_equal(tally[i].samples, SAMPLES);
    }
    assert_int_equal(p.below, region.hits[REGION_BELOW]);
    assert_int_equal(p.above, region.hits[REGION_ABOVE]);
    assert_int_equal(p.active.hits, region_active(&region));
    assert_int_equal(p.active.changes, region.changes_active);
    assert_int_equal(p.slot, 0);
    free(group);
    profile_free(&p);
}

static void test_as_the_region(void **state)
{
    (void)state;
    check_region(&(struct region_request){ROGUE, MODE_USER, 0x1000, 0x4000});
    check_region(&(struct region_request){ROGUE, MODE_KERNEL, 0x1801, 0x3333});
    check_region(&(struct region_request){ROW_ANY, MODE_USER, 0, UINT64_MAX});
    check_region(&(struct region_request){AU, MODE_KERNEL, 0x5000, 0x6000});
}

static void check_adds_up(const struct profile *p)
{
    uint64_t sum = p->below + p->above;

    for (size_t i = 0; i < p->atoms; i++) {
        assert_true(p->atom[i].hits && p->atom[i].end > p->atom[i].address);
        if (i && p->several && p->atom[i].address == p->atom[i - 1].address)
            assert_true(p->atom[i].code > p->atom[i - 1].code);
        else
            assert_true(!i || p->atom[i].address >= p->atom[i - 1].end);
        sum += p->atom[i].hits;
    }
    assert_int_equal(sum, p->active.hits);
    assert_int_equal(p->active.samples, p->samples);
}

static void test_all_modes(void **state)
{
    struct profile_request q = {.task = ROW_ANY, .all_modes = true};
    struct profile p;
    uint64_t in_time = 0;

    (void)state;
    for (unsigned i = 0; i < SAMPLES; i++)
        in_time += place[taken[i].place].delay == DELAY_NONE;
    assert_true(profile_make(&p, &epoch, &q));
    check_adds_up(&p);
    assert_int_equal(p.active.hits, in_time);
    assert_string_equal(p.task, "ANY");
    profile_free(&p);
}

/* Whether a place is of any task in user mode, and in time. */
static bool in_row(const struct sample_place *p)
{
    return p->mode == MODE_USER && p->delay == DELAY_NONE;
}

/* Each sample whose place is not known widens; a gap makes no pair over it. */
static void test_losses(void **state)
{
    struct profile_request q = {.task = ROW_ANY, .mode = MODE_USER};
    struct profile p;
    uint64_t unknown = 0, changes = 0;

    (void)state;
    place[3].known = false;
    for (unsigned i = 0; i < SAMPLES; i++) {
        const bool pair = i && i != 1001 && taken[i].pair && taken[i].place != 3 && taken[i - 1].place != 3;

        unknown += taken[i].place == 3;
        changes += pair && (in_row(&place[taken[i].place]) != in_row(&place[taken[i - 1].place]));
    }
    samples.told = SAMPLES + 11;
    add_up(1001); /* odd: the pair that the numbers deny is none */
    assert_true(profile_make(&p, &epoch, &q));
    check_adds_up(&p);
    assert_int_equal(p.samples, SAMPLES + 11);
    assert_int_equal(p.unresolved, 11 + unknown);
    assert_int_equal(p.active.changes, changes);
    profile_free(&p);
}

static void test_thinned(void **state)
{
    struct profile_request q = {.task = ROW_ANY, .mode = MODE_USER};
    struct profile p;

    (void)state;
    epoch.words.interval = INTERVAL_FIXED;
    epoch.hello.thin = 4;
    assert_true(profile_make(&p, &epoch, &q));
    assert_non_null(p.estimator.reason); /* thinning cures no beat */
    profile_free(&p);
    epoch.words.interval = INTERVAL_STRATIFIED;
    assert_true(profile_make(&p, &epoch, &q));
    assert_true(!p.estimator.reason && p.estimator.pairing == PAIR_STRATUM && p.estimator.cv2 == 0);
    profile_free(&p);
    epoch.words.interval = INTERVAL_EXPONENTIAL; /* what the ticks themselves vary by, a quarter of it */
    assert_true(profile_make(&p, &epoch, &q));
    assert_true(!p.estimator.reason && p.estimator.pairing == PAIR_STRATUM);
    assert_true(p.estimator.cv2 > 0.22 && p.estimator.cv2 < 0.25);
    profile_free(&p);
}

/* ---- regions ---- */

static void add_region(const struct region_request *q)
{
    struct snapshot_region *to = &snapshot.region[snapshot.regions++];
    static struct region r;

    run_region(&r, q);
    *to = (struct snapshot_region){
        .task = q->task, .mode = q->mode, .low = q->low, .high = q->high, .base = r.base,
        .shift = r.shift, .below = r.hits[REGION_BELOW], .above = r.hits[REGION_ABOVE],
        .active = region_active(&r), .changes_active = r.changes_active,
    };
    memcpy(to->hits, r.hits, sizeof(to->hits));
    memcpy(to->changes, r.changes, sizeof(to->changes));
    snapshot.samples = SAMPLES;
}

static void test_region(void **state)
{
    struct profile_request q = {.task = ROGUE, .mode = MODE_USER};
    struct profile p;

    (void)state;
    add_region(&(struct region_request){ROGUE, MODE_USER, 0x1010, 0x4000});
    epoch.samples = NULL;
    assert_true(profile_make(&p, &epoch, &q));
    check_adds_up(&p);
    assert_int_equal(p.slot, 32);
    assert_int_equal(p.base, 0x1000);
    assert_int_equal(p.request.low, 0x1010);
    assert_int_equal(p.request.high, 0x4000);
    assert_null(p.sums);
    assert_true(p.maskable);
    profile_free(&p);
    q.low = 0x2008; /* in the midst of a slot */
    q.high = 0x3000;
    {
        FILE *before = listen();

        assert_true(profile_make(&p, &epoch, &q));
        listen_no_more(before);
    }
    check_adds_up(&p);
    for (size_t i = 0; i < p.atoms; i++)
        assert_true(p.atom[i].address >= 0x2020 && p.atom[i].end <= 0x3000);
    profile_free(&p);
}

/* Raw samples are preferred, unless a region is asked for; of regions the finer one. */
static void test_choice(void **state)
{
    struct profile_request q = {.task = ROGUE, .mode = MODE_USER};
    struct profile p;

    (void)state;
    add_region(&(struct region_request){ROGUE, MODE_USER, 0, 0x200000});
    add_region(&(struct region_request){ROGUE, MODE_USER, 0x2000, 0x3000});
    assert_true(profile_make(&p, &epoch, &q));
    assert_int_equal(p.slot, 0);
    profile_free(&p);
    q.from_region = true;
    assert_true(profile_make(&p, &epoch, &q));
    assert_int_equal(p.slot, 4096);
    profile_free(&p);
    q.low = 0x2000;
    q.high = 0x2800;
    assert_true(profile_make(&p, &epoch, &q));
    assert_int_equal(p.slot, 8);
    profile_free(&p);
}

static void check_refused(const struct profile_request *q, const char *sentence)
{
    FILE *before = listen();
    struct profile p;
    bool made = profile_make(&p, &epoch, q);

    listen_no_more(before);
    assert_false(made);
    assert_non_null(strstr(said, sentence));
}

static void test_refusals(void **state)
{
    struct profile_request q = {.task = ROGUE, .mode = MODE_USER, .low = 0x1000, .high = 0x2000};

    (void)state;
    epoch.samples = NULL;
    check_refused(&q, "has no addresses");
    add_region(&(struct region_request){ROGUE, MODE_USER, 0x1800, 0x4000});
    check_refused(&q, "none of the run's 1 regions");
    q.low = q.high = 0;
    q.mode = MODE_KERNEL;
    check_refused(&q, "task ROGUE in kernel mode");
    q.all_modes = true;
    check_refused(&q, "raw samples only");
    epoch.snapshot = NULL;
    check_refused(&q, "has no addresses");
}

/* Groups of slots: the sum of their changes, which no pairs can be less than. */
static void test_region_groups(void **state)
{
    struct profile_request q = {.task = ROGUE, .mode = MODE_USER, .from_region = true};
    struct profile slots, raw;
    struct tally upper, exact;
    int32_t *all;

    (void)state;
    add_region(&(struct region_request){ROGUE, MODE_USER, 0, 0x200000});
    assert_true(profile_make(&slots, &epoch, &q));
    q.from_region = false;
    assert_true(profile_make(&raw, &epoch, &q));
    all = calloc(PLACES + REGION_SLOTS, sizeof(*all));
    profile_group(&slots, all, 1, &upper);
    profile_group(&raw, all, 1, &exact);
    assert_int_equal(upper.hits, exact.hits);
    assert_int_equal(exact.changes, raw.active.changes);
    assert_true(upper.changes > exact.changes);
    free(all);
    profile_free(&slots);
    profile_free(&raw);
}

/* ---- tasks ---- */

static void test_tasks(void **state)
{
    uint32_t id = 0;
    FILE *before;

    (void)state;
    assert_true(profile_task(&epoch, "ROGUE", &id) && id == ROGUE);
    assert_true(profile_task(&epoch, "rogue", &id) && id == 6); /* its own spelling wins */
    assert_true(profile_task(&epoch, "au", &id) && id == AU);
    assert_true(profile_task(&epoch, "any", &id) && id == ROW_ANY);
    id = 0;
    assert_true(profile_task(&epoch, "*", &id) && id == ROW_ANY);
    assert_true(profile_task(&epoch, "#ff", &id) && id == 255);
    before = listen();
    assert_false(profile_task(&epoch, "NOBODY", &id));
    assert_false(profile_task(&epoch, "#", &id));
    assert_false(profile_task(&epoch, "#1x", &id));
    assert_false(profile_task(&epoch, "#100000000", &id));
    listen_no_more(before);
    assert_string_equal(epoch_build(&epoch, ROGUE, MODE_USER), "feed");
    assert_string_equal(epoch_build(&epoch, ROGUE, MODE_KERNEL), "0123");
    assert_string_equal(epoch_build(&epoch, ROGUE, MODE_SUPERVISOR), "0123");
    assert_string_equal(epoch_build(&epoch, 5, MODE_USER), "0123");
    assert_null(epoch_build(&epoch, AU, MODE_USER)); /* it has none */
    assert_null(epoch_build(&epoch, 1234, MODE_USER));
}

static void test_likely(void **state)
{
    uint32_t id = 0;

    (void)state;
    for (unsigned i = 0; i < PLACES; i++)
        place[i].task = place[i].task == AU ? AU : ROW_IDLE;
    add_up(0);
    assert_true(profile_default_task(&epoch, &id) && id == AU); /* no table arrived */
    snapshot_row(&snapshot, 5)->total = 900;
    strcpy(snapshot_row(&snapshot, 5)->name, "PROBE");
    snapshot_row(&snapshot, ROW_IDLE)->total = 800;
    snapshot_row(&snapshot, 6)->total = 700;
    snapshot_row(&snapshot, AU)->total = 600;
    assert_true(profile_default_task(&epoch, &id) && id == 6);
    assert_int_equal(profile_default_mode(&epoch, AU), MODE_USER);
    for (unsigned i = 0; i < PLACES; i++)
        place[i].mode = MODE_KERNEL;
    add_up(0);
    assert_int_equal(profile_default_mode(&epoch, AU), MODE_KERNEL);
    add_region(&(struct region_request){AU, MODE_KERNEL, 0, 0x200000});
    epoch.samples = NULL;
    assert_true(profile_default_task(&epoch, &id) && id == AU);
    assert_int_equal(profile_default_mode(&epoch, AU), MODE_KERNEL);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_as_the_region), TEST(test_all_modes), TEST(test_losses),
        TEST(test_thinned),       TEST(test_region),    TEST(test_choice),
        TEST(test_refusals),      TEST(test_region_groups), TEST(test_tasks),
        TEST(test_likely),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    free(said);
    return failed;
}
