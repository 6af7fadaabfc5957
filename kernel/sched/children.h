/* SPDX-License-Identifier: MIT */
/*
 * A task of ring 0 that keeps a few other tasks running: it makes them, waits for
 * their end, ends those that live too long, and counts how they ended.
 * Context: the parent, at ring 0.
 */
#pragma once

#include <stdint.h>

struct task;

#define CHILDREN_MAX 5u /* at a time */

/* How the children of one kind ended. */
struct children {
    uint64_t faulted, exited, terminated; /* by a fault, by themselves, by the parent */
    uint64_t calls, denied;               /* system calls and services; those without a grant */
};

struct child_kind {
    struct task *(*make)(uint64_t number); /* not started; NULL: try again later */
    struct children *sum;
};

/*
 * Keep one child of each of `kinds` kinds running, for ever: when one has ended, make
 * the next of its kind.  Children are numbered from 0, and no more than `most` are made.
 * A child that runs for `life` clock units is ended.
 */
_Noreturn void children_run(const struct child_kind kind[], unsigned kinds, uint64_t most, uint64_t life);
