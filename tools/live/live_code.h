/* SPDX-License-Identifier: MIT */
/*
 * Tells where in its code a task of a live view spends its time: functions and histogram of the region that the
 * image watches for it, else of the raw samples that are kept, and the steps of a zoom, which ask the image to
 * watch another region.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/stats/zoom.h"
#include "tools/live/live_link.h"
#include "tools/live/live_run.h"
#include "tools/symbols/symbol_resolver.h"

#define LIVE_CODE_LINES     128 /* of a report; what is more is left out, and told */
#define LIVE_CODE_FUNCTIONS 12  /* of these */

struct live_code {
    struct symbol_resolver *names; /* the caller's */
    char line[LIVE_CODE_LINES][TEXT_BUF_SIZE];
    unsigned lines;

    /* the rest is private to live_code.c */
    uint64_t chosen_epoch;   /* for which `names` were chosen, and for which task; 0: for none */
    uint32_t chosen_task;
    bool zooming;
    uint32_t zoom_task;
    enum mode zoom_mode;
    struct zoom zoom;
    char before[COMMAND_LINE]; /* the command that restores the monitors; "" nothing to restore */
};

/* Make the lines for a task, as wide as the screen; where nothing tells its code, one that says so. */
void live_code_make(struct live_code *c, struct live_link *l, uint32_t task, unsigned columns);

/*
 * The next step: watch all code of this task in the mode that has most of its samples, then the part of it that
 * has the hits of the region that is watched.  False, with a sentence in `why`, if there is no next step.
 */
bool live_code_zoom(struct live_code *c, struct live_link *l, uint32_t task, char why[LIVE_TEXT]);

/* Put back the monitors that were in force before the first step. */
void live_code_restore(struct live_code *c, struct live_link *l);
