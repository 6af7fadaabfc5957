/* SPDX-License-Identifier: MIT */
/* What travels along with an export as sentences: the run, its losses, the intervals of its shares.  Host. */
#pragma once

struct export_run;

/* Make the notes of a run whose sums are made. */
void export_notes_make(struct export_run *run);
