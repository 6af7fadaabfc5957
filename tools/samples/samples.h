/* SPDX-License-Identifier: MIT */
/*
 * What the SAMPLES, PLACES and MASKED_SAMPLES frames of one epoch tell in all, in any order and with any losses.  The
 * samples are not kept: a sample_reader gives them in a second reading.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/stream/sample_decode.h"
#include "probe/stream/sample_encode.h"
#include "probe/stream/wire.h"
#include "tools/samples/entropy.h"

/* Places of raw samples, numbered from 0 in the order in which they first came. */
struct place_set { /* all zeros: empty */
    struct sample_location *where; /* by number */
    uint32_t *slot;                /* number + 1; 0: free */
    size_t count, room;            /* `room` is the number of slots, a power of two; at most half are used */
};

/* The number of a place, which is added if it is new. */
uint32_t place_set_number(struct place_set *set, const struct sample_location *w);

bool place_set_has(const struct place_set *set, const struct sample_location *w);

void place_set_free(struct place_set *set);

bool place_is_same(const struct sample_location *a, const struct sample_location *b);

/* What the indexes of places mean, from the PLACES frames of one epoch (docs/PROTOCOL.md, "Raw samples"). */
struct sample_place {
    uint64_t pc;
    uint32_t task;
    enum mode mode;
    enum delay delay;
    bool masked; /* interrupts were off, which only ticks as NMI see */
    bool known; /* false: its PLACES row never arrived */
};

/* A hostile stream has thousands of epochs: memory grows with the highest index that was told. */
struct place_index { /* all zeros: none */
    struct place_meaning {
        struct sample_location where;
        bool defined;
    } *place;    /* by index */
    size_t room; /* at most SAMPLE_PLACES_MAX */
};

/*
 * Take a PLACES frame as a whole.  False, and nothing is taken, where it is not valid or gives an index another
 * meaning, which an image never does.
 */
bool place_index_add(struct place_index *p, struct wire_reader frame);

/* NULL: its meaning did not arrive. */
static inline const struct sample_location *place_index_find(const struct place_index *p, size_t index)
{
    return index < p->room && p->place[index].defined ? &p->place[index].where : NULL;
}

/* The point of such a sample fell into a handler of a tick. */
static inline bool place_is_dropped(const struct sample_location *where)
{
    return where->mode / SAMPLE_DELAY_STEP == DELAY_HANDLER;
}

/* The place that a location tells; interrupts were not off. */
struct sample_place sample_place_of(const struct sample_location *where);

void place_index_free(struct place_index *p);

/*
 * Puts the samples of one epoch into the order of their numbers, each once, in bounded memory.  A frame that follows
 * what was given is given at once.  A frame behind a gap waits for what is missing, until more than
 * ORDER_BYTES or ORDER_FRAMES wait; then the gap is given up, and what comes for it later is counted as late.
 */

#define ORDER_BYTES  ((size_t)8 << 20) /* more than a thousand frames of an image */
#define ORDER_FRAMES 2048u
#define ORDER_GAPS   64u               /* gaps that are remembered, to tell what came late from what came twice */

/* Samples of one frame whose numbers follow one another; valid while they are given. */
struct sample_stretch {
    uint64_t first;        /* number of the first */
    uint32_t count;        /* above 0 */
    bool follows;          /* sample first - 1 was given before it */
    const uint16_t *place; /* index, or SAMPLE_PLACES_MAX + position in full[] */
    const uint64_t *time;  /* clock units since start; NULL: not told */
    const bool *pair;      /* it makes a pair with the sample before it */
    const struct sample_location *full;
    /* bits from `bit` on: whether it is told if interrupts were off, and if so; NULL: of none */
    const uint8_t *told, *off;
    uint32_t bit;
};

typedef void sample_order_giver(void *context, const struct sample_stretch *stretch);

struct sample_order;

/*
 * `expects_marks`: each frame is followed by one that tells of its samples whether interrupts were off, and waits for
 * it.  Never NULL.  `give` may not call the functions below.
 */
struct sample_order *sample_order_new(bool expects_marks, sample_order_giver *give, void *context);
void sample_order_free(struct sample_order *o);

/* A frame that was decoded; count above 0. */
void sample_order_add(struct sample_order *o, const struct sample_batch *b);

/* A MASKED_SAMPLES frame.  False if it is not valid. */
bool sample_order_mark(struct sample_order *o, const struct wire_masked_samples *head);

/* No frame follows: give what waits. */
void sample_order_end(struct sample_order *o);

/* Samples that had been given before, and those that came after their gap was given up. */
uint64_t sample_order_twice(const struct sample_order *o);
uint64_t sample_order_late(const struct sample_order *o);

static inline bool stretch_bit(const uint8_t *bits, uint32_t at)
{
    return bits[at / 8] >> at % 8 & 1;
}

/*
 * Samples added up by place and by pair of places, in bounded memory: what profiles and entropies are made from.
 * Indexes may get their meaning after their samples, so sums are by index and become places at the end.
 *
 * What has no room is counted and never guessed: a sample of a place without room is one whose place is not known,
 * which widens intervals; a pair without room counts as a change of both of its places, which widens them too.
 */

#define SUMS_FULL  131072u /* places told in full that are told apart */
#define SUMS_PAIRS 393216u /* pairs of places that are told apart */

struct place_sum {
    struct sample_place place;
    uint64_t hits;    /* above 0 */
    uint64_t changes; /* of pairs with another place that are in no element of pair[] */
};

/* Two different places that are known, in no order: how many pairs of samples were at the one and the other. */
struct place_pair {
    uint32_t a, b; /* indexes in place[] */
    uint64_t count;
};

struct sample_sums { /* after sample_sums_finish(): */
    struct place_sum *place; /* places that are known once each; told indexes first */
    size_t places;
    struct place_pair *pair;
    size_t pairs;
    uint64_t in_handler; /* points that fell into handlers of ticks: they are in no place and no pair */
    uint64_t unresolved; /* samples whose place is not known, */
    uint64_t crowded;    /* of these: because there was no room */
    uint64_t blurred;    /* pairs that had no room */
    void *adding;        /* private; NULL after the end */
};

struct sample_sums *sample_sums_new(void);
void sample_sums_free(struct sample_sums *s);

void sample_sums_add(struct sample_sums *s, const struct sample_stretch *stretch);

/* No sample follows; what indexes mean is known. */
void sample_sums_finish(struct sample_sums *s, const struct place_index *index);

/* Bytes of memory after the end. */
size_t sample_sums_bytes(const struct sample_sums *s);

/* How much is made of them. */
enum samples_depth {
    SAMPLES_SUMMED,  /* all members but `steps` */
    SAMPLES_COUNTED, /* without `sums`, too */
    SAMPLES_STEPS,   /* all */
};

struct samples {
    struct sample_setting setting; /* from HELLO: determines the ticks that are sampled, and their times */
    struct place_index index; /* what the indexes of its frames mean */
    uint64_t count;      /* that arrived, each once */
    uint64_t told;       /* samples up to the last one that arrived or was reported as lost */
    uint64_t lost;       /* of these: no room in the ring, as the image reported */
    /* points that fell into handlers of ticks, in neither `count` nor `told`; 0 if sums were not asked for */
    uint64_t in_handler;
    uint64_t arrivals;   /* samples whose arrival was measured against their point; of these, clock units after it: */
    int64_t earliest, latest;
    uint64_t odd_arrivals; /* frames whose arrivals contradict each other */
    uint64_t first;      /* number of the first one in order */
    uint64_t timeless;   /* samples without times: the replay for them would exceed its limit */
    uint64_t marks;      /* MASKED_SAMPLES frames that arrived */
    uint64_t marked;     /* samples of which is told whether interrupts were off */
    uint64_t damaged;    /* frames with invalid codes, steps or places, ignored */
    uint64_t duplicates; /* samples that arrived twice: taken once */
    uint64_t late;       /* samples that arrived too late to be put in order: not taken */
    uint64_t bytes;      /* of these frames on the line, zeros included */
    uint64_t replay;     /* what was left of the replay before the first frame */
    uint64_t first_time, last_time; /* of the samples in order; 0: not known */
    bool timed;          /* all that arrived have times */
    size_t held;         /* bytes of memory that stay until the end of the epoch */
    struct sample_sums *sums; /* NULL: not asked for */
    struct step_tally *steps; /* of all frames with times; NULL: none, or not asked for */
    void *decoder;       /* private to samples.c; NULL after samples_finish() */
};

/*
 * Ticks of thinned samples that are replayed for a stream, 5 to 12 ns each by policy and
 * generator: 7 hours at 10 kHz.  Without a bound 1 MB asks for 3 * 10^9 of them, half a minute.
 */
#define SAMPLES_REPLAY ((uint64_t)1 << 28)

/*
 * Begin; `setting` from HELLO.  NULL if samples cannot be decoded with it: no policy, or thinned by
 * more than DECIMATE_MAX.  *replayed counts the ticks that are replayed for the times of thinned
 * samples, SAMPLES_REPLAY at most; it must be valid up to the last frame.  NULL: no bound.
 */
struct samples *samples_new(const struct sample_setting *setting, uint64_t *replayed, enum samples_depth depth);
void samples_free(struct samples *s);

/* Each frame of samples is followed by one that tells which of them found interrupts off; before the first frame. */
void samples_expect_marks(struct samples *s);

/* Take one frame of the epoch; `length` its bytes on the line. */
void samples_add_frame(struct samples *s, struct wire_reader *r, size_t length);

/* After the last frame.  Before this the members tell of a part of the frames, and `sums` is not valid. */
void samples_finish(struct samples *s);

/*
 * After samples_finish(), of a stream whose begin was cut off:
 * the samples before the first that arrived are nobody's loss.
 */
void samples_begin_at_first(struct samples *s);

/* Samples whose place is not known; 0 if sums were not asked for. */
static inline uint64_t samples_unresolved(const struct samples *s)
{
    return s->sums ? s->sums->unresolved : 0;
}

/*
 * Zero-order entropy in bits per sample: of the places, of (task, mode) alone, and of the time
 * steps of all frames (0 if not timed).  After samples_finish(), of SAMPLES_STEPS.
 */
struct samples_entropy {
    double places, cells, steps;
};
struct samples_entropy samples_entropy(const struct samples *s);

/*
 * The raw samples of one epoch, one by one, when the meaning of their places is known: a second reading of its
 * frames, in bounded memory.
 */

/* A sample, resolved. */
struct resolved_sample {
    uint64_t number; /* among all samples, from 0 */
    uint64_t tick;   /* number of its tick, from 0 */
    uint64_t time;   /* clock units since start; 0: not known */
    struct sample_place place;
    bool pair;       /* the schedule makes it a pair with sample number - 1 */
    /*
     * sample number - 1 was given just before it; else some before it did not arrive, were dropped,
     * or it is the first
     */
    bool follows;
    bool dropped;    /* no sample: its point fell into a handler of a tick */
};

typedef void sample_taker(void *context, const struct resolved_sample *s);

struct sample_reader;

/*
 * `known` is what a first reading made of the same frames, after samples_finish(); it must outlive the reader.
 * `take` gets each sample once, and each point that is none, in the order of their numbers.  Never NULL.
 */
struct sample_reader *sample_reader_new(const struct samples *known, sample_taker *take, void *context);

/* Take a SAMPLES or MASKED_SAMPLES frame; others change nothing. */
void sample_reader_frame(struct sample_reader *s, struct wire_reader frame);

/* No frame follows: the last samples are given. */
void sample_reader_end(struct sample_reader *s);
void sample_reader_free(struct sample_reader *s);
