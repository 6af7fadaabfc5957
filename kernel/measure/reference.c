/* SPDX-License-Identifier: MIT */
/*
 * Which timer is the reference of the measurements.  It knows no timer, so that sources and calibration can both ask.
 */
#include "kernel/measure/reference.h"

static enum config_tick reference = TICK_NONE; /* set once, as the next */
static struct refusal no_pit;                  /* reason NULL: it works */

enum config_tick reference_tick(void)
{
    return reference;
}

void reference_set(enum config_tick tick)
{
    reference = tick;
}

bool reference_has_pit(struct refusal *why)
{
    return no_pit.reason == 0 || refusal_set(why, &no_pit);
}

void reference_refuse_pit(const struct refusal *why)
{
    no_pit = *why;
}
