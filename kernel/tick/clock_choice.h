/* SPDX-License-Identifier: MIT */
/* Which device is the system clock: the local APIC's timer where it works and is not the tick's, else the RTC. */
#pragma once

#include "kernel/source/calibrate.h"

/*
 * Choose it by clock=, by what the machine has and by what a test of it shows, and measure it.  Where
 * clock= was not given it may become rtc, which is told.  Ends the run where none works.  After calibrate_clocks(),
 * once; interrupts off.
 */
void clock_choose(const struct calibration *c);
