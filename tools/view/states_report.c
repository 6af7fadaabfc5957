/* SPDX-License-Identifier: MIT */
/* Shares of classes and hits of an expression, as text. */
#include "tools/view/states_report.h"

#include <inttypes.h>
#include <string.h>

#include "tools/analysis/execution_time.h"

const char *states_duration(const struct states *s, double units, char text[32])
{
    const double seconds = units / s->in->hz;
    const struct time_unit unit = time_unit_of(seconds);

    snprintf(text, 32, "%.*f %s", seconds / unit.seconds < 10.0 ? 2 : 1, seconds / unit.seconds, unit.name);
    return text;
}

/* ---- shares ---- */

static void print_class(const struct states *s, unsigned code)
{
    const struct duration_histogram *d = &s->of[code];
    char mean[32], greatest[32];

    printf("%c     %-15s %8.3f %%  %12.6f  %10" PRIu64 "  %9s  %9s  %12.6f\n", class_letter(code),
           class_tree_name(s->tree, code), s->total ? 100.0 * (double)d->total / (double)s->total : 0.0,
           (double)d->total / s->in->hz, d->count, states_duration(s, duration_histogram_mean(d), mean),
           states_duration(s, (double)d->greatest, greatest), timeline_seconds(s->in, d->greatest_at));
}

static bool is_leaf_class(const struct class_tree *tree, unsigned code)
{
    for (unsigned i = 0; i < tree->leaves; i++)
        if (tree->leaf[i].code == code)
            return code < CLASS_COUNT;
    return false;
}

/* The fewest bytes that a change could take whose predecessors say nothing of it. */
static void print_entropy(const struct states *s)
{
    const double code = entropy_tally_bits(&s->codes), units = entropy_tally_bits(&s->lengths), us = entropy_tally_bits(&s->lengths_us);

    printf("\nentropy of a change: %s%.3f bytes with its length to the clock unit, %s%.3f to the microsecond; its class %.3f bits\n",
           s->lengths.rest ? "at least " : "", (code + units) / 8.0, s->lengths_us.rest ? "at least " : "", (code + us) / 8.0, code);
}

void states_print(const struct states *s)
{
    printf("class %-15s %10s  %12s  %10s  %9s  %9s  %12s\n", "name", "share", "seconds", "changes", "mean", "longest",
           "at second");
    for (unsigned code = 0; code < CLASS_CODES; code++)
        if (s->of[code].count || is_leaf_class(s->tree, code))
            print_class(s, code);
    if (s->sequence.unknown)
        printf("-     %-15s %10s  %12.6f  %10" PRIu64 "\n", "(not known)", "",
               (double)s->sequence.unknown_time / s->in->hz, s->sequence.unknown);
    print_entropy(s);
}

/* ---- hits ---- */

void states_print_hit(const struct states *s, uint64_t number, const struct states_hit *hit)
{
    printf("%8" PRIu64 "  %12.6f  %12.9f  %12.9f  %8" PRIu64 "  %" PRIu64 "\n", number, timeline_seconds(s->in, hit->begin),
           (double)(hit->end - hit->begin) / s->in->hz, (double)hit->time / s->in->hz, hit->changes, hit->number);
}

/* A line of the histogram: where the bucket begins. */
static void print_bucket(const struct states *s, unsigned b, uint64_t most)
{
    const uint64_t count = s->hits.bucket[b];
    char low[32];

    printf("%10s  %10" PRIu64 "  ", states_duration(s, (double)duration_histogram_from(&s->hits, b), low), count);
    for (uint64_t i = 0; i < (count * 50 + most - 1) / most; i++)
        putchar('#');
    putchar('\n');
}

static void print_histogram(const struct states *s)
{
    uint64_t most = 1;
    unsigned first, end;

    duration_histogram_range(&s->hits, &first, &end);
    for (unsigned b = first; b < end; b++)
        most = s->hits.bucket[b] > most ? s->hits.bucket[b] : most;
    printf("%10s  %10s\n", "from", "hits");
    for (unsigned b = first; b < end; b++)
        print_bucket(s, b, most);
    if (end == DURATION_BUCKETS)
        puts("The last line has all longer ones too.");
}

static void print_first(const struct states *s)
{
    const uint64_t shown = s->hits.count < STATES_HITS ? s->hits.count : STATES_HITS;

    puts("     hit     at second        length          runs   changes  first change");
    for (uint64_t i = 0; i < shown; i++)
        states_print_hit(s, i + 1, &s->first[i]);
    if (shown < s->hits.count)
        printf("%" PRIu64 " more: --hits lists all\n", s->hits.count - shown);
}

void states_print_hits(const struct states *s)
{
    const struct duration_histogram *d = &s->hits;
    char text[4][32];

    printf("%s'%s'%s%s: %" PRIu64 " hits in %" PRIu64 " changes\n", s->all_hits ? "\n" : "", s->expression, s->task ? " of " : "",
           s->task ? s->task : "", d->count, s->sequence.runs);
    if (!d->count)
        return;
    printf("total %s, mean %s, least %s, greatest %s at %.6f s\n\n", states_duration(s, (double)d->total, text[0]),
           states_duration(s, duration_histogram_mean(d), text[1]), states_duration(s, (double)d->least, text[2]),
           states_duration(s, (double)d->greatest, text[3]), timeline_seconds(s->in, d->greatest_at));
    print_histogram(s);
    if (!s->all_hits) {
        putchar('\n');
        print_first(s);
    }
}
