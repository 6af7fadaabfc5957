/* SPDX-License-Identifier: MIT */
/*
 * Points drawn ahead: whoever draws them, and wherever a tick comes between, each is the sum of the schedule's
 * intervals up to it.  A timer's signal is the tick, or the processor's single step: then it comes behind each
 * instruction in turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include "probe/schedule/point_queue.h"

#define TICKS 200000u
#define SHIFT 3

static struct schedule schedule_of(enum interval_policy policy, enum rng rng)
{
    const struct schedule_request request = {
        .policy = policy, .rng = rng, .mean = (9943ull << 16) + 12345, .spread = 2000, .seed = 7,
    };
    struct schedule s;

    assert_null(schedule_init(&s, &request));
    return s;
}

/* The next point of a schedule, as the queue keeps it. */
static uint64_t point_after(struct schedule *s)
{
    schedule_next(s);
    return s->sum << SHIFT | (s->pair ? POINT_PAIRED : 0);
}

/* The next point is the schedule's own, with its pair and its state. */
static void check_next(struct point_queue *a, struct schedule *s)
{
    const uint64_t expected = point_after(s);

    point_queue_next(a);
    assert_true(a->last == expected);
    assert_int_equal(point_queue_pairs(a), s->pair);
    assert_int_equal(point_queue_pending(a), (s->sum << SHIFT) + a->origin);
    assert_true(point_queue_schedule(a).sum == s->sum);
    assert_int_equal(point_queue_schedule(a).generator, s->generator);
}

static void test_order(void **state)
{
    static const enum interval_policy policies[] = {INTERVAL_STRATIFIED, INTERVAL_RANDOM, INTERVAL_EXPONENTIAL,
                                                    INTERVAL_NARROW, INTERVAL_FIXED, INTERVAL_ARITHMETIC};
    struct point_queue *a = malloc(sizeof(*a));

    (void)state;
    for (unsigned p = 0; p < 2 * sizeof(policies) / sizeof(policies[0]); p++) {
        struct schedule s = schedule_of(policies[p / 2], p % 2 ? RNG_CHACHA8 : RNG_CARTA);

        point_queue_begin(a, &s, SHIFT);
        a->origin = 1000000007u * p;
        for (unsigned i = 0; i < 3 * POINT_QUEUE_SIZE; i++) {
            if (i % 1000 == 17) /* now full, now a few, now none */
                point_queue_fill(a, i % 3 == 0 ? POINT_QUEUE_MAX : i % 7);
            check_next(a, &s);
        }
    }
    free(a);
}

static void test_room(void **state)
{
    struct point_queue *a = malloc(sizeof(*a));
    struct schedule s = schedule_of(INTERVAL_STRATIFIED, RNG_CARTA);

    (void)state;
    point_queue_begin(a, &s, SHIFT);
    for (unsigned i = 0; i < 3; i++) {
        point_queue_fill(a, POINT_QUEUE_MAX);
        assert_int_equal(a->drawn - a->taken, POINT_QUEUE_MAX);
    }
    for (unsigned i = 0; i < POINT_QUEUE_SIZE + 5; i++)
        check_next(a, &s);
    free(a);
}

/* ---- ticks that come whenever they like ---- */

#define ENOUGH 10  /* ticks between a draw and its being in force */
#define TURNS  100 /* after which there is something wrong with the signals */

static struct point_queue ticking;
static volatile uint32_t ticks, drawn, burst;
static uint64_t got[TICKS];

static void tick(int signal)
{
    (void)signal;
    /* A burst, so that what waits runs out and the tick has to draw. */
    for (unsigned i = 0; i < burst && ticks < TICKS; i++) {
        drawn += ticking.taken == ticking.drawn;
        point_queue_next(&ticking);
        got[ticks++] = ticking.last;
    }
}

/*
 * Ticks find now some, now none of as many as are wanted to wait.  How often one came while points were put in force.
 */
static uint32_t interrupt_filling(enum interval_policy policy, enum rng rng, uint32_t wanted)
{
    const struct itimerval fast = {{0, 20}, {0, 20}}, off = {{0, 0}, {0, 0}};
    struct schedule s = schedule_of(policy, rng);
    uint32_t failed = 0;

    ticks = drawn = 0;
    burst = wanted * 5 / 3;
    point_queue_begin(&ticking, &s, SHIFT);
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &fast, NULL);
    while (ticks < TICKS) {
        const uint32_t before = drawn;

        point_queue_fill(&ticking, wanted);
        failed += drawn != before;
    }
    setitimer(ITIMER_REAL, &off, NULL);
    for (uint32_t i = 0; i < TICKS; i++) {
        if (got[i] != point_after(&s))
            fail_msg("point %u is not the schedule's", i);
    }
    return failed;
}

/*
 * When a signal comes is the machine's business, and on a busy one no fill may get done between two:
 * again, until enough of them came in between, and ticks have drawn as well as found what was drawn.
 */
static void check_interrupted(enum interval_policy policy, enum rng rng, uint32_t wanted)
{
    uint32_t failed = 0, found = 0, drew = 0;

    for (unsigned turn = 0; failed <= ENOUGH || found == 0 || drew <= TICKS / 100; turn++) {
        assert_true(turn < TURNS);
        failed += interrupt_filling(policy, rng, wanted);
        found += TICKS - drawn;
        drew += drawn;
    }
}

static void test_interrupted(void **state)
{
    (void)state;
    check_interrupted(INTERVAL_STRATIFIED, RNG_CARTA, 24);
    check_interrupted(INTERVAL_STRATIFIED, RNG_CHACHA8, 24);
    /* blocks are drawn one by one and four at once */
    check_interrupted(INTERVAL_STRATIFIED, RNG_CHACHA8, 3 * POINT_QUEUE_CHECKPOINT);
    check_interrupted(INTERVAL_RANDOM, RNG_CHACHA8, 3 * POINT_QUEUE_CHECKPOINT);
}

/* Each point that is drawn lets a tick take one that waits. */
static uint64_t draw_and_tick(struct schedule *s)
{
    if (ticking.taken != ticking.drawn)
        point_queue_next(&ticking);
    return s->base;
}

/* At a high rate on a slow machine ticks take as many as are drawn: the task that draws has other work, too. */
static void test_as_fast_as_drawn(void **state)
{
    struct schedule s = schedule_of(INTERVAL_FIXED, RNG_CARTA);

    (void)state;
    s.next = draw_and_tick;
    point_queue_begin(&ticking, &s, SHIFT);
    signal(SIGALRM, SIG_DFL);
    alarm(10); /* a call that does not end ends the test */
    point_queue_fill(&ticking, POINT_QUEUE_MAX);
    alarm(0);
    assert_int_equal(ticking.drawn, POINT_QUEUE_MAX);
    assert_in_range(ticking.drawn - ticking.taken, 1, POINT_QUEUE_MAX - 1);
}

/* ---- ticks behind each instruction of the producer ---- */

#define TRAP_FLAG  0x100
#define STEPS_MOST 100000u

static volatile uint32_t steps, target; /* the ticks come behind so many instructions */

static void step(int signal, siginfo_t *info, void *context)
{
    ucontext_t *c = context;

    (void)info;
    if (++steps != target)
        return;
    tick(signal);
    c->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

/* Bytes below the stack pointer may be in use: System V ABI, 3.2.2. */
#define STEPPING(change)                                                                            \
    __asm__ volatile("sub $128, %%rsp; pushfq; " change ", (%%rsp); popfq; add $128, %%rsp" : : : "cc", "memory")

/*
 * `before` were drawn and given, `first` wait and `wanted` are to; false where there are not so many
 * instructions.
 */
static bool interrupt_at(uint32_t instruction, uint32_t before, uint32_t first, uint32_t wanted, uint32_t tick_count)
{
    struct schedule s = schedule_of(INTERVAL_RANDOM, RNG_CARTA);

    ticks = steps = 0;
    target = instruction;
    burst = tick_count;
    point_queue_begin(&ticking, &s, SHIFT);
    for (uint32_t i = 0; i < before; i++)
        check_next(&ticking, &s);
    point_queue_fill(&ticking, first);
    STEPPING("orq $0x100");
    point_queue_fill(&ticking, wanted);
    STEPPING("andq $-0x101");
    burst = wanted + 2;
    tick(SIGTRAP);
    for (uint32_t i = 0; i < ticks; i++) {
        if (got[i] != point_after(&s))
            fail_msg("%u ticks behind instruction %u: point %u is not the schedule's", tick_count, instruction, i);
    }
    assert_true(point_queue_schedule(&ticking).sum == s.sum);
    return steps >= instruction;
}

/* In turn from either of the two states, and the tick draws fewer than the producer, as many, more. */
static void interrupt_each(uint32_t end)
{
    const uint32_t count = 2; /* the producer draws */
    uint32_t instruction = 1, first = 0;

    while (interrupt_at(instruction, end - count - first, first, first + count,
                        first + 1 + instruction / 2 % (count + 1))) {
        instruction++;
        first = instruction % 2 * 2;
    }
    assert_in_range(instruction, 100, STEPS_MOST); /* or nothing was tried */
}

static void test_each_instruction(void **state)
{
    const struct sigaction trap = { .sa_sigaction = step, .sa_flags = SA_SIGINFO };

    (void)state;
    sigaction(SIGTRAP, &trap, NULL);
    interrupt_each(POINT_QUEUE_CHECKPOINT / 2); /* between two checkpoints; up to one; up to the end of the ring */
    interrupt_each(POINT_QUEUE_CHECKPOINT);
    interrupt_each(POINT_QUEUE_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_as_fast_as_drawn),
        cmocka_unit_test(test_each_instruction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
