/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls on signals, which are not delivered: of what a program wants done at one only SIG_IGN is kept,
 * and one that it sends itself ends it, unless it is one to be ignored.  sigaction(2), sigprocmask(2),
 * sigaltstack(2), kill(2), tgkill(2).
 */
#include "kernel/linux/linux_calls.h"
#include "kernel/process/process_memory.h"
#include "kernel/sched/task.h"

#define STACK_DISABLED 2
#define MASK_BYTES     8u
#define HANDLER_IGNORE 1u /* SIG_IGN */

/*
 * Signals that nobody dies of: SIGCHLD, SIGCONT, SIGURG, SIGWINCH.  Those that nobody can ignore: SIGKILL, SIGSTOP.
 */
#define BIT(signal)    (1ull << ((signal) - 1))
#define IGNORED_BY_ALL (BIT(17) | BIT(18) | BIT(23) | BIT(28))
#define IGNORED_BY_NONE (BIT(9) | BIT(19))

static int64_t put_if(struct process *p, uint64_t to, const void *from, uint64_t bytes)
{
    return to == 0 || process_write(p, to, from, bytes) ? 0 : -LINUX_EFAULT;
}

static void keep_action(struct process *p, uint64_t signal, const struct linux_sigaction *action)
{
    p->ignored &= ~BIT(signal);
    if (action->handler == HANDLER_IGNORE)
        p->ignored |= BIT(signal);
}

int64_t linux_sigaction(struct process *p, const uint64_t a[6])
{
    struct linux_sigaction old = { .handler = 0 }, new;

    if (a[0] == 0 || a[0] > LINUX_SIGNALS || a[3] != MASK_BYTES)
        return -LINUX_EINVAL;
    if (p->ignored & BIT(a[0]))
        old.handler = HANDLER_IGNORE;
    if (a[1] != 0 && !process_read(p, &new, a[1], sizeof new))
        return -LINUX_EFAULT;
    if (a[1] != 0 && (IGNORED_BY_NONE & BIT(a[0])))
        return -LINUX_EINVAL;
    if (a[2] != 0 && !process_write(p, a[2], &old, sizeof old))
        return -LINUX_EFAULT;
    if (a[1] != 0)
        keep_action(p, a[0], &new);
    return 0;
}

int64_t linux_sigprocmask(struct process *p, const uint64_t a[6])
{
    const uint64_t old = 0;

    return a[3] == MASK_BYTES ? put_if(p, a[2], &old, sizeof old) : -LINUX_EINVAL;
}

int64_t linux_sigaltstack(struct process *p, const uint64_t a[6])
{
    const struct linux_stack old = { .flags = STACK_DISABLED };

    return put_if(p, a[1], &old, sizeof old);
}

static int64_t send(struct process *p, uint64_t to, uint64_t signal)
{
    if ((uint32_t)to != (uint32_t)linux_getpid(p, 0))
        return -LINUX_ESRCH;
    if (signal > LINUX_SIGNALS)
        return -LINUX_EINVAL;
    if (signal != 0 && !((p->ignored | IGNORED_BY_ALL) & BIT(signal)))
        linux_end_by_signal(p, (uint32_t)signal);
    return 0;
}

int64_t linux_kill(struct process *p, const uint64_t a[6])
{
    return send(p, a[0], a[1]);
}

int64_t linux_tgkill(struct process *p, const uint64_t a[6])
{
    return (uint32_t)a[0] == (uint32_t)a[1] ? send(p, a[1], a[2]) : -LINUX_ESRCH;
}
