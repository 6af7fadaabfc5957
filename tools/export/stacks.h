/* SPDX-License-Identifier: MIT */
/*
 * The raw samples of an epoch as sums by stack: task, mode, functions of callers, functions, line, the outermost
 * first.  Memory grows with the number of different addresses, not with that of samples.  Host.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/estimate/confidence.h"
#include "tools/base/hash_index.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/timeline/epoch_pass.h"

/* What a sample saw. */
struct sample_where {
    uint64_t pc;
    uint32_t task; /* row id: of a late sample that of row MASKED or STOLEN */
    uint32_t code; /* row id of the task whose code is at `pc` */
    enum mode mode;
    bool known;    /* false: its place did not arrive; the rest is zero */
    bool other;    /* one of the places beyond STACKS_MOST: without its address */
};

/* Different places that are kept, some 200 bytes each; a run has some thousands. */
#define STACKS_MOST ((size_t)1 << 17)

enum frame_kind { FRAME_TASK, FRAME_MODE, FRAME_FUNCTION, FRAME_LINE };

struct stack_frame { /* no two are equal */
    enum frame_kind kind;
    uint32_t name; /* among the texts; of a line `file.c:12` */
    uint32_t file; /* FRAME_LINE: its path among the texts */
    unsigned line; /* FRAME_LINE: from 1 */
};

struct stack {
    struct sample_where at;
    const struct wire_call_stacks_row *callers; /* of the epoch, the address itself first; NULL: none are known */
    uint32_t more;          /* index of another stack at the same place; 0: there is none */
    uint32_t code;          /* its first frame of the code at the address: before it are those of callers */
    uint64_t hits, changes; /* as in struct tally */
    uint64_t shown;         /* hits of all stacks with these frames, of the first of them; of the others 0 */
    size_t first;           /* of its frames in id[] */
    uint32_t depth;
    uint64_t offset;        /* of the address in its symbol; 0 where there is none */
    uint32_t symbol;        /* name of the symbol, without what was compiled into it, among the texts */
};

struct stacks {
    struct text_set texts;
    struct stack_frame *frame;
    size_t frames;
    struct stack *stack; /* in the order in which they first came; after stacks_name() the same */
    size_t count;
    uint32_t *id;        /* indexes of frames */
    size_t ids;
    uint64_t samples;    /* the sum of all hits */
    uint64_t missing;    /* of these: raw samples that did not arrive */
    uint64_t others;     /* of these: at places beyond STACKS_MOST */
    bool raw;            /* from raw samples, not from the table */
    uint32_t last;       /* stack of the last sample; count: none */
    struct index frame_of, stack_of;
    struct estimator estimator; /* of a share of all samples */
    const struct epoch *epoch;
};

/*
 * Add up the samples of an epoch.  Samples whose place is not known, or that did not arrive, have a stack of their
 * own, so that all shares are shares of all samples.  Without raw samples: the rows of the table, which end at the
 * mode.  False, with a message, if the stream cannot be read again.
 */
bool stacks_make(struct stacks *s, struct epoch_pass *p);

/* Give each stack its frames; `naming` knows what the user named. */
void stacks_name(struct stacks *s, struct symbol_resolver *naming);

/* The index of the place of a task's own code in user mode; INDEX_NONE: no sample was there. */
size_t stacks_place(const struct stacks *s, uint32_t task, uint64_t pc);

/*
 * The stack of a sample of the same epoch, of several at its place the first; NULL: it was not in the first reading.
 */
const struct stack *stacks_find(const struct stacks *s, const struct resolved_sample *sample);

void stacks_free(struct stacks *s);

static inline const char *stack_text(const struct stacks *s, uint32_t number)
{
    return s->texts.text[number];
}

/* A frame of a stack: 0 is the task. */
static inline const struct stack_frame *stack_frame(const struct stacks *s, const struct stack *of, uint32_t n)
{
    return &s->frame[s->id[of->first + n]];
}

/* Its share of all samples, 0 .. 1, with the 95 % interval; NaN where none can be given. */
struct confidence stack_share(const struct stacks *s, const struct stack *of);

/*
 * Callers of user code (stack=): the samples of a place divided among the call stacks in which ticks found it.  The
 * image counts stacks, and sends no stack with a sample: which sample had which callers is known only where a place
 * has one stack.
 */

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
