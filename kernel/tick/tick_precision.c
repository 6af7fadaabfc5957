/* SPDX-License-Identifier: MIT */
/* Tells whether precision= can be had. */
#include "kernel/tick/tick_precision.h"

#include "probe/estimate/estimator.h"

const char *tick_precision_refusal(const struct config *w, uint64_t mean, uint32_t minimum)
{
    return w->precision != 0 ? estimator_of_run(w, mean, minimum).reason : 0;
}
