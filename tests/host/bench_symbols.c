/* SPDX-License-Identifier: MIT */
/*
 * How long the function of an address takes to find: bench_symbols ELF.  A million different addresses in functions
 * of the file, and as many that are in none, in an order without rule.  bench_symbols ELF known|unknown N looks one
 * kind of them up N times, to be counted in instructions.
 *
 * A line is  name value unit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probe/schedule/splitmix64.h"
#include "tools/base/alloc.h"
#include "tools/symbols/symbols.h"

#define ADDRESSES 1000000u
#define ROUNDS    9

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void shuffle(uint64_t *address)
{
    for (uint64_t i = ADDRESSES - 1; i > 0; i--) {
        const uint64_t other = splitmix64_mix(i) % (i + 1), one = address[i];

        address[i] = address[other];
        address[other] = one;
    }
}

/* Addresses of the file from its first function on which are in one, or in none; false: too few. */
static bool choose(const struct symbols *s, bool known, uint64_t *address)
{
    uint64_t at = s->symbol[0].start, count = 0;

    for (const uint64_t end = at + 64 * (uint64_t)ADDRESSES; at < end && count < ADDRESSES; at++)
        if ((symbols_find(s, at) != NULL) == known)
            address[count++] = at;
    shuffle(address);
    return count == ADDRESSES;
}

static void find_all(const struct symbols *s, const uint64_t *address)
{
    size_t found = 0;

    for (uint32_t i = 0; i < ADDRESSES; i++)
        found += symbols_find(s, address[i]) != NULL;
    if (found && found != ADDRESSES)
        abort();
}

static double best_of(const struct symbols *s, const uint64_t *address)
{
    double least = 1e9;

    for (int round = 0; round < ROUNDS; round++) {
        const double begin = now();
        double took;

        find_all(s, address);
        took = now() - begin;
        least = took < least ? took : least;
    }
    return least * 1e9 / ADDRESSES;
}

static bool repeat(const struct symbols *s, uint64_t *address, bool known, unsigned long times)
{
    if (!choose(s, known, address))
        return false;
    for (; times > 0; times--)
        find_all(s, address);
    return true;
}

static bool report(const struct symbols *s, uint64_t *address)
{
    printf("functions %zu functions\n", s->count);
    for (unsigned known = 2; known-- > 0;) {
        if (!choose(s, known, address))
            return false;
        printf("%s %.3f ns\n", known ? "known" : "unknown", best_of(s, address));
    }
    return true;
}

int main(int argc, char **argv)
{
    uint64_t *address = xrealloc_array(NULL, ADDRESSES, sizeof(*address));
    struct symbols s;
    bool good;

    if ((argc != 2 && argc != 4) || !symbols_open(&s, argv[1])) {
        fputs("usage: bench_symbols ELF [known|unknown N]\n", stderr);
        return 2;
    }
    good = argc == 2 ? report(&s, address)
                     : repeat(&s, address, !strcmp(argv[2], "known"), strtoul(argv[3], NULL, 10));
    symbols_close(&s);
    free(address);
    return !good;
}
