/* SPDX-License-Identifier: MIT */
/*
 * Callers of user code (stack=): the samples of a place divided among the call stacks in which ticks found it.  The
 * image counts stacks, and sends no stack with a sample: which sample had which callers is known only where a place
 * has one stack.  Host.
 */
#pragma once

#include "tools/export/stacks.h"

/*
 * Divide the hits of each place in user mode among its call stacks, as the records CALL_STACKS have them.  The sum
 * stays: where the image counted more than arrived, as of thinned or lost samples, each has its part of what arrived;
 * where it counted fewer, the rest has no callers.  Once, after the hits were added up.
 */
void stacks_divide(struct stacks *s);

/* Turns of the stacks of each place, for formats that have each sample: each stack has as many turns as hits. */
struct stack_turns { /* all zeros: none was taken */
    uint64_t *taken; /* by stack */
};

/* The stack whose turn it is at the place of a sample; NULL as stacks_find(). */
const struct stack *stack_turns_next(struct stack_turns *t, const struct stacks *s,
                                     const struct resolved_sample *sample);

void stack_turns_free(struct stack_turns *t);
