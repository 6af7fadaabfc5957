/* SPDX-License-Identifier: MIT */
/*
 * Prints shares of classes and hits of an expression as text, or as JSON, an object a line; and the tree of classes
 * with its measured shares.
 */
#include "tools/view/states_report.h"

#include <string.h>

#include "tools/draw/tree_chart.h"
#include "tools/json/report_json.h"

#define A_LINE (JSON_COMPACT | JSON_REAL_PRECISION(12))

#define HIT_MEMBERS(M, O)                                                           \
    M(COUNT, hit, "number of the hit, from 1")                                      \
    M(REAL, at, "its begin, s since the image started")                             \
    M(REAL, length, "from its begin to its end, s")                                 \
    M(REAL, runs, "time in its classes, s: less than its length where another task ran between (--of)") \
    M(COUNT, changes, "changes of class in it")                                     \
    M(COUNT, first_change, "number of its first change in the run")
REPORT_SHARED(states_hit, HIT_MEMBERS)

#define LENGTHS_MEMBERS(M, O)                                                       \
    M(COUNT, count, "how often")                                                    \
    M(REAL, seconds, "time in all, s")                                              \
    M(REAL, mean, "mean length, s")                                                 \
    M(REAL, longest, "greatest length, s")                                          \
    M(REAL, longest_at, "begin of the longest, s since the image started")
#define CLASS_MEMBERS(M, O)                                                         \
    LENGTHS_MEMBERS(M, O)                                                           \
    M(TEXT, class, "the class, a letter")                                           \
    M(TEXT, name, "name of the class")                                              \
    M(REAL, share, "part of the known time, 0 to 1")
REPORT_OBJECT(class, CLASS_MEMBERS)

#define BUCKET_MEMBERS(M, O)                                                        \
    M(REAL, from, "least length, s: the next one's ends it")                        \
    M(COUNT, hits, "hits of these lengths")
REPORT_OBJECT(bucket, BUCKET_MEMBERS)

#define MATCH_MEMBERS(M, O)                                                         \
    LENGTHS_MEMBERS(M, O)                                                           \
    M(TEXT, expression, "what was looked for")                                      \
    O(LIST, histogram, bucket, "hits by length, by powers of two or by --linear; without lengths that have none")
REPORT_OBJECT(match, MATCH_MEMBERS)

#define ENTROPY_MEMBERS(M, O)                                                       \
    M(REAL, class, "of the class, bits")                                            \
    M(REAL, length, "of the length in clock units, bits")                           \
    M(REAL, length_us, "of the length in microseconds, bits")
REPORT_OBJECT(entropy, ENTROPY_MEMBERS)

#define STATES_MEMBERS(M, O)                                                        \
    M(COUNT, changes, "changes of class")                                           \
    O(LIST, classes, class, "the classes that the run was in")                      \
    O(OBJECT, entropy_bits, entropy, "the least bits that a change could take if those before say nothing of it") \
    M(REAL, unknown_seconds, "time whose class is not known, s")                    \
    O(OBJECT_IF, match, match, "with --match: what the expression found")
REPORT_SHARED(states, STATES_MEMBERS)

static double seconds(const struct states *s, int64_t units)
{
    return (double)units / s->in->hz;
}

static json_t *hit_json(const struct states *s, uint64_t number, const struct states_hit *hit)
{
    return REPORT_MAKE(states_hit, .hit = number, .at = seconds(s, hit->begin),
                       .length = seconds(s, hit->end - hit->begin), .runs = seconds(s, hit->time),
                       .changes = hit->changes, .first_change = hit->number);
}

#define HIT_TEXT "{hit|8d}  {at|12.6f}  {length|12.9f}  {runs|12.9f}  {changes|8d}  {first_change}\n"

void states_print_hit(const struct states *s, uint64_t number, const struct states_hit *hit)
{
    report_print(hit_json(s, number, hit), HIT_TEXT, s->json, A_LINE);
}

/* The members of LENGTHS_MEMBERS. */
#define LENGTHS(s, d)                                                                                         \
    .count = (d)->count, .seconds = seconds(s, (d)->total), .mean = duration_histogram_mean(d) / (s)->in->hz, \
    .longest = seconds(s, (d)->greatest), .longest_at = seconds(s, (d)->greatest_at)

static json_t *class_json(const struct states *s, unsigned code)
{
    const struct duration_histogram *d = &s->of[code];
    const char letter[] = { class_letter(code), '\0' };

    return REPORT_MAKE(class, LENGTHS(s, d), .class = letter, .name = class_tree_name(s->tree, code),
                       .share = s->total ? (double)d->total / (double)s->total : 0.0);
}

/* NULL: nothing was looked for. */
static json_t *hits_json(const struct states *s)
{
    json_t *histogram;

    if (!s->match)
        return NULL;
    histogram = json_array();
    for (unsigned b = 0; b < DURATION_BUCKETS; b++)
        if (s->hits.bucket[b])
            REPORT_ADD(histogram, bucket, .hits = s->hits.bucket[b],
                       .from = seconds(s, (int64_t)duration_histogram_from(&s->hits, b)));
    return REPORT_MAKE(match, LENGTHS(s, &s->hits), .expression = s->expression, .histogram = histogram);
}

static bool is_leaf_class(const struct class_tree *tree, unsigned code)
{
    for (unsigned i = 0; i < tree->leaves; i++)
        if (tree->leaf[i].code == code)
            return code < CLASS_COUNT;
    return false;
}

/* Of all classes; the entropy is the fewest bytes that a change could take if those before say nothing of it. */
static const char text[] =
    "class name                 share       seconds     changes       mean    longest     at second\n"
    "[classes:{class}     {name|-15s} {share*100|8.3f} %  {seconds|12.6f}  {count|10d}  {mean|9u}  {longest|9u}  "
    "{longest_at|12.6f}\n][unknown?-     (not known)                 {unknown_seconds|12.6f}  {unknown|10d}\n]"
    "\nentropy of a change: [rest?at least ]{entropy_bits.class+entropy_bits.length/8|.3f} bytes with its length to "
    "the clock unit, [rest_us?at least ]{entropy_bits.class+entropy_bits.length_us/8|.3f} to the microsecond; its "
    "class {entropy_bits.class|.3f} bits\n";

static const char match_text[] =
    "[listed?\n]'{match.expression}'[task? of {task}]: {match.count} hits in {changes} changes\n"
    "[match.count?total {match.seconds|u}, mean {match.mean|u}, least {least|u}, greatest {match.longest|u} at "
    "{match.longest_at|.6f} s\n\n      from        hits\n[buckets:{from|10u}  {hits|10d}  {bar}\n]"
    "[endless?The last line has all longer ones too.\n]"
    "[listed!\n     hit     at second        length          runs   changes  first change\n[first:" HIT_TEXT "]"
    "[more?{more} more: --hits lists all\n]]]";

/* Those between two with hits too, and a bar for each. */
static json_t *buckets_json(const struct states *s, unsigned first, unsigned end)
{
    json_t *const list = json_array();
    uint64_t most = 1;

    for (unsigned b = first; b < end; b++)
        most = s->hits.bucket[b] > most ? s->hits.bucket[b] : most;
    for (unsigned b = first; b < end; b++) {
        const uint64_t hits = s->hits.bucket[b];
        char bar[] = "##################################################";

        bar[(hits * strlen(bar) + most - 1) / most] = '\0';
        json_array_append_new(list, json_pack(
            "{sf so ss}", "from", seconds(s, (int64_t)duration_histogram_from(&s->hits, b)), "hits", json_count(hits),
            "bar", bar));
    }
    return list;
}

/* What only the text has. */
static json_t *more_text(const struct states *s)
{
    const uint64_t shown = s->hits.count < STATES_HITS ? s->hits.count : STATES_HITS;
    json_t *const hits = json_array();
    unsigned first, end;

    for (uint64_t i = 0; i < shown; i++)
        json_array_append_new(hits, hit_json(s, i + 1, &s->first[i]));
    duration_histogram_range(&s->hits, &first, &end);
    return json_pack("{so sb sb sb ss* sf so sb so so}", "unknown", json_count(s->sequence.unknown), "rest",
                     s->lengths.rest != 0, "rest_us", s->lengths_us.rest != 0, "listed", s->all_hits, "task", s->task,
                     "least", seconds(s, s->hits.least), "buckets", buckets_json(s, first, end), "endless",
                     end == DURATION_BUCKETS, "first", hits, "more", json_count(s->hits.count - shown));
}

void states_print(const struct states *s)
{
    json_t *classes = json_array(), *whole;

    for (unsigned code = 0; code < CLASS_CODES; code++)
        if (s->of[code].count || (!s->json && is_leaf_class(s->tree, code)))
            json_array_append_new(classes, class_json(s, code));
    whole = REPORT_MAKE(states, .changes = s->sequence.runs, .classes = classes,
                        .entropy_bits = REPORT_MAKE(entropy, .class = entropy_tally_bits(&s->codes),
                                                    .length = entropy_tally_bits(&s->lengths),
                                                    .length_us = entropy_tally_bits(&s->lengths_us)),
                        .unknown_seconds = seconds(s, s->sequence.unknown_time), .match = hits_json(s));
    if (!s->json)
        json_object_update_new(whole, more_text(s));
    report_print(whole, s->match ? match_text : text, s->json, A_LINE);
}

struct drawn {
    struct tree_chart chart;
    struct tree_node node[TREE_NODES];
    size_t at[CLASS_NODES + 1]; /* by number of the tree's node */
};

_Static_assert(TREE_NODES > 2 * (CLASS_NODES + 1), "room for each node, its REST, and PAUSE");

static size_t add(struct drawn *d, const char *label, size_t parent, int64_t time, const struct states *s)
{
    struct tree_node *n = &d->node[d->chart.nodes];

    snprintf(n->label, sizeof(n->label), "%s", label);
    n->parent = parent;
    n->share = s->total > 0 && time > 0 ? (double)time / (double)s->total : 0.0;
    n->leaf = true;
    return d->chart.nodes++;
}

static size_t add_code(struct drawn *d, unsigned code, const char *name, size_t parent, int64_t time,
                       const struct states *s)
{
    char label[32];

    snprintf(label, sizeof(label), "%c %s", class_letter(code), name);
    return add(d, label, parent, time, s);
}

/* The time in a node's own leaf. */
static int64_t time_of(const struct states *s, unsigned node)
{
    int64_t time = 0;

    for (unsigned i = 0; i < s->tree->leaves; i++)
        if (s->tree->leaf[i].node == node)
            time += s->sequence.leaf_time[i];
    return time;
}

/* Those below a node of the tree, then its REST where time fell to it. */
static void add_below(struct drawn *d, const struct states *s, unsigned node)
{
    const struct class_tree *t = s->tree;

    for (unsigned i = 1; i < t->nodes; i++) {
        if (t->node[i].parent != node)
            continue;
        d->at[i] = t->node[i].inner ? add(d, t->node[i].name, d->at[node], 0, s)
                                    : add_code(d, t->node[i].code, t->node[i].name, d->at[node], time_of(s, i), s);
        if (t->node[i].inner)
            add_below(d, s, i);
    }
    if (time_of(s, node) != 0)
        add_code(d, CLASS_REST, "REST", d->at[node], time_of(s, node), s);
}

/* A branch has the sum of what is below it.  Nodes stand behind their parents. */
static void sum_up(struct drawn *d)
{
    for (size_t i = d->chart.nodes; i-- > 1;) {
        d->node[d->node[i].parent].share += d->node[i].share;
        d->node[d->node[i].parent].leaf = false;
    }
}

static void make(struct drawn *d, const struct states *s, const char *title)
{
    memset(d, 0, sizeof(*d));
    d->chart.title = title;
    d->chart.node = d->node;
    add(d, "all", 0, 0, s);
    add_below(d, s, 0);
    if (s->sequence.pause_time)
        add_code(d, CLASS_PAUSE, "PAUSE", 0, s->sequence.pause_time, s);
    sum_up(d);
}

void states_print_tree(const struct states *s, bool ascii)
{
    struct drawn d;

    make(&d, s, "");
    tree_chart_print(&d.chart, stdout, ascii);
}

bool states_svg_tree(const void *states, FILE *out)
{
    const struct states *s = states;
    char title[160];
    struct drawn d;

    snprintf(title, sizeof(title), "Classes of states: %.100s%s%.20s", s->in->path, s->task ? ", " : "",
             s->task ? s->task : "");
    make(&d, s, title);
    return tree_chart_svg(&d.chart, out);
}
