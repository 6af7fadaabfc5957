/* SPDX-License-Identifier: MIT */
/*
 * A program that reads /proc/stat, and its own /proc/PID/stat, at a rate; every so many reads it reports the sum of
 * the first line, 1/100 s, or tells through the window each read that finds another sum.  Hostile: it gives buffers
 * that there are not, at a page's end and of the kernel, and files and tasks that there are not, and reports how many
 * of them were written.  Or it reports whole texts.
 */
#include "kernel/abi/calls.h"
#include "kernel/abi/monitor.h"

int main(uint64_t argument);

#define SUMMED  6u
#define UNUSED  0x10000000ull         /* no page of this program, as the next two */
#define KERNEL  0xffff800000100000ull
#define WRAPS   0xfffffffffffffff0ull
#define NO_PID  (PROC_PID + 95)
#define FAILED  ((uint64_t)-1)
#define ROOM_US 50000u /* PROBE takes reports within */

static char text[PROC_TEXT];

/* The sum of the numbers behind the line's name. */
static uint64_t sum_of(const char *at)
{
    uint64_t sum = 0;

    while (*at != ' ')
        at++;
    for (unsigned i = 0; i < SUMMED; i++) {
        uint64_t n = 0;

        while (*at == ' ')
            at++;
        for (; *at >= '0' && *at <= '9'; at++)
            n = 10 * n + (uint64_t)(*at - '0');
        sum += n;
    }
    return sum;
}

static uint64_t wild(void)
{
    const uint64_t bad[] = { 0, UNUSED, KERNEL, WRAPS, (uint64_t)(uintptr_t)main,
                             ((uint64_t)(uintptr_t)text | 0xfff) + 0x10000000 };
    uint64_t written = 0;

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        written += call(SYS_PROC, PROC_STAT, bad[i]) != FAILED;
    written += call(SYS_PROC, 2, (uintptr_t)text) != FAILED;
    written += call(SYS_PROC, NO_PID, (uintptr_t)text) != FAILED;
    written += call(SYS_PROC, FAILED, (uintptr_t)text) != FAILED;
    return written;
}

/* Each read that finds another sum is told to an observer outside of the machine. */
static _Noreturn void watch(uint64_t next, uint64_t period)
{
    uint64_t last = 0;

    for (;;) {
        uint64_t sum;

        call(SYS_UNTIL, next += period, 0);
        if (call(SYS_PROC, PROC_STAT, (uintptr_t)text) == FAILED)
            continue;
        sum = sum_of(text);
        if (sum != last)
            monitor_out(PROCREADER_EVENT, sum);
        last = sum;
    }
}

/* There is room for some reports at a time. */
static void report(uint64_t number)
{
    while (call(SYS_REPORT, number, 0) == FAILED)
        call(SYS_SLEEP, ROOM_US, 0);
}

static void tell(uint64_t file)
{
    const uint64_t length = call(SYS_PROC, file, (uintptr_t)text);

    if (length == FAILED)
        return;
    report(file);
    report(length);
    for (uint64_t at = 0; at < length; at += sizeof(uint64_t)) {
        uint64_t piece = 0;

        for (unsigned i = 0; i < sizeof piece; i++)
            piece |= (uint64_t)(uint8_t)text[at + i] << 8 * i;
        report(piece);
    }
}

static _Noreturn void tell_all(uint64_t next, uint64_t period)
{
    for (;;) {
        call(SYS_UNTIL, next += period, 0);
        tell(PROC_STAT);
        tell(PROC_LOADAVG);
        for (uint64_t number = 0; number < PROCREADER_TOLD; number++)
            tell(PROC_PID + number);
    }
}

int main(uint64_t argument)
{
    const uint64_t period = call(SYS_CLOCKS, argument & PROCREADER_PERIOD, 0),
                   every = argument >> PROCREADER_EVERY & PROCREADER_MOST;
    uint64_t next = call(SYS_CLOCK, 0, 0);

    if (argument & PROCREADER_HOSTILE)
        call(SYS_REPORT, wild(), 0);
    if (argument & PROCREADER_TELLS)
        tell_all(next, period);
    if (every == 0)
        watch(next, period);
    for (uint64_t turn = 1;; turn++) {
        call(SYS_UNTIL, next += period, 0);
        if (call(SYS_PROC, PROC_STAT, (uintptr_t)text) == FAILED)
            call(SYS_REPORT, FAILED, 0);
        if (turn % every == 0)
            call(SYS_REPORT, sum_of(text), 0);
    }
}
