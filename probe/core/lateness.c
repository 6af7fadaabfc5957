/* SPDX-License-Identifier: MIT */
/* The latencies of one-shots, sorted and judged. */
#include "probe/core/lateness.h"

void lateness_insert(uint64_t sorted[LATENESS_SHOTS], unsigned n, uint64_t latency)
{
    for (; n > 0 && sorted[n - 1] > latency; n--)
        sorted[n] = sorted[n - 1];
    sorted[n] = latency;
}

struct probe_lateness lateness_judge(const uint64_t sorted[LATENESS_SHOTS], uint64_t grain)
{
    const uint64_t usual = sorted[LATENESS_SHOTS * 7 / 8];

    return (struct probe_lateness){ .floor = sorted[0], .late = usual + (usual - sorted[0]) + grain };
}
