/* SPDX-License-Identifier: MIT */
/*
 * The table as OpenMetrics 1.0 text: counters of samples and losses, and shares with the ends of their 95 % intervals
 * by the label `bound`.  Of several runs each family stands once, as the format wants it,
 * with the label `line` of each run.
 */
#include "tools/export/export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "probe/stream/version.h"

#define PREFIX OPENMETRICS_PREFIX

/* Begin the labels of a metric; `more` follow, so that a blank set is never written. */
static void put_name(FILE *out, const struct openmetrics_run *r, const char *name, const char *more)
{
    fprintf(out, PREFIX "%s", name);
    if (!r->line && !*more)
        return;
    putc('{', out);
    if (r->line) {
        fputs("line=", out);
        export_json_text(out, r->line); /* printable: the same escapes */
    }
    fprintf(out, "%s%s", r->line && *more ? "," : "", more);
    if (!*more || more[strlen(more) - 1] == '"')
        putc('}', out);
}

/* Two rows may have one name. */
static void put_cell_name(FILE *out, const struct openmetrics_run *r, const char *name,
                          const struct snapshot_row *row, const char *mode)
{
    put_name(out, r, name, "task=");
    export_json_text(out, row->name);
    fprintf(out, ",id=\"%" PRIu32 "\",mode=\"%s\"", row->id, mode);
}

static void put_samples(FILE *out, const struct openmetrics_run *r, const struct snapshot_row *row, const char *mode,
                        const struct table_cell *cell)
{
    put_cell_name(out, r, "samples_total", row, mode);
    fprintf(out, "} %" PRIu64 "\n", cell->hits);
}

static void put_bound(FILE *out, const struct openmetrics_run *r, const struct snapshot_row *row, const char *mode,
                      const char *bound, double percent)
{
    if (isnan(percent))
        return;
    put_cell_name(out, r, "share_ratio", row, mode);
    fprintf(out, ",bound=\"%s\"} %.9g\n", bound, percent / 100);
}

static void put_share(FILE *out, const struct openmetrics_run *r, const struct snapshot_row *row, const char *mode,
                      const struct table_cell *cell)
{
    put_bound(out, r, row, mode, "estimate", cell->percent);
    put_bound(out, r, row, mode, "low", cell->low);
    put_bound(out, r, row, mode, "high", cell->high);
    put_bound(out, r, row, mode, "exact", cell->exact);
}

typedef void cell_writer(FILE *out, const struct openmetrics_run *r, const struct snapshot_row *row, const char *mode,
                         const struct table_cell *cell);

/* Each cell of each row once: a row without modes is one of its own. */
static void each_cell(const struct openmetrics_run *r, FILE *out, cell_writer *put)
{
    const struct snapshot *s = r->run.epoch->snapshot;

    for (uint32_t i = 0; i < s->rows; i++) {
        const struct table_row row = table_row(s, &s->row[i], &r->run.options);

        for (unsigned m = 0; m < MODES && row.modes; m++)
            put(out, r, &s->row[i], mode_name(m), &row.cell[m]);
        if (!row.modes)
            put(out, r, &s->row[i], "none", &row.total);
    }
}

static void put_number(FILE *out, const struct openmetrics_run *r, const char *name, const char *label, uint64_t n)
{
    put_name(out, r, name, label);
    fprintf(out, " %" PRIu64 "\n", n);
}

static void put_all_samples(FILE *out, const struct openmetrics_run *r)
{
    each_cell(r, out, put_samples);
}

static void put_all_shares(FILE *out, const struct openmetrics_run *r)
{
    each_cell(r, out, put_share);
}

static void put_missed(FILE *out, const struct openmetrics_run *r)
{
    const struct snapshot *s = r->run.epoch->snapshot;
    const double masked = table_missed_masked(s, &r->run.options);

    if (!isnan(masked)) {
        put_name(out, r, "missed_ticks_total", "cause=\"masked\"");
        fprintf(out, " %.9g\n", masked);
    }
    put_number(out, r, "missed_ticks_total", "cause=\"overrun\"", s->missed_overrun);
    put_number(out, r, "missed_ticks_total", "cause=\"source\"", s->missed_source);
}

static void put_lost(FILE *out, const struct openmetrics_run *r)
{
    const struct snapshot *s = r->run.epoch->snapshot;

    put_number(out, r, "lost_samples_total", "cause=\"table\"", s->lost_table);
    put_number(out, r, "lost_samples_total", "cause=\"ring\"", s->lost_ring);
}

static void put_late(FILE *out, const struct openmetrics_run *r)
{
    put_number(out, r, "late_samples_total", "", r->run.epoch->snapshot->late);
}

static void put_build(FILE *out, const struct openmetrics_run *r)
{
    const struct epoch *e = r->run.epoch;

    put_name(out, r, "build_info", "version=\"" CPUPROBE_VERSION "\",image=");
    export_json_text(out, e->has_hello ? e->hello.build.bytes : "");
    fputs(",machine=", out);
    export_json_text(out, e->has_hello ? e->hello.machine.bytes : "");
    fputs("} 1\n", out);
}

static void put_complete(FILE *out, const struct openmetrics_run *r)
{
    put_number(out, r, "complete", "", epoch_complete(r->run.epoch));
}

static void put_serial(FILE *out, const struct openmetrics_run *r)
{
    put_number(out, r, "snapshot", "", r->run.epoch->snapshot->serial);
}

static void put_window(FILE *out, const struct openmetrics_run *r)
{
    if (!export_duration(&r->run))
        return;
    put_name(out, r, "window_seconds", "");
    fprintf(out, " %.9f\n", (double)export_duration(&r->run) / 1e9);
}

static const struct family {
    const char *name, *type, *unit, *help;
    void (*put)(FILE *out, const struct openmetrics_run *r);
} families[] = {
    {"build_info", "gauge", NULL, "The image, the machine and the host tool.", put_build},
    {"complete", "gauge", NULL, "1 if the run ended well and its tables arrived.", put_complete},
    {"snapshot", "gauge", NULL, "Number of the snapshot in its epoch.", put_serial},
    {"window_seconds", "gauge", "seconds", "Length of the window.", put_window},
    {"samples", "counter", NULL, "Samples by task and mode.", put_all_samples},
    {"share_ratio", "gauge", "ratio", "Share of all samples by task and mode, with the ends of its 95 % interval, "
                                      "and of the exact time.", put_all_shares},
    {"missed_ticks", "counter", NULL, "Ticks that did not happen, by cause.", put_missed},
    {"lost_samples", "counter", NULL, "Samples that were taken and not kept, by cause.", put_lost},
    {"late_samples", "counter", NULL, "Samples whose tick came late.", put_late},
};

void openmetrics_family(FILE *out, const char *name, const char *type, const char *unit, const char *help)
{
    fprintf(out, "# TYPE " PREFIX "%s %s\n", name, type);
    if (unit)
        fprintf(out, "# UNIT " PREFIX "%s %s\n", name, unit);
    fprintf(out, "# HELP " PREFIX "%s %s\n", name, help);
}

void openmetrics_put(FILE *out, const struct openmetrics_run *run, size_t runs)
{
    for (size_t f = 0; f < sizeof(families) / sizeof(families[0]); f++) {
        openmetrics_family(out, families[f].name, families[f].type, families[f].unit, families[f].help);
        for (size_t i = 0; i < runs; i++)
            families[f].put(out, &run[i]);
    }
}

void openmetrics_end(FILE *out)
{
    fputs("# EOF\n", out);
}

bool export_openmetrics(const struct export_run *run, FILE *out)
{
    const struct openmetrics_run one = {.run = *run};

    openmetrics_put(out, &one, 1);
    openmetrics_end(out);
    return !ferror(out);
}
