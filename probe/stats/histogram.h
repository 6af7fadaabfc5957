/* SPDX-License-Identifier: MIT */
/*
 * The histogram of Crowe's Figures 4 and 5, for the serial line and for the
 * host: the same counters give the same digits on both.  Task and host context:
 * floating point.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/estimate/confidence.h"
#include "probe/text/text_buf.h"

struct histogram_slot {
    uint64_t address; /* where the slot begins; slots are sorted by address, each once */
    uint64_t hits, changes;
};

struct histogram {
    const char *task;       /* name of the row; NULL: any task */
    enum mode mode;         /* MODES: any mode */
    uint64_t samples;       /* n */
    uint64_t active;        /* hits of the task in the mode, anywhere */
    uint64_t changes_active; /* pairs with exactly one sample among `active` */
    uint64_t below, above;  /* hits among `active` that are outside the region */
    uint64_t base, high;    /* where the first slot begins; first address past the region */
    uint64_t slot;          /* bytes of a slot */
    uint64_t lost;          /* samples among n that may belong to any slot */
    bool maskable;          /* the tick cannot see code with interrupts off */
    struct estimator estimator;
    const struct histogram_slot *slots; /* at least those with hits */
    size_t count;
};

/* A function and its addresses; `end` is exclusive. */
struct histogram_symbol {
    const char *name;
    uint64_t start, end;
};

#define HISTOGRAM_NARROW 48 /* columns for a 64-bit address, any number of hits and a short bar */

struct histogram_options {
    bool octal;      /* addresses and slot size in octal, as in the paper; else hexadecimal */
    bool wald;       /* the paper's interval, named as such */
    uint64_t min;    /* slots with fewer hits are printed as a gap */
    unsigned columns; /* width of a line, HISTOGRAM_NARROW to TEXT_BUF_SIZE - 1; 0: 80 */
    /*
     * Gives the next symbol that ends past `from`, in order of start; false: there is
     * none.  NULL: no names (Figure 4).  Otherwise slots are printed under the functions
     * that they overlap (Figure 5), and gaps are not printed.
     */
    bool (*symbol)(void *context, uint64_t from, struct histogram_symbol *to);
    void *symbols;
};

/*
 * Print the histogram, line by line (without line ends), through `line`.  A bar has
 * one column for ten hits, or for more where the longest would not fit: stars up to the
 * lower limit of the 95 % interval, dashes up to the estimate, `|` at the estimate,
 * dashes up to the upper limit, each rounded to the nearest column.
 */
void histogram_print(const struct histogram *h, const struct histogram_options *o,
                     void (*line)(void *context, const char *text), void *context);

/* ---- for reports whose rows are not slots ---- */

/* What the interval of a bar is computed from. */
struct histogram_rule {
    struct estimator estimator;
    bool wald;
    uint64_t samples, lost; /* as in struct histogram */
};

/* Hits, and the limits of their 95 % interval, in hits; all equal if there is no interval. */
struct histogram_range {
    double low, hits, high;
};

struct histogram_range histogram_range(const struct histogram_rule *rule, uint64_t hits,
                                       uint64_t changes);

/*
 * Hits per column so that a bar of `longest` hits fits into `room` columns: 10, or the
 * next larger number that has two significant digits.
 */
double histogram_scale(double longest, unsigned room);

/* Append the bar: the `|` may take one column more than the room of its scale. */
void histogram_bar(struct text_buf *l, const struct histogram_range *range, double scale);

/*
 * Print the heading above the rows, and an empty line after it.  `slot` 0: the rows have
 * no common size, and no addresses are printed.  `scale` 0: there are no bars.
 */
void histogram_print_heading(const struct histogram *h, const struct histogram_options *o,
                             double scale, void (*line)(void *context, const char *text),
                             void *context);

/* How the intervals are made, such as `stratified`; or why there are none: `fixed ticks`. */
const char *histogram_method(const struct histogram_rule *rule);
