/* SPDX-License-Identifier: MIT */
/*
 * The histogram of Crowe's Figures 4 and 5, for the serial line and for the
 * host: the same counters give the same digits in both.  Task and host context:
 * floating point.
 */
#ifndef PROBE_STATS_HISTOGRAM_H
#define PROBE_STATS_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stats/confidence.h"
#include "probe/text/text_buf.h"

struct histogram_slot {
    uint64_t address; /* where it begins; slots come by address, no two alike */
    uint64_t hits, changes;
};

struct histogram {
    const char *task;       /* name of the row; NULL: any task */
    enum mode mode;         /* MODES: whatever mode */
    uint64_t samples;       /* n */
    uint64_t active;        /* hits of the task in the mode, anywhere */
    uint64_t changes_active; /* pairs with exactly one sample of these */
    uint64_t below, above;  /* of these: outside the addresses */
    uint64_t base, high;    /* where the first slot begins; first address past the region */
    uint64_t slot;          /* bytes of a slot */
    uint64_t lost;          /* of n: any of them may belong to any slot */
    bool maskable;          /* a tick that cannot see code with interrupts off */
    struct estimator estimator;
    const struct histogram_slot *slots; /* those with hits, at least */
    size_t count;
};

/* A function that overlaps addresses; end is exclusive. */
struct histogram_symbol {
    const char *name;
    uint64_t start, end;
};

#define HISTOGRAM_NARROW 48 /* columns: an address of 64 bits, any hits and some bar */

struct histogram_options {
    bool octal;      /* addresses and slot size, as the paper has them; else hexadecimal */
    bool wald;       /* the paper's interval, so named */
    uint64_t min;    /* slots with fewer hits are told as a gap */
    unsigned columns; /* width of a line, HISTOGRAM_NARROW to TEXT_BUF_SIZE - 1; 0: 80 */
    /*
     * The next symbol that ends past `from`, in order of start; false: none.
     * NULL: no names (Figure 4); else slots stand under the functions they
     * overlap (Figure 5), and gaps are not told.
     */
    bool (*symbol)(void *context, uint64_t from, struct histogram_symbol *to);
    void *symbols;
};

/*
 * Print the histogram, line by line (without line ends), through `line`.  The
 * bar: one column for ten hits, fewer where the longest would not fit; stars up
 * to the lower limit of the 95 % interval, dashes to the estimate, `|` there,
 * dashes to the upper limit, each rounded to the nearest column.
 */
void histogram_print(const struct histogram *h, const struct histogram_options *o,
                     void (*line)(void *context, const char *text), void *context);

/* ---- for reports whose rows are other than slots ---- */

/* What the interval of a bar comes from. */
struct histogram_rule {
    struct estimator estimator;
    bool wald;
    uint64_t samples, lost; /* as in struct histogram */
};

/* Hits, and the ends of their 95 % interval, in hits; all alike where it has none. */
struct histogram_range {
    double low, hits, high;
};

struct histogram_range histogram_range(const struct histogram_rule *rule, uint64_t hits,
                                       uint64_t changes);

/*
 * Hits that a column stands for where bars up to `longest` hits have `room`
 * columns: 10, or the next number of two digits, and noughts, that makes it fit.
 */
double histogram_scale(double longest, unsigned room);

/* Append the bar: at most a column more than the room of its scale, for the `|`. */
void histogram_bar(struct text_buf *l, const struct histogram_range *range, double scale);

/*
 * Print what stands above the rows, an empty line last.  `slot` 0: the rows have
 * no common size, and their addresses are not told.  `scale` 0: there are no bars.
 */
void histogram_print_heading(const struct histogram *h, const struct histogram_options *o,
                             double scale, void (*line)(void *context, const char *text),
                             void *context);

/* How the intervals are made, `stratified`; where there are none, why: `fixed ticks`. */
const char *histogram_method(const struct histogram_rule *rule);

#endif
