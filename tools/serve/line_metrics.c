/* SPDX-License-Identifier: MIT */
/* Writes what is known of each line. */
#include "tools/serve/line_metrics.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/analysis/report.h"
#include "tools/base/cli.h"
#include "tools/export/openmetrics.h"

static double up(const struct served_line *l) { return l->watch.in >= 0; }
static double silent(const struct served_line *l) { return monotonic_seconds() - l->watch.heard; }
static double bytes(const struct served_line *l) { return (double)l->watch.stream.stats.bytes; }
static double noise(const struct served_line *l) { return (double)l->watch.stream.stats.preamble; }
static double frames(const struct served_line *l) { return (double)l->watch.stream.stats.frames; }
static double damaged(const struct served_line *l) { return (double)decoder_damaged(&l->watch.stream.stats); }
static double missing(const struct served_line *l) { return (double)l->watch.stream.stats.missing; }
static double unsure(const struct served_line *l) { return (double)l->watch.stream.stats.unsure; }
static double unknown(const struct served_line *l) { return (double)l->watch.stream.stats.unknown; }
static double boots(const struct served_line *l) { return (double)l->watch.boots; }
static double ends(const struct served_line *l) { return (double)l->watch.ends; }
static double hangups(const struct served_line *l) { return (double)l->watch.hangups; }
static double clients(const struct served_line *l) { return (double)l->mux.clients; }
static double dropped(const struct served_line *l) { return (double)l->mux.dropped; }

static const struct family {
    const char *name, *suffix, *type, *unit, *help;
    double (*value)(const struct served_line *l);
} families[] = {
    {"line_up", "", "gauge", NULL, "1 if the port is open.", up},
    {"line_silent_seconds", "", "gauge", "seconds", "Time since the last byte, or since the port was opened.",
     silent},
    {"line_received_bytes", "_total", "counter", "bytes", "Bytes that came.", bytes},
    {"line_noise_bytes", "_total", "counter", "bytes", "Of these, outside of frames, where no run was under way.",
     noise},
    {"line_frames", "_total", "counter", NULL, "Intact frames.", frames},
    {"line_damaged", "_total", "counter", NULL, "Damaged stretches of the stream.", damaged},
    {"line_missing_frames", "_total", "counter", NULL, "Frames that the sequence numbers skip.", missing},
    {"line_unsure_places", "", "gauge", NULL, "Places where more frames are missing than the sequence numbers tell.",
     unsure},
    {"line_boots", "_total", "counter", NULL, "Boots of the board, its first one that was seen among them.", boots},
    {"line_unknown_frames", "_total", "counter", NULL, "Frames of types that this version does not know.", unknown},
    {"line_ends", "_total", "counter", NULL, "Runs that ended.", ends},
    {"line_hangups", "_total", "counter", NULL, "How often the port went.", hangups},
    {"line_clients", "", "gauge", NULL, "Programs that use the line through its socket.", clients},
    {"line_dropped_clients", "_total", "counter", NULL, "Of these, dropped or refused.", dropped},
};

static void put_lines(FILE *out, const struct served_line *line, size_t lines)
{
    for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
        openmetrics_family(out, families[f].name, families[f].type, families[f].unit, families[f].help);
        for (size_t i = 0; i < lines; i++) {
            fprintf(out, OPENMETRICS_PREFIX "%s%s{line=", families[f].name, families[f].suffix);
            export_json_text(out, line[i].watch.name);
            fprintf(out, "} %.15g\n", families[f].value(&line[i]));
        }
    }
}

void line_metrics_put(FILE *out, struct served_line *line, size_t lines)
{
    struct openmetrics_run *run = xrealloc_array(NULL, lines + 1, sizeof(*run));
    size_t runs = 0;

    put_lines(out, line, lines);
    for (size_t i = 0; i < lines; i++) {
        struct epoch *e = line_watch_epoch(&line[i].watch);

        if (e)
            run[runs++] = (struct openmetrics_run){line[i].watch.name, {.epoch = e, .options = report_options(e)}};
    }
    openmetrics_put(out, run, runs);
    openmetrics_end(out);
    free(run);
}

void line_metrics_print(FILE *out, struct served_line *line, size_t lines)
{
    for (size_t i = 0; i < lines; i++) {
        const struct line_watch *l = &line[i].watch;

        fprintf(out, "/lines/%-3zu %-16s %s, silent for %.0f s, %" PRIu64 " bytes, %" PRIu64 " frames, %" PRIu64
                " damaged, %" PRIu64 " missing, %" PRIu64 " boots, %zu clients\n", i, l->name,
                l->in >= 0 ? "up" : "away", monotonic_seconds() - l->heard, l->stream.stats.bytes,
                l->stream.stats.frames, decoder_damaged(&l->stream.stats), l->stream.stats.missing,
                l->boots, line[i].mux.clients);
    }
}
