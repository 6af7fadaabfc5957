/* SPDX-License-Identifier: MIT */
/*
 * The table as OpenMetrics 1.0 text: counters of samples and losses, and shares with the ends of their 95 % intervals by
 * the label `bound`.
 */
#include <inttypes.h>
#include <math.h>

#include "probe/stream/version.h"
#include "tools/export/formats.h"

#define PREFIX "cpuprobe_"

static void put_family(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# TYPE " PREFIX "%s %s\n# HELP " PREFIX "%s %s\n", name, type, name, help);
}

/* Two rows may have one name. */
static void put_cell_name(FILE *out, const char *name, const struct snapshot_row *row, const char *mode)
{
    fprintf(out, PREFIX "%s{task=", name);
    export_json_text(out, row->name); /* printable: the same escapes */
    fprintf(out, ",id=\"%" PRIu32 "\",mode=\"%s\"", row->id, mode);
}

static void put_samples(FILE *out, const struct snapshot_row *row, const char *mode, const struct table_cell *cell)
{
    put_cell_name(out, "samples_total", row, mode);
    fprintf(out, "} %" PRIu64 "\n", cell->hits);
}

static void put_bound(FILE *out, const struct snapshot_row *row, const char *mode, const char *bound, double percent)
{
    if (isnan(percent))
        return;
    put_cell_name(out, "share_ratio", row, mode);
    fprintf(out, ",bound=\"%s\"} %.9g\n", bound, percent / 100);
}

static void put_share(FILE *out, const struct snapshot_row *row, const char *mode, const struct table_cell *cell)
{
    put_bound(out, row, mode, "estimate", cell->percent);
    put_bound(out, row, mode, "low", cell->low);
    put_bound(out, row, mode, "high", cell->high);
    put_bound(out, row, mode, "exact", cell->exact);
}

typedef void cell_writer(FILE *out, const struct snapshot_row *row, const char *mode, const struct table_cell *cell);

/* Each cell of each row once: a row without modes is one of its own. */
static void each_cell(const struct export_run *run, FILE *out, cell_writer *put)
{
    const struct snapshot *s = run->epoch->snapshot;

    for (uint32_t i = 0; i < s->rows; i++) {
        const struct table_row row = table_row(s, &s->row[i], &run->options);

        for (unsigned m = 0; m < MODES && row.modes; m++)
            put(out, &s->row[i], mode_name(m), &row.cell[m]);
        if (!row.modes)
            put(out, &s->row[i], "none", &row.total);
    }
}

static void put_missed(const struct export_run *run, FILE *out)
{
    const struct snapshot *s = run->epoch->snapshot;
    const double masked = table_missed_masked(s, &run->options);

    put_family(out, "missed_ticks", "counter", "Ticks that did not happen, by cause.");
    if (!isnan(masked))
        fprintf(out, PREFIX "missed_ticks_total{cause=\"masked\"} %.9g\n", masked);
    fprintf(out, PREFIX "missed_ticks_total{cause=\"overrun\"} %" PRIu64 "\n", s->missed_overrun);
    fprintf(out, PREFIX "missed_ticks_total{cause=\"source\"} %" PRIu64 "\n", s->missed_source);
}

static void put_lost(const struct export_run *run, FILE *out)
{
    const struct snapshot *s = run->epoch->snapshot;

    put_family(out, "lost_samples", "counter", "Samples that were taken and not kept, by cause.");
    fprintf(out, PREFIX "lost_samples_total{cause=\"table\"} %" PRIu64 "\n", s->lost_table);
    fprintf(out, PREFIX "lost_samples_total{cause=\"ring\"} %" PRIu64 "\n", s->lost_ring);
    put_family(out, "late_samples", "counter", "Samples whose tick came late.");
    fprintf(out, PREFIX "late_samples_total %" PRIu64 "\n", s->late);
}

static void put_run(const struct export_run *run, FILE *out)
{
    const struct epoch *e = run->epoch;
    const struct snapshot *s = e->snapshot;

    put_family(out, "build_info", "gauge", "The image, the machine and the host tool.");
    fputs(PREFIX "build_info{version=\"" CPUPROBE_VERSION "\",image=", out);
    export_json_text(out, e->has_hello ? e->hello.build.bytes : "");
    fputs(",machine=", out);
    export_json_text(out, e->has_hello ? e->hello.machine.bytes : "");
    fputs("} 1\n", out);
    put_family(out, "complete", "gauge", "1 if the run ended well and its tables arrived.");
    fprintf(out, PREFIX "complete %d\n", epoch_complete(e));
    put_family(out, "snapshot", "gauge", "Number of the snapshot in its epoch.");
    fprintf(out, PREFIX "snapshot %" PRIu64 "\n", s->serial);
    if (!export_duration(run))
        return;
    fputs("# TYPE " PREFIX "window_seconds gauge\n# UNIT " PREFIX "window_seconds seconds\n"
          "# HELP " PREFIX "window_seconds Length of the window.\n", out);
    fprintf(out, PREFIX "window_seconds %.9f\n", (double)export_duration(run) / 1e9);
}

bool export_openmetrics(const struct export_run *run, FILE *out)
{
    put_run(run, out);
    put_family(out, "samples", "counter", "Samples by task and mode.");
    each_cell(run, out, put_samples);
    fputs("# TYPE " PREFIX "share_ratio gauge\n# UNIT " PREFIX "share_ratio ratio\n# HELP " PREFIX
          "share_ratio Share of all samples by task and mode, with the ends of its 95 % interval, and of the exact time.\n", out);
    each_cell(run, out, put_share);
    put_missed(run, out);
    put_lost(run, out);
    fputs("# EOF\n", out);
    return !ferror(out);
}
