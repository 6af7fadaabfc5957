/* SPDX-License-Identifier: MIT */
/* A number is as near another as it must be.  Behind cmocka.h. */
#pragma once

#include <math.h>

static inline void check_near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.9g, expected %.9g within %g", got, expected, within);
}
