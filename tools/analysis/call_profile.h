/* SPDX-License-Identifier: MIT */
/*
 * Puts two profiles of a task by function side by side: by the calls that its instrumented program counted, and
 * by samples; and what the instrumentation cost.  Host only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/analysis/profile.h"
#include "tools/records/record_store.h"
#include "tools/symbols/symbol_resolver.h"

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
