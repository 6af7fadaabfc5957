/* SPDX-License-Identifier: MIT */
/*
 * Where the samples of one task in one mode fell, by address: from the raw
 * samples of an epoch or from a region of its snapshot.  Every report by
 * address reads this and nothing else.
 */
#ifndef TOOLS_ANALYSIS_PROFILE_H
#define TOOLS_ANALYSIS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/stats/confidence.h"
#include "tools/model/stream_model.h"

/* The task, mode and addresses of a profile. */
struct profile_request {
    uint32_t task;      /* row id, or ROW_ANY */
    enum mode mode;
    bool all_modes;     /* raw samples only: whatever mode */
    uint64_t low, high; /* [low, high); both 0: wherever */
    bool from_region;   /* a region even where there are raw samples */
};

/* The smallest range of addresses with a count of its own: one pc, or a slot of a region. */
struct profile_atom {
    uint64_t address, end; /* [address, end) */
    uint64_t hits, changes;
};

struct profile {
    struct profile_request request;
    char task[NAME_SIZE];   /* name of the row */
    uint64_t samples;       /* n: all samples, lost and unresolved ones included */
    struct tally active;    /* the task in the mode, anywhere */
    uint64_t below, above;  /* of these: outside the addresses asked for */
    uint64_t unresolved;    /* samples whose place is not known: any of them may belong here */
    uint64_t slot;          /* 0: single addresses; else bytes of a slot of the region */
    uint64_t base;          /* of the region's slot 0 */
    bool maskable;          /* the tick cannot see code with interrupts off */
    struct estimator estimator;
    size_t atoms;           /* by address, those with hits only */
    struct profile_atom *atom;
    /*
     * Raw samples only: the atom of each that arrived, -1: none, and whether it
     * makes a pair with the one before.
     */
    int32_t *sequence;
    bool *pair;
    size_t sequences;
};

/*
 * Make the profile.  False, with a sentence on standard error, where the epoch
 * has neither raw samples nor a region that holds what is asked.
 */
bool profile_make(struct profile *p, const struct epoch *e, const struct profile_request *q);
void profile_free(struct profile *p);

/*
 * Put atoms together: group[i] is the group of atom i, -1: none of them; tally[g]
 * becomes hits, samples and changes of group g < groups.  Exact from raw samples;
 * from a region the changes are the sum of the slots', an upper bound, so that
 * intervals are wider rather than narrower than they must be.
 */
void profile_group(const struct profile *p, const int32_t *group, size_t groups,
                   struct tally *tally);

/* The same of the atoms in [low, high), as one group. */
struct tally profile_between(const struct profile *p, uint64_t low, uint64_t high);

/* The row id of a task by its name or #hex; false, with a sentence, where there is none. */
bool profile_task(const struct epoch *e, const char *name, uint32_t *id);

/* The busiest row that is a task, IDLE and PROBE left out; false where there is none. */
bool profile_busiest(const struct epoch *e, uint32_t *id);

/*
 * The default: the busiest task; of a run without raw
 * samples the task of the region with most hits.  False, with a sentence: none.
 */
bool profile_default_task(const struct epoch *e, uint32_t *id);

/* Its mode: user if it has hits there, else the mode with most hits; only modes with addresses. */
enum mode profile_default_mode(const struct epoch *e, uint32_t task);

#endif
