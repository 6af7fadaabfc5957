/* SPDX-License-Identifier: MIT */
/*
 * Pairs of places with low indexes are counted in a table of all combinations, others by hash.  Frames in which each
 * sample has an index, and which tell nothing of interrupts, are most frames and have a path of their own.
 */
#include "tools/samples/sample_sums.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/samples/pair_table.h"

#define RAWS    (SAMPLE_PLACES_MAX + SUMS_FULL)
#define NO_ROOM RAWS                /* instead of a number: the place has none */
#define MASKED  0x80000000u         /* with the number of a place: interrupts were off */

/* Sums by the number of a place: its index, or SAMPLE_PLACES_MAX + its number in full; [1]: with interrupts off. */
struct adding {
    struct place_set full;
    struct raw_sum {
        uint64_t hits, changes;
    } *sum[2];
    size_t room[2];
    struct pair_table pairs; /* none with both numbers below NEAR_PLACES: these are in `near` */
    struct near_pairs near;
    uint32_t last; /* number of the last sample */
};

struct sample_sums *sample_sums_new(void)
{
    struct sample_sums *s = xcalloc(1, sizeof(*s));
    struct adding *a = xcalloc(1, sizeof(*a));

    a->near = near_pairs_new();
    s->adding = a;
    return s;
}

static void free_adding(struct adding *a)
{
    if (!a)
        return;
    place_set_free(&a->full);
    free(a->sum[0]);
    free(a->sum[1]);
    near_pairs_free(&a->near);
    free(a);
}

void sample_sums_free(struct sample_sums *s)
{
    if (!s)
        return;
    if (s->adding)
        free(((struct adding *)s->adding)->pairs.slot);
    free_adding(s->adding);
    free(s->place);
    free(s->pair);
    free(s);
}

/* ---- adding ---- */

static struct raw_sum *sum_of(struct adding *a, uint32_t number)
{
    const unsigned masked = (number & MASKED) != 0;
    const size_t at = number & ~MASKED;

    if (at >= a->room[masked]) {
        const size_t before = a->room[masked];

        a->room[masked] = at < NEAR_PLACES ? NEAR_PLACES : 2 * at < RAWS ? 2 * at : RAWS;
        a->sum[masked] = xrealloc_array(a->sum[masked], a->room[masked], sizeof(*a->sum[masked]));
        memset(a->sum[masked] + before, 0, (a->room[masked] - before) * sizeof(*a->sum[masked]));
    }
    return &a->sum[masked][at];
}

static void add_far(struct sample_sums *s, uint32_t one, uint32_t other)
{
    struct adding *a = s->adding;

    if (one == other || one == NO_ROOM || other == NO_ROOM || pair_table_add(&a->pairs, one, other, 1, SUMS_PAIRS))
        return;
    sum_of(a, one)->changes++;
    sum_of(a, other)->changes++;
    s->blurred++;
}

static inline void add_pair(struct sample_sums *s, uint32_t one, uint32_t other)
{
    struct adding *a = s->adding;

    if ((one | other) < NEAR_PLACES)
        near_pairs_add(&a->near, one, other);
    else
        add_far(s, one, other);
}

static uint32_t number_of(struct adding *a, const struct sample_stretch *s, uint32_t i)
{
    const uint32_t masked = s->told && stretch_bit(s->off, s->bit + i) ? MASKED : 0;
    const struct sample_location *full;

    if (s->place[i] < SAMPLE_PLACES_MAX)
        return s->place[i] | masked;
    full = &s->full[s->place[i] - SAMPLE_PLACES_MAX];
    if (a->full.count == SUMS_FULL && !place_set_has(&a->full, full))
        return NO_ROOM;
    return (SAMPLE_PLACES_MAX + place_set_number(&a->full, full)) | masked;
}

static void add_any(struct sample_sums *s, const struct sample_stretch *stretch)
{
    struct adding *a = s->adding;

    for (uint32_t i = 0; i < stretch->count; i++) {
        const uint32_t number = number_of(a, stretch, i);

        if (number == NO_ROOM)
            s->crowded++;
        else
            sum_of(a, number)->hits++;
        if (stretch->pair[i] && (i || stretch->follows))
            add_pair(s, a->last, number);
        a->last = number;
    }
}

/* All places are indexes, none above `most`. */
static void add_indexes(struct sample_sums *s, const struct sample_stretch *stretch, uint32_t most)
{
    struct adding *a = s->adding;
    const struct near_pairs near = a->near;
    const uint16_t *const place = stretch->place;
    const bool *const pair = stretch->pair;
    const uint32_t count = stretch->count;
    struct raw_sum *sum;

    sum_of(a, most);
    sum = a->sum[0];
    sum[place[0]].hits++;
    if (pair[0] && stretch->follows)
        add_pair(s, a->last, place[0]);
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t one = place[i - 1], other = place[i];

        sum[other].hits++;
        if (pair[i] && (one | other) < NEAR_PLACES)
            near_pairs_add(&near, one, other);
        else if (pair[i])
            add_far(s, one, other);
    }
    a->last = place[count - 1];
}

/* Not below any place: all their bits, four places at a time. */
static uint32_t bits_of(const struct sample_stretch *s)
{
    uint64_t bits = 0, four;
    uint32_t i = 0;

    for (; i + 4 <= s->count; i += 4) {
        memcpy(&four, s->place + i, sizeof(four));
        bits |= four;
    }
    for (; i < s->count; i++)
        bits |= s->place[i];
    bits |= bits >> 32;
    return (uint16_t)(bits | bits >> 16);
}

void sample_sums_add(struct sample_sums *s, const struct sample_stretch *stretch)
{
    const uint32_t most = bits_of(stretch);

    if (most >= SAMPLE_PLACES_MAX || stretch->told)
        add_any(s, stretch);
    else
        add_indexes(s, stretch, most);
}

/* ---- the end ---- */

#define NONE UINT32_MAX

/* From numbers to elements of place[]. */
struct numbering {
    struct sample_sums *s;
    const struct place_index *index;
    struct place_set known;
    uint32_t *at[2];     /* of the places in `known`: with interrupts on, and off */
    uint32_t *number[2]; /* of each number in sum[] */
};

static uint32_t add_place(struct sample_sums *s, struct sample_place place)
{
    GROW(s->place, s->places);
    s->place[s->places] = (struct place_sum){.place = place};
    return (uint32_t)s->places++;
}

/* The element of a location; a place that was told in full before it had an index gets that of the index. */
static uint32_t element_of(struct numbering *n, const struct sample_location *where, unsigned masked)
{
    const size_t before = n->known.count;
    const uint32_t which = place_set_number(&n->known, where);
    struct sample_place place = sample_place_of(where);

    if (which == before) {
        n->at[0] = xgrow(n->at[0], which, sizeof(*n->at[0]));
        n->at[1] = xgrow(n->at[1], which, sizeof(*n->at[1]));
        n->at[0][which] = n->at[1][which] = NONE;
    }
    if (n->at[masked][which] == NONE) {
        place.masked = masked;
        n->at[masked][which] = add_place(n->s, place);
    }
    return n->at[masked][which];
}

static void number_sums(struct numbering *n, struct adding *a, unsigned masked)
{
    n->number[masked] = xrealloc_array(NULL, a->room[masked] + 1, sizeof(*n->number[masked]));
    for (size_t i = 0; i < a->room[masked]; i++) {
        const struct raw_sum *sum = &a->sum[masked][i];
        const struct sample_location *where =
            i < SAMPLE_PLACES_MAX ? place_index_find(n->index, i) : &a->full.where[i - SAMPLE_PLACES_MAX];
        uint32_t at = NONE;

        if (sum->hits && where && place_is_dropped(where)) /* a sum without hits may have no place */
            n->s->in_handler += sum->hits;
        else if (sum->hits)
            at = where ? element_of(n, where, masked) : add_place(n->s, (struct sample_place){.known = false});
        n->number[masked][i] = at;
        if (at == NONE)
            continue;
        n->s->place[at].hits += sum->hits;
        n->s->place[at].changes += sum->changes;
        n->s->unresolved += where ? 0 : sum->hits;
    }
}

static uint32_t renumbered(const struct numbering *n, uint32_t number)
{
    return n->number[(number & MASKED) != 0][number & ~MASKED];
}

static bool is_known(const struct sample_sums *s, uint32_t place)
{
    return s->place[place].place.known;
}

static void list_pair(const struct numbering *n, struct place_pair pair)
{
    struct sample_sums *s = n->s;

    pair.a = renumbered(n, pair.a);
    pair.b = renumbered(n, pair.b);
    if (pair.a == NONE || pair.b == NONE)
        return;
    if (pair.a != pair.b && is_known(s, pair.a) && is_known(s, pair.b))
        s->pair[s->pairs++] = pair;
}

/* The table becomes a list, in place, and the pairs in the other table follow. */
static void list_pairs(const struct numbering *n, struct adding *a)
{
    struct sample_sums *s = n->s;
    size_t low = a->room[0] < NEAR_PLACES ? a->room[0] : NEAR_PLACES;

    while (low && !a->sum[0][low - 1].hits) /* the table is large, most runs have few places */
        low--;
    s->pair = a->pairs.slot;
    for (size_t i = 0; i < a->pairs.room; i++)
        if (a->pairs.slot[i].count)
            list_pair(n, a->pairs.slot[i]);
    s->pair = xrealloc_array(s->pair, s->pairs + low * low / 2 + 1, sizeof(*s->pair));
    for (uint32_t b = 1; b < low; b++)
        for (uint32_t one = 0; one < b; one++)
            if (near_pairs_of(&a->near, one, b))
                list_pair(n, (struct place_pair){one, b, near_pairs_of(&a->near, one, b)});
    s->pair = xrealloc_array(s->pair, s->pairs + 1, sizeof(*s->pair));
}

void sample_sums_finish(struct sample_sums *s, const struct place_index *index)
{
    struct adding *a = s->adding;
    struct numbering n = {.s = s, .index = index};

    for (unsigned masked = 0; masked < 2; masked++)
        number_sums(&n, a, masked);
    if (s->crowded) {
        const uint32_t at = add_place(s, (struct sample_place){.known = false});

        s->place[at].hits = s->crowded;
        s->unresolved += s->crowded;
    }
    list_pairs(&n, a);
    for (unsigned masked = 0; masked < 2; masked++) {
        free(n.at[masked]);
        free(n.number[masked]);
    }
    place_set_free(&n.known);
    free_adding(a);
    s->adding = NULL;
}

size_t sample_sums_bytes(const struct sample_sums *s)
{
    return sizeof(*s) + 2 * s->places * sizeof(*s->place) + s->pairs * sizeof(*s->pair);
}
