/* SPDX-License-Identifier: MIT */
/*
 * Steps of samples as runs (docs/PROTOCOL.md, "Packed samples").
 *
 * This is the sender's half; probe/stream/sample_unpack.h is the receiver's.
 */
#pragma once

#include <stdint.h>

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

/*
 * Write steps, of which `bits` has two bits for each sample but the first and `far` the far ones, as runs.
 * `most` is what two bits a sample take.  Returns the bytes; UINT32_MAX if these would not be fewer.  Task context.
 */
uint32_t sample_pack_runs(const uint8_t *bits, const uint8_t *far, uint32_t count, uint8_t *to, uint32_t most);
