/* SPDX-License-Identifier: MIT */
/*
 * Raw samples as frames: SAMPLES and PLACES (probe/stream/wire.h).  This is the sender;
 * probe/stream/sample_decode.h is the other end.
 *
 * A place is (task, mode, late, pc).  A place that is seen a second time gets
 * the next free index and keeps it for the whole epoch; PLACES says what the
 * indexes mean and is repeated, so that a lost frame costs little.  No loss can make
 * a sample wrong.
 *
 * `codes` has for each sample:  0x01..0xc0  index 0..191;  0xc1..0xfe  index
 * 192 + ((byte - 0xc1) << 8 | next byte);  0xff  a place in full: mode (one
 * byte, 4 added where it is MASKED, 8 where STOLEN), task and zigzag pc, both LEB128.
 *
 * `steps`: the time of a sample, in units of HELLO.stamp, less what the one
 * before, as decoded, and the replayed schedule say: time before + (interval *
 * source_clock >> 16) + handler, for each tick in between.  Two bits a sample
 * from the second on, four to a byte, low bits first: 1 (no step), 2 (+1), 3
 * (-1), 0: its zigzag LEB128 stands behind the bits, in order.  Bits that are
 * left over are 0.
 *
 * Both have few zero bytes: at each of them COBS begins a new block.
 *
 * A SAMPLES frame with count 0 says how many samples there are in all, `first`.
 */
#ifndef PROBE_STREAM_SAMPLE_ENCODE_H
#define PROBE_STREAM_SAMPLE_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/core/samples.h"
#include "probe/core/schedule.h"
#include "probe/stream/wire.h"

#define SAMPLE_PLACES_MAX 8192u /* indexes; what comes later is told in full each time */
#define SAMPLE_FRAME_MAX  512u  /* samples in one SAMPLES frame */

/* What the codes are made of. */
#define SAMPLE_SHORT 192u /* indexes of one byte */
#define SAMPLE_LONG  0xc1 /* first byte of an index of two */
#define SAMPLE_FULL  0xff /* a place in full follows */
enum sample_step { SAMPLE_STEP_FAR, SAMPLE_STEP_NONE, SAMPLE_STEP_UP, SAMPLE_STEP_DOWN };

/* A place, as it is told. */
struct sample_location {
    uint64_t pc;
    uint32_t task;
    uint8_t mode; /* enum mode, and SAMPLE_DELAY_STEP times enum delay */
};
#define SAMPLE_DELAY_STEP 4

/* What sender and decoder must know of the run; the decoder takes it from HELLO. */
struct sample_setting {
    struct schedule schedule; /* as schedule_init() left it, the same words */
    uint64_t source_clock;    /* clock units in 65536 counts */
    uint64_t handler;         /* from a tick's expiry to the next arming, clock units */
    uint64_t stamp;           /* clock units in a unit of time, below 2^62; 0: no times are told */
    uint32_t thin;            /* two of 2 * thin ticks are told, at most DECIMATE_MAX; 1: all */
    uint64_t seed;            /* HELLO's: it chooses which ticks a thinned stream tells */
};

/* Clock units from tick to tick, as far as both ends foresee them, of an interval in counts. */
static inline uint64_t sample_predicted(uint64_t interval, uint64_t source_clock,
                                        uint64_t handler)
{
    return (interval * source_clock >> 16) + handler;
}

/* The same of the next interval of a schedule.  Any context. */
static inline uint64_t sample_replay(const struct sample_setting *setting, struct schedule *s)
{
    return sample_predicted(schedule_next(s), setting->source_clock, setting->handler);
}

/* ---- the sender ---- */

struct sample_encoder_request {
    struct sample_setting setting;
    uint64_t epoch;
    uint64_t start; /* clock of time 0 of all that is told */
    /* Takes a finished frame; may wait.  Task context. */
    void (*send)(void *context, struct wire_writer *frame);
    void *context;
};

/* Most bytes of codes and steps in a frame: the numbers before them take at most 75. */
#define SAMPLE_CODES_MAX (WIRE_FIELDS_MAX - 75)
#define SAMPLE_SLOTS     16384u /* of the hash table of places; a power of two */
#define SAMPLE_SEEN      4096u  /* of the filter of first sightings; a power of two */

/* The dictionary and the frame in the making; the caller's memory, 180 KB, all its own. */
struct sample_encoder {
    struct sample_encoder_request request;
    struct schedule schedule; /* after the interval to tick `ticks` - 1 */
    uint64_t ticks;           /* intervals replayed */
    uint64_t number, tick;    /* of the next sample to be told */
    uint64_t lost;            /* of those before it */
    uint64_t time;            /* the last one's, as decoded, and what was replayed since */
    /* Places by index; found by slot[], which holds indexes + 1. */
    struct sample_location place[SAMPLE_PLACES_MAX];
    uint16_t slot[SAMPLE_SLOTS];
    uint16_t seen[SAMPLE_SEEN]; /* parts of the hashes of places that have no index */
    uint32_t places, defined;   /* indexes given; of these, sent in PLACES */
    uint32_t turn, credit;      /* place to be repeated next; how many may be */
    /* The SAMPLES frame in the making; head.count is 0 where there is none. */
    struct wire_samples head;
    uint32_t codes, far;                       /* bytes of code[], of far steps */
    uint8_t code[SAMPLE_CODES_MAX];
    uint8_t step[SAMPLE_FRAME_MAX / 4 + SAMPLE_CODES_MAX]; /* bits, then far steps */
    struct wire_writer frame;
};

/* Begin an epoch.  Task context, as all of the sender. */
void sample_encoder_begin(struct sample_encoder *s, const struct sample_encoder_request *request);

/*
 * Take the next record of the ring, in order of ticks; gaps are samples that
 * found no room.  Ticks that thinning leaves out are taken and not told.
 */
void sample_encoder_put(struct sample_encoder *s, const struct sample_record *r);

/* Send what is in the making: once in a while, so that it is fresh. */
void sample_encoder_flush(struct sample_encoder *s);

/* The epoch is over after `ticks` ticks: send the rest, and every place once more. */
void sample_encoder_end(struct sample_encoder *s, uint64_t ticks);

#endif
