/* SPDX-License-Identifier: MIT */
/*
 * The estimator of a run.  To find the spread of the policy's intervals, the
 * schedule is prepared again.
 */
/* Uses vector registers: task context only. */
#include "probe/estimate/estimator.h"

struct estimator estimator_of_run(const struct config *words, uint64_t mean,
                                  uint32_t minimum)
{
    struct schedule schedule;
    const struct schedule_request request = {
        .policy = words->interval,
        .mean = mean,
        .minimum = minimum,
        .spread = (uint32_t)words->spread,
        .seed = 1,
    };

    if (mean == 0 || schedule_init(&schedule, &request) != 0)
        return (struct estimator){ PAIR_NEVER, 0, "no schedule" };
    return estimator_of(schedule.policy, (uint32_t)words->spread, confidence_cv2(&schedule));
}

/*
 * Of a block of 2k ticks two are told.  Were all ticks told, the variance would be (cv2 + (1 - cv2) r) p(1-p)/(k n),
 * r the discord of ticks beside each other; the choice of two adds (1 - 1/k) d p(1-p)/n, d the discord of the pairs
 * that were told.  A load that forgets has r <= d; with
 * r = d the sum is (cv2/k + (1 - cv2/k) d) p(1-p)/n.
 */
struct estimator estimator_of_thinned(struct estimator whole, uint64_t factor)
{
    if (factor <= 1 || whole.pairing == PAIR_NEVER)
        return whole;
    return (struct estimator){PAIR_STRATUM, whole.cv2 / factor, whole.reason};
}
