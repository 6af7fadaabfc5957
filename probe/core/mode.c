/* SPDX-License-Identifier: MIT */
/* The modes by name. */
#include "probe/core/mode.h"

const char *mode_name(enum mode mode)
{
    static const char *const names[MODES] = {"user", "supervisor", "kernel", "interrupt"};

    return (unsigned)mode < MODES ? names[mode] : "?";
}
