/* SPDX-License-Identifier: MIT */
/* Stores the records of monitors in their epoch: what comes beside the table and its names. */
#pragma once

#include "tools/model/epoch_records.h"

/* Keep a frame of raw samples, of the log of changes, of events, of counted calls or of a software monitor. */
void epoch_add_monitor(struct frame *f);
