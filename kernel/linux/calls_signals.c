/* SPDX-License-Identifier: MIT */
/*
 * Linux's system calls on signals, for which no handler is called: of what a program wants done at one only SIG_IGN
 * is kept, and one that it sends itself ends it, unless it is one to be ignored, once it is not blocked.
 * sigaction(2), sigprocmask(2), sigaltstack(2), kill(2), tgkill(2).
 */
#include "kernel/linux/linux_calls.h"
#include "kernel/process/process_memory.h"
#include "kernel/sched/task.h"

#define STACK_DISABLED 2u
#define STACK_FLAGS    (1u << 31) /* SS_AUTODISARM: beside one of the others */
#define STACK_LEAST    2048u      /* MINSIGSTKSZ */
#define MASK_BYTES     8u
#define HANDLER_IGNORE 1u /* SIG_IGN */

enum { BLOCK, UNBLOCK, SET_MASK }; /* how a mask changes */

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

/* The program ends by the first signal that it has been sent and neither ignores nor blocks. */
static void deliver(struct process *p)
{
    const uint64_t due = p->sent & ~p->blocked & ~(p->ignored | IGNORED_BY_ALL);

    if (due != 0)
        linux_end_by_signal(p, (uint32_t)__builtin_ctzll(due) + 1);
    p->sent &= p->blocked;
}

static bool change_mask(struct process *p, uint32_t how, uint64_t mask)
{
    switch (how) {
    case BLOCK:
        p->blocked |= mask;
        break;
    case UNBLOCK:
        p->blocked &= ~mask;
        break;
    case SET_MASK:
        p->blocked = mask;
        break;
    default:
        return false;
    }
    p->blocked &= ~IGNORED_BY_NONE;
    return true;
}

int64_t linux_sigprocmask(struct process *p, const uint64_t a[6])
{
    const uint64_t old = p->blocked;
    uint64_t mask;

    if (a[3] != MASK_BYTES)
        return -LINUX_EINVAL;
    if (a[1] != 0 && !process_read(p, &mask, a[1], sizeof mask))
        return -LINUX_EFAULT;
    if (a[1] != 0 && !change_mask(p, (uint32_t)a[0], mask))
        return -LINUX_EINVAL;
    deliver(p);
    return put_if(p, a[2], &old, sizeof old);
}

/* It is kept for a program that asks; nothing runs on it. */
int64_t linux_sigaltstack(struct process *p, const uint64_t a[6])
{
    struct process_signal_stack old = p->signal_stack, new = old;
    const bool sets = a[0] != 0;

    if (sets && !process_read(p, &new, a[0], sizeof new))
        return -LINUX_EFAULT;
    new.flags &= ~STACK_FLAGS;
    if (sets && new.flags > STACK_DISABLED)
        return -LINUX_EINVAL;
    if (sets && new.flags != STACK_DISABLED && new.bytes < STACK_LEAST)
        return -LINUX_ENOMEM;
    if (new.flags == STACK_DISABLED)
        new = (struct process_signal_stack){ .bytes = 0 };
    old.flags = old.bytes != 0 ? 0 : STACK_DISABLED;
    p->signal_stack = new;
    return put_if(p, a[1], &old, sizeof old);
}

static int64_t send(struct process *p, uint64_t to, uint64_t signal)
{
    if ((uint32_t)to != (uint32_t)linux_getpid(p, 0))
        return -LINUX_ESRCH;
    if ((uint32_t)signal > LINUX_SIGNALS)
        return -LINUX_EINVAL;
    if ((uint32_t)signal != 0)
        p->sent |= BIT((uint32_t)signal);
    deliver(p);
    return 0;
}

/* Its process group is the process alone. */
int64_t linux_kill(struct process *p, const uint64_t a[6])
{
    return send(p, (uint32_t)a[0] == 0 ? (uint64_t)linux_getpid(p, 0) : a[0], a[1]);
}

int64_t linux_tkill(struct process *p, const uint64_t a[6])
{
    return (int32_t)a[0] > 0 ? send(p, a[0], a[1]) : -LINUX_EINVAL;
}

int64_t linux_tgkill(struct process *p, const uint64_t a[6])
{
    if ((int32_t)a[0] <= 0 || (int32_t)a[1] <= 0)
        return -LINUX_EINVAL;
    return (uint32_t)a[0] == (uint32_t)a[1] ? send(p, a[1], a[2]) : -LINUX_ESRCH;
}
