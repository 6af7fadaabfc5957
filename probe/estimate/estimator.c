/* SPDX-License-Identifier: MIT */
/*
 * The estimator of a run.  To find the spread of the policy's intervals, the
 * schedule is prepared again.
 */
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
