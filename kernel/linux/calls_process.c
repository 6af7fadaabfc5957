/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls on the process itself, its end and its random bytes.  A process has one thread, and is user 0.
 * exit(2), futex(2), prlimit(2).
 */
#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/lib/string.h"
#include "kernel/linux/linux_calls.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/process/process_memory.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "probe/schedule/chacha8.h"
#include "probe/schedule/memory.h"
#include "probe/stream/version.h"

#define STATUS_MASK 0xff
#define PID_FIRST   1u

enum { SET_GS = 0x1001, SET_FS = 0x1002, GET_FS = 0x1003, GET_GS = 0x1004 };
enum { FUTEX_WAIT = 0, FUTEX_WAKE = 1, FUTEX_WAIT_BITSET = 9, FUTEX_WAKE_BITSET = 10, FUTEX_COMMAND = 0x7f };
enum { RANDOM_FLAGS = 7, RANDOM_TRUE = 2, RANDOM_INSECURE = 4 }; /* GRND_RANDOM, GRND_INSECURE */
enum { LIMIT_STACK = 3, LIMIT_CORE = 4, LIMIT_FILES = 7, LIMITS = 16 };
#define NO_LIMIT UINT64_MAX

int64_t linux_exit(struct process *p, const uint64_t a[6])
{
    linux_end(p, (int32_t)(a[0] & STATUS_MASK));
}

int64_t linux_zero(struct process *p, const uint64_t a[6])
{
    (void)p;
    (void)a;
    return 0;
}

int64_t linux_getpid(struct process *p, const uint64_t a[6])
{
    (void)p;
    (void)a;
    return (int64_t)current->number + PID_FIRST;
}

int64_t linux_getppid(struct process *p, const uint64_t a[6])
{
    (void)p;
    (void)a;
    return PID_FIRST;
}

/* Round robin: others run when its turn is over. */
int64_t linux_yield(struct process *p, const uint64_t a[6])
{
    (void)p;
    (void)a;
    timer_sleep_until(rdtsc());
    return 0;
}

int64_t linux_uname(struct process *p, const uint64_t a[6])
{
    const struct linux_names names = {
        .system = "Linux", .node = "cpuprobe", .release = "6.1.0-cpuprobe", .version = CPUPROBE_VERSION,
        .machine = "x86_64",
        .domain = "(none)",
    };

    return process_write(p, a[0], &names, sizeof names) ? 0 : -LINUX_EFAULT;
}

/*
 * The CPU refuses a base that is not canonical with an exception at ring 0;
 * only addresses of the program are of use to it.
 */
static int64_t set_base(struct process *p, uint64_t *base, uint64_t value)
{
    if (!paging_is_user(value, 0))
        return -LINUX_EPERM;
    irq_disable();
    *base = value;
    syscall_instruction_set_bases(p->fs_base, p->gs_base);
    irq_enable();
    return 0;
}

int64_t linux_arch_prctl(struct process *p, const uint64_t a[6])
{
    switch (a[0]) {
    case SET_FS:
        return set_base(p, &p->fs_base, a[1]);
    case SET_GS:
        return set_base(p, &p->gs_base, a[1]);
    case GET_FS:
        return process_write(p, a[1], &p->fs_base, sizeof p->fs_base) ? 0 : -LINUX_EFAULT;
    case GET_GS:
        return process_write(p, a[1], &p->gs_base, sizeof p->gs_base) ? 0 : -LINUX_EFAULT;
    default:
        return -LINUX_EINVAL;
    }
}

/* Nobody else can wake the only thread: it sleeps until its time-out, or for ever. */
static int64_t futex_wait(struct process *p, const uint64_t a[6])
{
    struct linux_timespec t = { 0, 0 };
    uint32_t value;

    if (!process_read(p, &value, a[0], sizeof value))
        return -LINUX_EFAULT;
    if (value != (uint32_t)a[2])
        return -LINUX_EAGAIN;
    if (a[3] == 0)
        timer_sleep_until(UINT64_MAX);
    if (!process_read(p, &t, a[3], sizeof t))
        return -LINUX_EFAULT;
    if ((a[1] & FUTEX_COMMAND) == FUTEX_WAIT)
        return linux_nanosleep(p, &a[3]) == 0 ? -LINUX_ETIMEDOUT : -LINUX_EINVAL;
    return linux_clock_nanosleep(p, (const uint64_t[6]){ 1, 1, a[3] }) == 0 ? -LINUX_ETIMEDOUT : -LINUX_EINVAL;
}

int64_t linux_futex(struct process *p, const uint64_t a[6])
{
    const uint64_t command = a[1] & FUTEX_COMMAND;
    const bool has_set = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;

    if (a[0] % sizeof(uint32_t) != 0 || (has_set && (uint32_t)a[5] == 0))
        return -LINUX_EINVAL;
    switch (command) {
    case FUTEX_WAIT: case FUTEX_WAIT_BITSET:
        return futex_wait(p, a);
    case FUTEX_WAKE: case FUTEX_WAKE_BITSET:
        return 0; /* so many were woken */
    default:
        process_count_unknown(p, 202);
        return -LINUX_ENOSYS;
    }
}

static struct linux_rlimit limit_of(uint64_t resource)
{
    const uint64_t limit = resource == LIMIT_STACK ? START_STACK_BYTES : resource == LIMIT_FILES ? PROCESS_FILES :
                           resource == LIMIT_CORE ? 0 : NO_LIMIT;

    return (struct linux_rlimit){ limit, limit };
}

static int64_t get_limit(struct process *p, uint64_t resource, uint64_t to)
{
    const struct linux_rlimit limit = limit_of(resource);

    if (resource >= LIMITS)
        return -LINUX_EINVAL;
    return to == 0 || process_write(p, to, &limit, sizeof limit) ? 0 : -LINUX_EFAULT;
}

int64_t linux_getrlimit(struct process *p, const uint64_t a[6])
{
    return get_limit(p, a[0], a[1]);
}

int64_t linux_prlimit(struct process *p, const uint64_t a[6])
{
    if (a[0] != 0 && a[0] != current->number + PID_FIRST)
        return -LINUX_ESRCH;
    return a[2] != 0 ? -LINUX_EPERM : get_limit(p, a[1], a[3]);
}

int64_t linux_getrandom(struct process *p, const uint64_t a[6])
{
    uint8_t piece[64];
    uint64_t done = 0;
    const uint64_t bytes = a[1] < INT32_MAX ? a[1] : INT32_MAX;
    const uint32_t flags = (uint32_t)a[2], both = RANDOM_TRUE | RANDOM_INSECURE;

    if ((flags & ~(uint32_t)RANDOM_FLAGS) != 0 || (flags & both) == both)
        return -LINUX_EINVAL;
    for (uint64_t n; done < bytes; done += n) {
        n = bytes - done < sizeof piece ? bytes - done : sizeof piece;
        random_bytes(p, piece, n);
        if (!process_write(p, a[0] + done, piece, n))
            return -LINUX_EFAULT;
    }
    return (int64_t)done;
}

/* A program asks how much memory it may use: what is free. */
int64_t linux_sysinfo(struct process *p, const uint64_t a[6])
{
    const uint64_t free = page_alloc_left() * PAGE_SIZE;
    const struct linux_sysinfo info = { .total = free, .free = free, .processes = 1, .unit = 1 };

    return process_write(p, a[0], &info, sizeof info) ? 0 : -LINUX_EFAULT;
}

/* One processor; the answer is the length of the set. */
int64_t linux_getaffinity(struct process *p, const uint64_t a[6])
{
    const uint64_t set = 1;

    if (a[1] < sizeof set || a[1] % sizeof set != 0)
        return -LINUX_EINVAL;
    if ((uint32_t)a[0] != 0 && (uint32_t)a[0] != current->number + PID_FIRST)
        return -LINUX_ESRCH;
    return process_write(p, a[2], &set, sizeof set) ? (int64_t)sizeof set : -LINUX_EFAULT;
}

/* The end of a process by a call of its own. */

#define BY_SIGNAL 128

_Noreturn void linux_end(struct process *p, int32_t status)
{
    p->status = status;
    p->exited = true;
    task_end();
}

_Noreturn void linux_end_by_signal(struct process *p, uint32_t signal)
{
    linux_end(p, BY_SIGNAL + (int32_t)signal);
}

#define NONCE 0x6d646e72u

_Static_assert(RANDOM_BLOCK == CHACHA8_WORDS * 4u, "a block of the generator");

void random_bytes(struct process *p, uint8_t *to, uint64_t bytes)
{
    const uint64_t seed = sampler_seed();
    const struct chacha8_key key = {
        .word = { (uint32_t)seed, (uint32_t)(seed >> 32) }, .nonce = { NONCE, p->program_number },
    };
    uint32_t block[CHACHA8_WORDS];

    for (uint64_t n; bytes > 0; bytes -= n, to += n, p->drawn += n) {
        const uint64_t at = p->drawn % RANDOM_BLOCK;

        n = bytes < RANDOM_BLOCK - at ? bytes : RANDOM_BLOCK - at;
        chacha8_block(block, &key, p->drawn / RANDOM_BLOCK);
        memcpy(to, (const uint8_t *)block + at, n);
    }
}
