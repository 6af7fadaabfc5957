/* SPDX-License-Identifier: MIT */
/*
 * A synthetic run with a survey: a clock of 1 GHz, a minute of which 58 s were watched; gaps of 312 us each 2.5 s and
 * 40 of 3 us; an 8254 that is right, an HPET 50 ppm fast; a line 1000 ppm slow.
 */
#pragma once

#include "tests/host/dump.h"

#define DUMP_SURVEY_SECOND 1000000000ull /* clock units */
#define DUMP_SURVEY_US     1000ull

static inline struct wire_survey dump_survey_head(uint64_t epoch)
{
    const uint64_t second = DUMP_SURVEY_SECOND, us = DUMP_SURVEY_US;

    return (struct wire_survey){
        .epoch = epoch, .clock_hz = second, .begin = second, .end = 61 * second, .watched = 58 * second,
        .slices = 116000, .round = 20, .threshold = us, .gaps = 64, .stolen = 24 * 312 * us + 40 * 3 * us,
        .squares = 24 * 1218ull * 1218 + 40 * 11 * 11, .greatest = 312 * us, .period = 2500000 * us,
        .period_length = 312 * us, .period_gaps = 24, .period_fits = 23, .smi_known = 1, .smis = 64,
        .hypervisor = dump_text(""), .baud = 115200, .characters = 64, .characters_least = 5561110,
        .characters_most = 5561130,
    };
}

static inline struct wire_survey_clocks_row dump_survey_clock(const char *name, uint64_t hz, uint64_t counts)
{
    return (struct wire_survey_clocks_row){
        dump_text(name), 1000 * hz, counts, 1, 60 * DUMP_SURVEY_SECOND - 1000, 60 * DUMP_SURVEY_SECOND + 1000, 1,
        dump_text(""),
    };
}

static inline void dump_survey_records(struct dump *d, const struct wire_survey *head,
                                       const struct wire_survey_row *more)
{
    const struct wire_survey_clocks clocks = {head->epoch};
    const struct wire_survey_times times = {head->epoch};
    struct wire_survey_clocks_row row = dump_survey_clock("8254", 1193182, 60 * 1193182);
    struct wire_writer w;

    wire_begin(&w, WIRE_SURVEY_CLOCKS, &clocks);
    wire_row(&w, WIRE_SURVEY_CLOCKS, &row);
    row = dump_survey_clock("HPET", 14318180, 60 * 14318180ull + 42955);
    wire_row(&w, WIRE_SURVEY_CLOCKS, &row);
    row = (struct wire_survey_clocks_row){.name = dump_text("PM-timer"),
                                          .note = dump_text("the firmware's tables name none")};
    wire_row(&w, WIRE_SURVEY_CLOCKS, &row);
    dump_end_frame(d, &w);
    wire_begin(&w, WIRE_SURVEY_TIMES, &times);
    wire_row(&w, WIRE_SURVEY_TIMES, &(struct wire_survey_times_row){dump_text("wake from HLT"), 1000, 1500, 4000,
                                                                    90000});
    wire_row(&w, WIRE_SURVEY_TIMES, &(struct wire_survey_times_row){dump_text("tick"), 0, 0, 0, 0});
    dump_end_frame(d, &w);
    wire_begin(&w, WIRE_SURVEY, head);
    wire_row(&w, WIRE_SURVEY, &(struct wire_survey_row){2, 40, 40 * 3 * DUMP_SURVEY_US});
    wire_row(&w, WIRE_SURVEY, &(struct wire_survey_row){200, 24, 24 * 312 * DUMP_SURVEY_US});
    if (more)
        wire_row(&w, WIRE_SURVEY, more);
    dump_end_frame(d, &w);
}

static inline void dump_survey_run(struct dump *d, uint64_t epoch)
{
    const struct wire_survey head = dump_survey_head(epoch);

    dump_hello(d, epoch, "rate=120 seed=7 tasks=survey output=frames");
    for (uint64_t serial = 1; serial <= 3; serial++)
        dump_snapshot(d, epoch, serial, serial == 3, serial);
    dump_survey_records(d, &head, NULL);
    dump_end(d, epoch, 0, "60 seconds are over");
}
