/* SPDX-License-Identifier: MIT */
/*
 * Draws monitors by temporal resolution, duration of measurement and amount of data (Thurner, "Performance
 * Measurement Using System Monitors", Figure 1), with measured figures.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define MONITOR_MAP_MOST 64

struct map_monitor {
    const char *name;
    bool hardware;
    double step;     /* s: temporal resolution, above 0 */
    double duration; /* s until the memory is full, above 0 */
    double bytes;    /* a second */
};

struct monitor_map {
    const char *title, *note;
    struct map_monitor monitor[MONITOR_MAP_MOST];
    unsigned monitors;
};

/* Draw it.  False, if it could not be written. */
bool monitor_map_svg(const struct monitor_map *m, FILE *out);
