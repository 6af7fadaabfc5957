/* SPDX-License-Identifier: MIT */
/*
 * Most samples have an index of one byte and the same few neighbours: their pairs are counted in a table of all
 * combinations, other pairs by hash.
 */
#include "tools/samples/sample_sums.h"

#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/samples/pair_table.h"

#define SHORT    256u                /* indexes in the table of all combinations */
#define RAWS     (SAMPLE_PLACES_MAX + SUMS_FULL)
#define NO_ROOM  RAWS                /* instead of a number: the place has none */
#define MASKED   0x80000000u         /* with the number of a place: interrupts were off */
#define ADD_MOST ((uint64_t)1 << 31) /* samples between two times at which the table is emptied: its counts have 32 bits */

/* Sums by the number of a place: its index, or SAMPLE_PLACES_MAX + its number in full; [1]: with interrupts off. */
struct adding {
    struct place_set full;
    struct raw_sum {
        uint64_t hits, changes;
    } *sum[2];
    size_t room[2];
    struct pair_table pairs;
    uint32_t *near;    /* SHORT times SHORT, by the number before and the number */
    uint64_t in_near;  /* samples since it was empty */
    uint32_t last;     /* number of the last sample */
};

struct sample_sums *sample_sums_new(void)
{
    struct sample_sums *s = xrealloc_array(NULL, 1, sizeof(*s));
    struct adding *a = xrealloc_array(NULL, 1, sizeof(*a));

    memset(s, 0, sizeof(*s));
    memset(a, 0, sizeof(*a));
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
    free(a->near);
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

        a->room[masked] = at < SHORT ? SHORT : 2 * at < RAWS ? 2 * at : RAWS;
        a->sum[masked] = xrealloc_array(a->sum[masked], a->room[masked], sizeof(*a->sum[masked]));
        memset(a->sum[masked] + before, 0, (a->room[masked] - before) * sizeof(*a->sum[masked]));
    }
    return &a->sum[masked][at];
}

static void add_pairs(struct sample_sums *s, uint32_t one, uint32_t other, uint64_t count)
{
    struct adding *a = s->adding;

    if (one == other || one == NO_ROOM || other == NO_ROOM || pair_table_add(&a->pairs, one, other, count, SUMS_PAIRS))
        return;
    sum_of(a, one)->changes += count;
    sum_of(a, other)->changes += count;
    s->blurred += count;
}

static void empty_near(struct sample_sums *s)
{
    struct adding *a = s->adding;

    for (uint32_t one = 0; a->near && one < SHORT; one++)
        for (uint32_t other = 0; other < SHORT; other++)
            if (a->near[one * SHORT + other])
                add_pairs(s, one, other, a->near[one * SHORT + other]);
    if (a->near)
        memset(a->near, 0, SHORT * SHORT * sizeof(*a->near));
    a->in_near = 0;
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
            add_pairs(s, a->last, number, 1);
        a->last = number;
    }
}

/* All of them are in the table. */
static void add_near(struct adding *a, const struct sample_stretch *s)
{
    struct raw_sum *const sum = a->sum[0];
    uint32_t last = s->place[0];

    sum[last].hits++;
    for (uint32_t i = 1; i < s->count; i++) {
        const uint32_t number = s->place[i];

        sum[number].hits++;
        a->near[last * SHORT + number] += s->pair[i];
        last = number;
    }
    a->last = last;
    a->in_near += s->count;
}

static bool is_near(const struct sample_stretch *s)
{
    unsigned any = 0;

    for (uint32_t i = 0; i < s->count; i++)
        any |= s->place[i];
    return any < SHORT && !s->told;
}

void sample_sums_add(struct sample_sums *s, const struct sample_stretch *stretch)
{
    struct adding *a = s->adding;

    if (!is_near(stretch)) {
        add_any(s, stretch);
        return;
    }
    if (!a->near) {
        a->near = xrealloc_array(NULL, SHORT * SHORT, sizeof(*a->near));
        memset(a->near, 0, SHORT * SHORT * sizeof(*a->near));
        sum_of(a, 0);
    }
    if (a->in_near >= ADD_MOST)
        empty_near(s);
    if (stretch->pair[0] && stretch->follows)
        add_pairs(s, a->last, stretch->place[0], 1);
    add_near(a, stretch);
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

        if (sum->hits)
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

/* The table becomes a list, in place. */
static void list_pairs(const struct numbering *n, struct adding *a)
{
    struct sample_sums *s = n->s;

    s->pair = a->pairs.slot;
    for (size_t i = 0; i < a->pairs.room; i++) {
        struct place_pair pair = a->pairs.slot[i];

        if (!pair.count)
            continue;
        pair.a = renumbered(n, pair.a);
        pair.b = renumbered(n, pair.b);
        if (pair.a != pair.b && is_known(s, pair.a) && is_known(s, pair.b))
            s->pair[s->pairs++] = pair;
    }
    s->pair = xrealloc_array(s->pair, s->pairs + 1, sizeof(*s->pair));
}

void sample_sums_finish(struct sample_sums *s, const struct place_index *index)
{
    struct adding *a = s->adding;
    struct numbering n = {.s = s, .index = index};

    empty_near(s);
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
