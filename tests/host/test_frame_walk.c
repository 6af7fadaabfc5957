/* SPDX-License-Identifier: MIT */
/* Chains of frame pointers (probe/core/call_stacks.c) in a memory of a few pages, right ones and hostile ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "probe/core/call_stacks.h"

#define BASE  0x7fff0000ull /* of the stack */
#define WORDS 1024u
#define HIGH  0x800000000000ull
#define MOST  15u

static uint64_t stack[WORDS];
static uint64_t absent;    /* the page of this address is not there; 0: all are */
static unsigned reads;

static bool read_word(void *context, uint64_t address, uint64_t *word)
{
    (void)context;
    reads++;
    assert_int_equal(address % 8, 0);
    if (address < BASE || address >= BASE + sizeof(stack) || (absent && address >> 12 == absent >> 12))
        return false;
    *word = stack[(address - BASE) / 8];
    return true;
}

static uint64_t address_of(unsigned word)
{
    return BASE + 8ull * word;
}

/* A frame at a word of the stack. */
static void put_frame(unsigned at, uint64_t above, uint64_t back)
{
    stack[at] = above;
    stack[at + 1] = back;
}

static uint64_t pc[MOST];
static unsigned found;

static enum walk_end walk_from(uint64_t fp, uint64_t low, unsigned most)
{
    const struct frame_walk w = {.fp = fp, .low = low, .high = HIGH, .read = read_word};
    enum walk_end end;

    reads = 0;
    end = frame_walk(&w, pc, most, &found);
    assert_in_range(found, 0, most);
    assert_in_range(reads, 0, 2 * most + 2);
    return end;
}

/* Frames at words 10, 20, ... with return addresses 0x401, 0x402, ...; the outermost has no caller. */
static int make_chain(unsigned frames)
{
    memset(stack, 0, sizeof(stack));
    absent = 0;
    for (unsigned n = 1; n <= frames; n++)
        put_frame(10 * n, n < frames ? address_of(10 * (n + 1)) : 0, 0x400 + n);
    return 0;
}

static void test_whole(void **state)
{
    (void)state;
    for (unsigned frames = 1; frames <= MOST; frames++) {
        make_chain(frames);
        assert_int_equal(walk_from(address_of(10), address_of(4), MOST), WALK_WHOLE);
        assert_int_equal(found, frames);
        for (unsigned i = 0; i < found; i++)
            assert_int_equal(pc[i], 0x401 + i);
    }
    assert_int_equal(walk_from(0, address_of(4), MOST), WALK_WHOLE);
    assert_int_equal(found, 0);
    make_chain(3);
    stack[31] = 0; /* the outermost one's return address */
    assert_int_equal(walk_from(address_of(10), address_of(4), MOST), WALK_WHOLE);
    assert_int_equal(found, 2);
}

static void test_cut(void **state)
{
    (void)state;
    make_chain(5);
    for (unsigned most = 0; most < 5; most++) {
        assert_int_equal(walk_from(address_of(10), address_of(4), most), WALK_CUT);
        assert_int_equal(found, most);
    }
    assert_int_equal(walk_from(address_of(10), address_of(4), 5), WALK_WHOLE);
}

/* A circle, a step down, an odd address, the kernel's memory, what wraps, and below the stack pointer. */
static void test_broken(void **state)
{
    const uint64_t wrong[] = {
        address_of(10), address_of(20), address_of(11), address_of(25) + 4, HIGH, HIGH - 8, 0xffff800000000000ull,
        UINT64_MAX, UINT64_MAX - 7, 1, 8,
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        make_chain(3);
        stack[20] = wrong[i];
        assert_int_equal(walk_from(address_of(10), address_of(4), MOST), WALK_BROKEN);
        assert_int_equal(found, 2);
    }
    make_chain(3);
    assert_int_equal(walk_from(address_of(10), address_of(11), MOST), WALK_BROKEN);
    assert_int_equal(found, 0);
    stack[21] = HIGH; /* no code is there */
    assert_int_equal(walk_from(address_of(10), address_of(4), MOST), WALK_BROKEN);
    assert_int_equal(found, 1);
}

/* A frame over the end of a page: the word that is there does not make it one. */
static void test_absent(void **state)
{
    (void)state;
    make_chain(2);
    put_frame(511, address_of(600), 0x500);
    stack[20] = address_of(511);
    absent = address_of(512);
    assert_int_equal(walk_from(address_of(10), address_of(4), MOST), WALK_ABSENT);
    assert_int_equal(found, 2);
    stack[20] = address_of(WORDS + 10);
    absent = 0;
    assert_int_equal(walk_from(address_of(10), address_of(4), MOST), WALK_ABSENT);
    assert_int_equal(found, 2);
}

/* Whatever the stack holds, the walk ends within its bounds. */
static void test_garbage(void **state)
{
    uint64_t x = 1;

    (void)state;
    for (unsigned turn = 0; turn < 20000; turn++) {
        for (unsigned i = 0; i < WORDS; i += 1 + turn % 7) {
            x = x * 6364136223846793005ull + 1442695040888963407ull;
            stack[i] = x >> 60 ? BASE + (x >> 33) % sizeof(stack) : x;
        }
        walk_from(BASE + x % sizeof(stack), BASE, turn % (MOST + 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole), cmocka_unit_test(test_cut), cmocka_unit_test(test_broken),
        cmocka_unit_test(test_absent), cmocka_unit_test(test_garbage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
