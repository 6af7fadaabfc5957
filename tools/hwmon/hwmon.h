/* SPDX-License-Identifier: MIT */
/* Declares a run of hwmon: what was asked, what is followed, and what is written. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/hwmon/analyser.h"
#include "tools/hwmon/block.h"
#include "tools/hwmon/epoch.h"
#include "tools/hwmon/machine.h"
#include "tools/hwmon/mix.h"
#include "tools/hwmon/names.h"
#include "tools/hwmon/options.h"
#include "tools/hwmon/stream.h"

/* Addresses [low, high). */
struct place {
    uint64_t low, high;
};

struct places {
    struct place place[OPTION_PLACES];
    unsigned count;
};

/* Addresses of the words, 0: not given. */
struct watched {
    uint64_t current, switched, open, close;
    uint64_t label_at, label_bytes;
    struct places interrupt, monitor, range;
    struct stubs vectors;
};

struct hwmon {
    struct options options;
    struct names names;
    struct watched watched;
    struct block_table blocks;
    struct machine machine;
    struct stream stream;
    struct epoch_writer epoch;
    struct analyser analyser;
    struct mix mix;
    FILE *states_to, *blocks_to, *mix_to, *analyser_to; /* NULL: not asked for */
    bool timed;   /* something is asked that needs the clock */
    bool started; /* the first block was translated */
};

/*
 * Resolve the names of the words, open the files.  False, with a message on standard error, if that cannot be done.
 */
bool hwmon_begin(struct hwmon *h);

/* The window opens, closes; the machine has stopped. */
void hwmon_open(struct hwmon *h);
void hwmon_close(struct hwmon *h);
void hwmon_end(struct hwmon *h);

/* End QEMU with a message. */
void hwmon_stop(const char *why) __attribute__((noreturn));
