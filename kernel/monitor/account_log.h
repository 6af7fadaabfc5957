/* SPDX-License-Identifier: MIT */
/*
 * monitor=acct: the account log (Thurner 2.2): what each task has used, every acct= seconds and
 * once after its end.  Times are the account's, of the task since the window began or since it was made; with
 * those of ended tasks they add up to the exact table.
 */
#pragma once

#include "kernel/monitor/software_monitors.h"
