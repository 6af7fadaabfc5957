/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls that wait for descriptors.  None makes a program wait: input is there or at its end, and
 * output waits in its own call.  So where nothing has happened nothing will, and these only sleep; programs use them
 * for that.  poll(2), select(2).
 */
#include "kernel/linux/linux_calls.h"
#include "kernel/process/process_memory.h"
#include "kernel/sched/timer.h"

#define POLL_IN         1
#define POLL_OUT        4
#define POLL_INVALID    0x20
#define MILLISECOND_US  1000u
#define MICROSECOND_NS  1000u
#define SECOND_US       1000000
#define LONGEST_SECONDS 100000000
#define FOR_EVER        INT64_MAX
#define SET_MAX         1024u /* descriptors of a set of select() */
#define WORD_BITS       64u

static void sleep_us(int64_t microseconds)
{
    if (microseconds >= (int64_t)SECOND_US * LONGEST_SECONDS)
        timer_sleep_until(UINT64_MAX);
    else if (microseconds > 0)
        timer_sleep_us((uint64_t)microseconds);
}

/*
 * A time of the program in microseconds: *us, or the answer.  Its fraction of a second counts `unit` of a
 * microsecond.
 */
static int64_t time_of(struct process *p, uint64_t from, int64_t unit, int64_t *us)
{
    struct linux_timespec t;

    *us = FOR_EVER;
    if (from == 0)
        return 0;
    if (!process_read(p, &t, from, sizeof t))
        return -LINUX_EFAULT;
    if (t.seconds < 0 || t.nanoseconds < 0 || t.nanoseconds >= unit * SECOND_US)
        return -LINUX_EINVAL;
    if (t.seconds < LONGEST_SECONDS)
        *us = t.seconds * SECOND_US + t.nanoseconds / unit;
    return 0;
}

static int16_t ready(const struct process *p, const struct linux_pollfd *of)
{
    if (of->descriptor < 0)
        return 0;
    if (process_file_open(p, (uint64_t)of->descriptor) == 0)
        return POLL_INVALID;
    return of->events & ((descriptor_output(p, (uint64_t)of->descriptor) != 0 ? POLL_OUT : 0) |
                         (descriptor_input(p, (uint64_t)of->descriptor) != 0 ? POLL_IN : 0));
}

static int64_t poll_now(struct process *p, uint64_t from, uint64_t count)
{
    int64_t happened = 0;

    if (count > PROCESS_FILES)
        return -LINUX_EINVAL;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = from + i * sizeof(struct linux_pollfd);
        struct linux_pollfd of;

        if (!process_read(p, &of, at, sizeof of))
            return -LINUX_EFAULT;
        of.happened = ready(p, &of);
        happened += of.happened != 0;
        if (!process_write(p, at, &of, sizeof of))
            return -LINUX_EFAULT;
    }
    return happened;
}

int64_t linux_poll(struct process *p, const uint64_t a[6])
{
    const int64_t happened = poll_now(p, a[0], a[1]);
    const int32_t wait = (int32_t)a[2];

    if (happened == 0)
        sleep_us(wait < 0 ? FOR_EVER : (int64_t)wait * MILLISECOND_US);
    return happened;
}

int64_t linux_ppoll(struct process *p, const uint64_t a[6])
{
    int64_t wait;
    const int64_t error = time_of(p, a[2], MICROSECOND_NS, &wait);
    const int64_t happened = error == 0 ? poll_now(p, a[0], a[1]) : error;

    if (happened == 0)
        sleep_us(wait);
    return happened;
}

/* One set: those of its descriptors that are ready stay in it.  How many, or the answer. */
static int64_t select_in(struct process *p, uint64_t at, uint64_t count,
                         struct process_file *(*ready)(const struct process *p, uint64_t descriptor))
{
    uint64_t set[SET_MAX / WORD_BITS];
    const uint64_t bytes = (count + WORD_BITS - 1) / WORD_BITS * sizeof set[0];
    int64_t happened = 0;

    if (at == 0 || count == 0)
        return 0;
    if (!process_read(p, set, at, bytes))
        return -LINUX_EFAULT;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bit = 1ull << i % WORD_BITS;

        if (!(set[i / WORD_BITS] & bit))
            continue;
        if (process_file_open(p, i) == 0)
            return -LINUX_EBADF;
        if (ready(p, i) != 0)
            happened++;
        else
            set[i / WORD_BITS] &= ~bit;
    }
    return process_write(p, at, set, bytes) ? happened : -LINUX_EFAULT;
}

/* Nothing exceptional happens to a descriptor. */
static struct process_file *descriptor_exception(const struct process *p, uint64_t descriptor)
{
    (void)p;
    (void)descriptor;
    return 0;
}

static int64_t select_all(struct process *p, const uint64_t a[6], int64_t unit)
{
    const uint64_t count = (uint32_t)a[0];
    int64_t wait, happened = 0, n = time_of(p, a[4], unit, &wait);

    if (count > SET_MAX)
        return -LINUX_EINVAL;
    if (n == 0)
        happened = n = select_in(p, a[1], count, descriptor_input);
    if (n >= 0)
        happened += n = select_in(p, a[2], count, descriptor_output);
    if (n >= 0)
        n = select_in(p, a[3], count, descriptor_exception);
    if (n < 0)
        return n;
    if (happened == 0)
        sleep_us(wait);
    return happened;
}

int64_t linux_select(struct process *p, const uint64_t a[6])
{
    return select_all(p, a, 1);
}

int64_t linux_pselect(struct process *p, const uint64_t a[6])
{
    return select_all(p, a, MICROSECOND_NS);
}
