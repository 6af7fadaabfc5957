/* SPDX-License-Identifier: MIT */
/* Steps as runs. */
#include "probe/stream/sample_pack.h"


/* Copy one LEB128 number; returns its bytes. */
static uint32_t copy_number(uint8_t *to, const uint8_t *from)
{
    uint32_t length = 0;

    do
        to[length] = from[length];
    while (from[length++] & 0x80);
    return length;
}

uint32_t sample_pack_runs(const uint8_t *bits, const uint8_t *far, uint32_t count, uint8_t *to, uint32_t most)
{
    uint32_t put = 0, run = 0;

    for (uint32_t i = 0; i + 1 < count; i++) {
        const unsigned step = bits[i / 4] >> 2 * (i % 4) & 3;

        if (step == SAMPLE_STEP_NONE && run < PACK_RUN_MAX) {
            run++;
            continue;
        }
        if (put + 1 >= most)
            return UINT32_MAX;
        to[put++] = (uint8_t)(run << 2 | step);
        run = 0;
        if (step == SAMPLE_STEP_FAR) {
            const uint32_t length = copy_number(to + put, far);

            far += length;
            put += length;
            most += length; /* they stand in either form */
        }
    }
    return put;
}
