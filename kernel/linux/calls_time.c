/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls on time.  All clocks count from the start of the image, so that a run is repeatable: the date
 * is that of 1970-01-01.  CPU time is the exact time of the task.  clock_gettime(2), nanosleep(2), time(2),
 * getrusage(2), times(2).
 */
#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/linux/linux_calls.h"
#include "kernel/process/process_memory.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"

#define SECOND_US        1000000u
#define MICROSECOND_NS   1000
#define CLOCKS           12u /* numbers that Linux has */
#define CLOCK_CPU_PROCESS 2u
#define CLOCK_CPU_THREAD 3u
#define TIMER_ABSOLUTE   1u
#define LONGEST_SECONDS  100000000ull
#define TICKS_PER_SECOND 100u /* AT_CLKTCK */
#define USAGE_CHILDREN   (-1)
#define USAGE_THREAD     1

static uint64_t clocks_to_ns(uint64_t clocks)
{
    const uint64_t second = timer_us_to_clocks(SECOND_US);

    return clocks / second * LINUX_SECOND_NS + mul_div64(clocks % second, LINUX_SECOND_NS, second);
}

static uint64_t ns_to_clocks(const struct linux_timespec *t)
{
    const uint64_t second = timer_us_to_clocks(SECOND_US);

    return (uint64_t)t->seconds * second + mul_div64((uint64_t)t->nanoseconds, second, LINUX_SECOND_NS);
}

struct cpu_time {
    uint64_t user, system; /* clock units */
};

/* Up to now, which is a moment of the kernel. */
static struct cpu_time cpu_time(void)
{
    struct cpu_time t = { 0, 0 };

    irq_disable();
    for (unsigned mode = 0; mode < MODES; mode++) {
        const uint64_t sum = *account_cell(&current->account, mode, 0) + *account_cell(&current->account, mode, 1);

        *(mode == MODE_USER ? &t.user : &t.system) += sum;
    }
    t.system += account_clock() - account.last;
    irq_enable();
    return t;
}

static uint64_t cpu_clocks(void)
{
    const struct cpu_time t = cpu_time();

    return t.user + t.system;
}

static uint64_t now_ns(uint64_t clock)
{
    return clocks_to_ns(clock == CLOCK_CPU_PROCESS || clock == CLOCK_CPU_THREAD ? cpu_clocks()
                                                                                : rdtsc() - run_state->start);
}

static struct linux_timespec timespec(uint64_t ns)
{
    return (struct linux_timespec){ (int64_t)(ns / LINUX_SECOND_NS), (int64_t)(ns % LINUX_SECOND_NS) };
}

static int64_t put(struct process *p, uint64_t to, const void *from, uint64_t bytes)
{
    return process_write(p, to, from, bytes) ? 0 : -LINUX_EFAULT;
}

int64_t linux_clock_gettime(struct process *p, const uint64_t a[6])
{
    struct linux_timespec t;

    if (a[0] >= CLOCKS)
        return -LINUX_EINVAL;
    t = timespec(now_ns(a[0]));
    return put(p, a[1], &t, sizeof t);
}

int64_t linux_clock_getres(struct process *p, const uint64_t a[6])
{
    const struct linux_timespec t = { 0, 1 };

    if (a[0] >= CLOCKS)
        return -LINUX_EINVAL;
    return a[1] != 0 ? put(p, a[1], &t, sizeof t) : 0;
}

int64_t linux_gettimeofday(struct process *p, const uint64_t a[6])
{
    const struct linux_timespec now = timespec(now_ns(0));
    const struct linux_timeval t = { now.seconds, now.nanoseconds / MICROSECOND_NS };

    return a[0] != 0 ? put(p, a[0], &t, sizeof t) : 0;
}

int64_t linux_time(struct process *p, const uint64_t a[6])
{
    const int64_t seconds = timespec(now_ns(0)).seconds;

    if (a[0] != 0 && !process_write(p, a[0], &seconds, sizeof seconds))
        return -LINUX_EFAULT;
    return seconds;
}

static struct linux_timeval timeval(uint64_t clocks)
{
    const struct linux_timespec t = timespec(clocks_to_ns(clocks));

    return (struct linux_timeval){ t.seconds, t.nanoseconds / MICROSECOND_NS };
}

int64_t linux_getrusage(struct process *p, const uint64_t a[6])
{
    const struct cpu_time t = cpu_time();
    const int32_t who = (int32_t)a[0];
    struct linux_rusage usage = { .user = { 0, 0 } };

    if (who < USAGE_CHILDREN || who > USAGE_THREAD)
        return -LINUX_EINVAL;
    if (who != USAGE_CHILDREN) {
        usage.user = timeval(t.user);
        usage.system = timeval(t.system);
    }
    return put(p, a[1], &usage, sizeof usage);
}

static int64_t ticks(uint64_t clocks)
{
    return (int64_t)(clocks_to_ns(clocks) / (LINUX_SECOND_NS / TICKS_PER_SECOND));
}

int64_t linux_times(struct process *p, const uint64_t a[6])
{
    const struct cpu_time t = cpu_time();
    const struct linux_tms tms = { .user = ticks(t.user), .system = ticks(t.system) };

    if (a[0] != 0 && !process_write(p, a[0], &tms, sizeof tms))
        return -LINUX_EFAULT;
    return ticks(rdtsc() - run_state->start);
}

/* A time of the program, cut to one that its clock units have room for. */
static int64_t get_time(struct process *p, uint64_t from, struct linux_timespec *t)
{
    if (!process_read(p, t, from, sizeof *t))
        return -LINUX_EFAULT;
    if (t->seconds < 0 || t->nanoseconds < 0 || t->nanoseconds >= (int64_t)LINUX_SECOND_NS)
        return -LINUX_EINVAL;
    if (t->seconds > (int64_t)LONGEST_SECONDS)
        t->seconds = (int64_t)LONGEST_SECONDS;
    return 0;
}

int64_t linux_nanosleep(struct process *p, const uint64_t a[6])
{
    struct linux_timespec t;
    const int64_t error = get_time(p, a[0], &t);

    if (error == 0)
        timer_sleep_until(rdtsc() + ns_to_clocks(&t));
    return error;
}

int64_t linux_clock_nanosleep(struct process *p, const uint64_t a[6])
{
    struct linux_timespec t;
    const int64_t error = a[0] < CLOCKS && a[0] != CLOCK_CPU_THREAD ? get_time(p, a[2], &t) : -LINUX_EINVAL;

    if (error == 0)
        timer_sleep_until((a[1] & TIMER_ABSOLUTE ? run_state->start : rdtsc()) + ns_to_clocks(&t));
    return error;
}
