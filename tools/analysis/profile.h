/* SPDX-License-Identifier: MIT */
/*
 * The samples of one task in one mode by address: from the raw samples of an epoch or from a region
 * of its snapshot.  Every report by address reads only this.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/estimate/confidence.h"
#include "tools/model/stream_model.h"
#include "tools/records/record_store.h"
#include "tools/symbols/symbol_resolver.h"
#include "tools/symbols/symbols.h"

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
 * changes of group g < groups.  Exact from raw samples whose pairs all had room (samples.h).  From a region the
 * changes are the sum over the slots, an upper bound, so that intervals can only be too wide.
 */
void profile_group(const struct profile *p, const int32_t *group, size_t groups,
                   struct tally *tally);

/* The same for the atoms in [low, high) as one group. */
struct tally profile_between(const struct profile *p, uint64_t low, uint64_t high);

/* The row id of a task by its name or #hex; false, with a message, if there is none. */
bool profile_task(const struct epoch *e, const char *name, uint32_t *id);

/* The task with the most hits, except IDLE and PROBE; false if there is none. */
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

/*
 * A profile by function, by line or by instruction: its addresses grouped into named rows, for
 * every report that names code.
 */

enum breakdown_by { BREAKDOWN_FUNCTION, BREAKDOWN_LINE, BREAKDOWN_INSTRUCTION };

struct breakdown_row {
    /*
     * By function: `name`, or of one that was compiled into another `inner (in
     * outer)`; a slot of a region that holds parts of several: `a or b`.  By line:
     * `file.c:12`, or `name (no line)`.  By instruction: `name+0x12`.  Where no
     * function is known: `0x401000 (no symbol)`, by function and line one row for a
     * page of 4096 bytes.  In a profile of several tasks the name of the task is before what
     * is in its program: `HOG: spin`.  All of it can be printed.
     */
    char *name;
    char task[NAME_SIZE]; /* the name before it; empty: none */
    bool known;          /* there is a function here */
    uint64_t start, end; /* first address of the function, instruction or page; of a line
                            or an inlined function the first and last that were hit; [start, end) */
    struct tally tally;
    const struct symbol *symbol; /* the (outer) function; NULL: none, or several */
    char *text;                  /* by instruction: disassembled; NULL: not available */
};

struct breakdown { /* most hits first; by instruction in order of task and address */
    size_t rows;
    struct breakdown_row *row; /* names are unique within a file, except for instructions */
    int32_t *group;            /* the row of each atom of the profile: for profile_group() */
};

/*
 * Fill the breakdown; of a profile of several tasks the files are each task's for a while,
 * at the end those of before.
 *  Functions of one file with the same displayed name form one row.  False,
 * with a message on standard error and nothing to free, if the slots of a region are too wide for
 * this breakdown.
 */
bool breakdown_make(struct breakdown *b, const struct profile *p,
                    const struct code_files *symbols, enum breakdown_by by);
void breakdown_free(struct breakdown *b);

/*
 * The raw samples of an epoch as a tree of code: task, mode, function, line.  Every node has the counts that its
 * interval needs, so that each share of a flame graph can be told with one.  Host only.
 */

enum code_level { CODE_RUN, CODE_TASK, CODE_MODE, CODE_FUNCTION, CODE_LINE };

struct code_node {
    char *name;       /* of a task, mode, function or line as a breakdown names them; printable */
    uint32_t parent;  /* index of a node before this one; node 0, the run, is its own */
    enum code_level level;
    uint32_t task;    /* row id, of a late sample MASKED or STOLEN; valid below CODE_RUN */
    enum mode mode;   /* valid below CODE_TASK; of a late sample that in which it arrived */
    bool known;       /* a function or line: a file names it */
    struct tally tally; /* of all samples of the run */
};

struct code_tree {
    /* parents before their children; of one parent those with more hits first, but for modes */
    struct code_node *node;
    size_t nodes;
    struct estimator estimator;
    uint64_t samples;  /* all that were taken */
    uint64_t unknown;  /* of these without a known place: they may belong to any node */
};

/*
 * Make the tree.  False where the epoch has no raw samples that arrived.  Names are chosen by build id from `names`.
 */
bool code_tree_make(struct code_tree *t, const struct epoch *e, struct symbol_resolver *names);
void code_tree_free(struct code_tree *t);

/*
 * The share of a node at 95 %, 0 .. 1, with between none and all of the unknown samples in it;
 * NaN limits where there is no estimator.
 */
struct confidence code_tree_share(const struct code_tree *t, const struct code_node *n);

/*
 * Two profiles of a task by function, side by side: by the calls that its instrumented program
 * counted, and by samples; and what the instrumentation cost.  Host only.
 */

#define CALL_HOOK "__cyg_profile_func_enter" /* that the compiler calls in each instrumented function */
#define CALL_OWN  "__cyg_profile_"           /* names of the instrumentation itself begin so */

/* A share of the user mode of a task, percent.  NaN: not known. */
struct sampled_share {
    uint64_t hits;
    double percent, low, high;
};

struct call_profile_row {
    const char *name;  /* NULL: no file names it */
    uint64_t function; /* its address */
    bool counted;      /* the program counted calls of it */
    bool instrumented; /* it was counted, or its code calls the hook, or its code is not known */
    bool impossible;   /* its times contradict each other or the time of the task */
    uint64_t calls;
    double inclusive, exclusive; /* clock units */
    double net;                  /* exclusive without the instrumentation, clock units, at least 0 */
    double share, net_share;     /* of the sums of exclusive and of net, percent */
    struct sampled_share sampled, plain; /* of the task itself, and of the one beside it */
};

struct call_profile {
    struct call_profile_row *row; /* greatest net first, then by samples, then by address */
    size_t rows;
    uint64_t calls;
    double exclusive;  /* sum, clock units */
    double call_cost;  /* of one call, clock units */
    double cost_share; /* of all calls, percent of the time that was counted */
    size_t impossible; /* rows that are */
    uint64_t missing;  /* rows of functions that did not arrive, or are more than a table has */
};

/* The samples of a task in user mode; NULL: there are none. */
struct call_profile_sources {
    const struct record_store *calls; /* CALLS of a task */
    const struct profile *sampled, *plain;
    const struct symbol_resolver *naming, *plain_naming; /* chosen for these tasks; NULL: no names, and no samples */
};

/*
 * Make it.  False, with a message, where no file names the functions of the program; then there is nothing to free.
 */
bool call_profile_make(struct call_profile *c, const struct call_profile_sources *from);
void call_profile_free(struct call_profile *c);
