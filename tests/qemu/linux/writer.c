/* SPDX-License-Identifier: MIT */
/*
 * A program that writes faster than any line: pieces of many lengths to both descriptors, vectors, and addresses that
 * are not there.  Each byte follows from its place, so that whoever has them knows which one is missing.  Exit status
 * 0 where every answer was right.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#define PIECES  60
#define LONGEST 1500
#define VECTORS 1024
#define PAGE    4096

static struct { uint64_t state; } stream[3] = { { 0 }, { 1 }, { 2 } };
static unsigned char text[16 * PAGE];

static unsigned char next(int descriptor)
{
    uint64_t *const state = &stream[descriptor].state;

    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned char)(*state >> 56);
}

static void fill(int descriptor, unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = next(descriptor);
}

static int wrong(long answer, long wanted)
{
    return answer != wanted;
}

static int write_pieces(void)
{
    int faults = 0;

    for (unsigned i = 0; i < PIECES; i++) {
        const int descriptor = i % 3 == 2 ? 2 : 1;
        const size_t bytes = i * 379 % LONGEST;

        fill(descriptor, text, bytes);
        faults += wrong(write(descriptor, text, bytes), (long)bytes);
    }
    return faults;
}

/* As many vectors as there may be, every third one empty; and one more. */
static int write_vectors(void)
{
    static struct iovec v[VECTORS + 1];
    unsigned char *at = text;

    for (unsigned i = 0; i < VECTORS; i++) {
        v[i] = (struct iovec){ at, i % 3 * 7 };
        fill(1, at, v[i].iov_len);
        at += v[i].iov_len;
    }
    return wrong(writev(1, v, VECTORS), at - text) + wrong(writev(1, v, VECTORS + 1), -1) + wrong(errno, EINVAL);
}

/* Ten bytes before a page that is not there: those that are there are written, and no part of a lost vector. */
static int write_bad(void)
{
    unsigned char *const pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *const last = pages + PAGE - 10;
    const struct iovec v[3] = { { text, 100 }, { pages + PAGE, 5 }, { text, 100 } };
    int faults = wrong(munmap(pages + PAGE, PAGE), 0);

    fill(1, last, 10);
    faults += wrong(write(1, last, 20), 10);
    fill(1, text, 100);
    faults += wrong(writev(1, v, 3), 100);
    faults += wrong(writev(1, v + 1, 2), -1) + wrong(errno, EFAULT);
    faults += wrong(writev(1, (const struct iovec *)(pages + PAGE), 2), -1) + wrong(errno, EFAULT);
    return faults + wrong(write(1, pages + PAGE, 10), -1) + wrong(errno, EFAULT);
}

/* A long one goes out up to a byte that is not there, in pieces. */
static int write_long(void)
{
    unsigned char *const pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t before = stream[1].state;
    long answer;

    fill(1, pages, PAGE);
    munmap(pages + PAGE, PAGE);
    answer = write(1, pages, 2 * PAGE);
    if (answer < PAGE / 2 || answer > PAGE)
        return 1;
    stream[1].state = before;
    for (long i = 0; i < answer; i++)
        next(1);
    return 0;
}

int main(void)
{
    const int faults = write_pieces() + write_vectors() + write_bad() + write_long();

    fill(1, text, 1000);
    return faults + wrong(write(1, text, 1000), 1000);
}
