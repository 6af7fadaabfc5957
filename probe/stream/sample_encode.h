/* SPDX-License-Identifier: MIT */
/*
 * Raw samples as frames: PACKED_SAMPLES and PACKED_PLACES (probe/stream/wire.h).  This is the sender;
 * probe/stream/sample_decode.h is the receiver, which also reads SAMPLES and PLACES of older senders.
 *
 * A place is (task, mode, late, pc).  Places are the keys of a stable dictionary
 * (probe/coding/dictionary.h); PACKED_PLACES defines the indexes.  No loss can make a sample wrong.
 *
 * SAMPLES, `codes`: for each sample  0x01..0xc0  index 0..191;  0xc1..0xfe  index
 * 192 + ((byte - 0xc1) << 8 | next byte);  0xff  a place in full: mode (one
 * byte, 4 added where it is MASKED, 8 where STOLEN), task and zigzag pc, both LEB128.
 *
 * `steps`: the time of a sample minus its predicted time, in units of HELLO.stamp.  The
 * prediction is the decoded time of the previous sample plus (interval * source_clock
 * >> 16) + handler for each tick in between.  Two bits per sample from the second on,
 * four samples in a byte, low bits first: 1 (no step), 2 (+1), 3 (-1), 0 (another
 * step: its zigzag LEB128 follows after all the bits, in order).  Unused bits are 0.
 *
 * With points (HELLO.unit) the predicted time is the sample's point, and `time` is that of the first one's; its
 * lateness is in `late`.
 *
 * PACKED_SAMPLES: the same places by the coders of probe/coding/column_pack.h, and the same steps as runs
 * (docs/PROTOCOL.md, "Packed samples").
 *
 * A frame of either with count 0 gives the number of all samples in `first`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/coding/column_pack.h"
#include "probe/coding/dictionary.h"
#include "probe/core/samples.h"
#include "probe/schedule/schedule.h"
#include "probe/schedule/splitmix64.h"
#include "probe/stream/wire.h"

#define SAMPLE_PLACES_MAX DICTIONARY_MAX

#ifndef SAMPLE_FRAME_MAX
#define SAMPLE_FRAME_MAX 1024u /* samples in one frame */
#endif

/* A byte of steps as runs: the number of samples without a step, times 4, and the step of the sample after them. */
#define PACK_RUN_MAX   63u

/* The step of a sample in two bits. */
enum sample_step { SAMPLE_STEP_FAR, SAMPLE_STEP_NONE, SAMPLE_STEP_UP, SAMPLE_STEP_DOWN };

/* Bytes of the step bits of so many samples: two bits each, none for the first. */
static inline uint32_t sample_step_bytes(uint32_t count)
{
    return count == 0 ? 0 : (count + 2) / 4;
}

/* The values of the codes of SAMPLES. */
#define SAMPLE_SHORT DICTIONARY_SHORT
#define SAMPLE_LONG  DICTIONARY_LONG
#define SAMPLE_FULL  DICTIONARY_FULL

/* A place, as it is sent. */
struct sample_location {
    uint64_t pc;
    uint32_t task;
    uint8_t mode; /* enum mode + SAMPLE_DELAY_STEP * enum delay */
};
#define SAMPLE_DELAY_STEP 4

/* The settings of the run that sender and decoder need; the decoder takes them from HELLO. */
struct sample_setting {
    struct schedule schedule; /* as schedule_init() left it for the words of the run */
    /* its points are fixed in clock time: a sample's time is its point's, unless it is late */
    bool points;
    uint64_t source_clock;    /* clock units in 65536 units of the schedule */
    uint64_t handler;         /* without points: from a tick's expiry to the next arming, clock units; else 0 */
    uint64_t stamp;           /* clock units in a unit of time, below 2^62; 0: no times are sent */
    uint32_t thin;            /* two of 2 * thin ticks are sent, at most DECIMATE_MAX; 1: all */
    uint64_t seed;            /* HELLO's: it selects the ticks of a decimated stream */
};

/* The predicted time from tick to tick, clock units, for an interval in counts. */
static inline uint64_t sample_predicted(uint64_t interval, uint64_t source_clock,
                                        uint64_t handler)
{
    return (interval * source_clock >> 16) + handler;
}

/* The same for the next interval of a schedule, which advances.  Any context. */
static inline uint64_t sample_replay(const struct sample_setting *setting, struct schedule *s)
{
    return sample_predicted(schedule_next(s), setting->source_clock, setting->handler);
}

/* What draws the sample of a frame whose arrival is told: that with the least number of these.  Any context. */
static inline uint64_t sample_draw(uint64_t seed, uint64_t number)
{
    return splitmix64_mix(seed + (number + 1) * SPLITMIX64_GAMMA);
}

/* ---- the sender ---- */

struct sample_encoder_request {
    struct sample_setting setting;
    bool tells_masked; /* the records are marked: samples_mark() */
    uint64_t epoch;
    uint64_t start; /* clock value at time 0 of the stream */
    uint64_t begin; /* with points: clock value where they begin */
    /* Sends a finished frame; may wait.  Task context. */
    void (*send)(void *context, struct wire_writer *frame);
    void *context;
};

/* Most bytes of codes and steps in a frame: the other fields take at most 115. */
#define SAMPLE_CODES_MAX (WIRE_CODES_MAX - 115)

/* The dictionary and the unfinished frame; memory of the caller, 210 KB, without pointers to more. */
struct sample_encoder {
    struct sample_encoder_request request;
    struct schedule schedule; /* after the interval to tick `ticks` - 1 */
    uint64_t ticks;           /* intervals replayed */
    uint64_t number, tick;    /* of the next sample to be sent */
    uint64_t lost;            /* samples lost before it */
    /* of the last point, or the decoded time of the last sample and the intervals replayed since */
    uint64_t time;
    uint64_t drawn;           /* the least draw of a number of a sample whose arrival was measured */
    struct dictionary places;
    /* The unfinished frame of samples; head.count is 0 if there is none. */
    struct wire_packed_samples head;
    uint32_t bits, fulls, far;                 /* bits of the indexes at most; bytes used in full[], and in far[] */
    uint32_t runs, run;                        /* bytes of the steps as runs, but far ones; samples since */
    uint16_t index[SAMPLE_FRAME_MAX];          /* or PACK_NO_INDEX */
    uint8_t full[SAMPLE_CODES_MAX], far_step[SAMPLE_CODES_MAX];
    uint8_t step[SAMPLE_FRAME_MAX / 4];
    struct index_classes classes;
    uint8_t packed[SAMPLE_CODES_MAX];          /* codes, then steps */
    uint8_t masked[SAMPLE_FRAME_MAX / 8]; /* bits of its samples */
    struct wire_writer frame;
};

/* Begin an epoch.  Task context, as all of the sender. */
void sample_encoder_begin(struct sample_encoder *s, const struct sample_encoder_request *request);

/*
 * Take the next record of the ring, in order of ticks; gaps count as lost samples.
 * Ticks that decimation leaves out are accepted and not sent.
 */
void sample_encoder_put(struct sample_encoder *s, const struct sample_record *r);

/* Send the unfinished frame and all definitions; call it now and then, so that data arrive soon. */
void sample_encoder_flush(struct sample_encoder *s);

/* The epoch is over after `ticks` ticks: send the rest, and every place once more. */
void sample_encoder_end(struct sample_encoder *s, uint64_t ticks);
