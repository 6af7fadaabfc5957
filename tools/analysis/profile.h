/* SPDX-License-Identifier: MIT */
/*
 * Counts the samples of one task in one mode by address: from the raw samples of an epoch or from a region of its
 * snapshot.  Every report by address reads only this.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/estimate/confidence.h"
#include "tools/model/stream_model.h"

/* The task, mode and addresses of a profile. */
struct profile_request {
    uint32_t task;      /* row id, or ROW_ANY */
    enum mode mode;
    bool all_modes;     /* raw samples only: in any mode */
    bool masked;        /* raw samples only: those that found interrupts off (delivery=nmi) */
    uint64_t low, high; /* [low, high); both 0: all addresses */
    bool from_region;   /* use a region even if there are raw samples */
};

/* The smallest range of addresses with a count of its own: one pc of one program, or a slot of a region. */
struct profile_atom {
    uint64_t address, end; /* [address, end) */
    uint64_t hits, changes;
    uint64_t blurred; /* raw samples only: of `changes`, those to places that are not told apart */
    /* row id of the task whose program is there, ROW_ANY: the image is; 0 where the profile is of one task */
    uint32_t code;
};

struct profile {
    struct profile_request request;
    char task[NAME_SIZE];   /* name of the row */
    uint64_t samples;       /* n: all samples, lost and unresolved ones included */
    struct tally active;    /* the task in the mode, anywhere */
    uint64_t below, above;  /* of these: outside the addresses asked for */
    uint64_t unresolved;    /* samples whose place is not known: each may belong to this profile */
    uint64_t slot;          /* 0: single addresses; else bytes of a slot of the region */
    uint64_t base;          /* of the region's slot 0 */
    bool several;           /* its addresses are those of several tasks, as of late samples: each atom tells whose */
    bool maskable;          /* the tick cannot see code with interrupts off */
    struct estimator estimator;
    size_t atoms;           /* sorted by address, then by task; only those with hits */
    struct profile_atom *atom;
    /* Raw samples only: the epoch's sums, which must stay; and the atom of each of their places, -1: none. */
    const struct sample_sums *sums;
    int32_t *atom_of;
};

/*
 * Make the profile.  False, with a message on standard error, if the epoch has neither raw samples
 * nor a region that holds what is asked.
 */
bool profile_make(struct profile *p, const struct epoch *e, const struct profile_request *q);
void profile_free(struct profile *p);

/*
 * Group atoms: group[i] is the group of atom i, -1: none; tally[g] becomes the hits, samples and
 * changes of group g < groups.  Exact from raw samples whose pairs all had room (sample_sums.h).  From a region the
 * changes are the sum over the slots, an upper bound, so that intervals can only be too wide.
 */
void profile_group(const struct profile *p, const int32_t *group, size_t groups,
                   struct tally *tally);

/* The same for the atoms in [low, high) as one group. */
struct tally profile_between(const struct profile *p, uint64_t low, uint64_t high);

/* The row id of a task by its name or #hex; false, with a message, if there is none. */
bool profile_task(const struct epoch *e, const char *name, uint32_t *id);

/* The id of the task with the most hits (verdict_lead()), or with the most raw samples; false if there is none. */
bool profile_busiest(const struct epoch *e, uint32_t *id);

/*
 * The default task: the one with the most hits; in a run without raw samples the task of the region
 * with the most hits.  False, with a message, if there is none.
 */
bool profile_default_task(const struct epoch *e, uint32_t *id);

/* Its mode: user if it has hits there, else the mode with most hits; only modes with addresses. */
enum mode profile_default_mode(const struct epoch *e, uint32_t task);

/* ---- profiles from raw samples ---- */

/* Fill the profile; its request, name and estimator are set already. */
void profile_from_samples(struct profile *p, const struct epoch *e);

/* The atom of a place, -1: it has none.  Of a profile from raw samples. */
int32_t profile_atom_of(const struct profile *p, const struct sample_place *place);

/* The task with the most raw samples: for a run whose table did not arrive. */
bool profile_busiest_by_samples(const struct epoch *e, uint32_t *id);

/* Raw samples of a task (or ROW_ANY) in each mode, without late samples. */
void profile_modes_by_samples(const struct epoch *e, uint32_t task, uint64_t hits[MODES]);

/* The row of the table that a sample at this place is in: its task, or MASKED or STOLEN if it was late. */
uint32_t profile_row_of(const struct sample_place *place);

/* The task whose program is at a place, by row id; ROW_ANY: the image is. */
uint32_t profile_code_of(const struct sample_place *place);

/* The estimator of shares of an epoch's raw samples, which may be thinned. */
struct estimator profile_samples_estimator(const struct epoch *e);
