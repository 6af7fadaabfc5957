/* SPDX-License-Identifier: MIT */
/* `cpuprobe verify-port`: judges a port line by line, by a run of the known load (cpuprobe_selftest()). */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "probe/core/mode.h"
#include "tools/analysis/audit.h"
#include "tools/analysis/report.h"
#include "tools/archive/arrival_summary.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/report_object.h"
#include "tools/cmd/commands.h"
#include "tools/json/report_json.h"
#include "tools/timeline/epoch_pass.h"

#define PARTS      3
#define CLOCK_PART 0.05 /* by which a clock and this host's may differ: a crystal is off by a thousandth of that */
#define TOLERANCE  2.0  /* points beside the interval: the kernel's own code, handlers, the window's ends */
#define MODE_PART  95.0 /* percent of a task's samples that must be in its mode */

enum verdict { RIGHT, WRONG, UNTESTED, VERDICTS };
static const char *const verdicts[VERDICTS] = {"right", "wrong", "untested"};

struct finding {
    enum verdict verdict;
    char why[AUDIT_SENTENCE + 100];
};

/* The table and the load of a run. */
struct run {
    const char *path;
    struct epoch_pass *pass;
    const struct epoch *e;
    struct table_options options;
    const struct wire_known_load *load;
    const struct wire_known_load_row *part[PARTS]; /* NULL: no task does it */
    struct table_row row[PARTS];
    char name[PARTS][NAME_SIZE];
    double work[PARTS]; /* percent of the window that its units take */
};

static struct finding found(enum verdict verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));

static struct finding found(enum verdict verdict, const char *format, ...)
{
    struct finding f = {.verdict = verdict};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(f.why, sizeof(f.why), format, arguments);
    va_end(arguments);
    return f;
}

static struct table_row row_of(const struct run *r, uint32_t id)
{
    const struct snapshot_row *const row = snapshot_find_row(r->e->snapshot, id);

    return row ? table_row(r->e->snapshot, row, &r->options) : (struct table_row){.total = {.exact = NAN}};
}

/* Whether a true share can be what the samples say. */
static bool fits(const struct table_cell *sampled, double truth)
{
    const double low = isnan(sampled->low999) ? sampled->percent : sampled->low999;
    const double high = isnan(sampled->high999) ? sampled->percent : sampled->high999;

    return truth > low - TOLERANCE && truth < high + TOLERANCE;
}

static bool via_nmi(const struct run *r)
{
    return r->e->words_known && config_via_nmi(&r->e->words);
}

/* ---- the checks ---- */

static struct finding check_run(const struct run *r)
{
    if (epoch_complete(r->e))
        return found(RIGHT, "it ended as the options say");
    return found(WRONG, "it did not end as the options say: set .seconds, and read the line to its end (cpuprobe "
                        "info tells the reason that END gives)");
}

static struct finding check_said(const struct run *r)
{
    const struct record_store *const s = epoch_kept(r->e, WIRE_TEXT);

    for (size_t i = 0; i < s->head.count; i++) {
        const struct wire_text_record *const said = record_head(s, i);

        if (said->severity)
            return found(WRONG, "%s", said->text.bytes);
    }
    return found(RIGHT, "nothing that cannot be, by clock, source, hooks and account");
}

/* How many times as fast as this host's the clock runs, by the times at which a recording arrived; NaN: not known. */
static double speed(const struct run *r)
{
    struct arrival_summary s;

    return arrival_summarize(r->path, &s) && s.drift.blocks >= 2 ? 1 + s.drift.drift : NAN;
}

/* Beside its rate, which the source tells, or what is told of it, a recorded line has the time of the host. */
static struct finding check_clock(const struct run *r)
{
    const struct wire_hello *const h = &r->e->hello;
    const double us = 1e6 / (double)h->clock_hz, times = speed(r);

    if (h->floor == 0)
        return found(WRONG, "an interrupt takes no time by it: it is too coarse, or moves with the tick");
    if (fabs(times - 1) > CLOCK_PART)
        return found(WRONG, "it runs at %.3g times this host's: is port.clock_hz right, or port.source_hz, by which "
                            "it was measured?", times);
    return found(RIGHT, "%.3f MHz; an interrupt takes at least %.2f us, a tick %.2f us, a unit of work %.1f us%s",
                 1 / us, us * (double)h->floor, us * (double)h->handler,
                 us * (double)r->load->time / (double)r->load->timed,
                 isnan(times) ? "; not held against a host's: record it with --times" : "");
}

static struct finding check_source(const struct run *r)
{
    struct audit *const a = xrealloc_array(NULL, 1, sizeof(*a));
    struct finding f;

    audit_pass(a, r->pass, r->e);
    if (a->faults)
        f = found(WRONG, "%s", a->finding[0]);
    else if (!a->replayed)
        f = found(UNTESTED, "it ticks by itself: there is no schedule to hold it against");
    else
        f = found(RIGHT, "%" PRIu64 " ticks are the generator's, all of them and each once", r->e->snapshot->ticks);
    free(a);
    return f;
}

/* Who has most of what is neither idle nor the load's: percent. */
static double most_of_others(const struct run *r, char name[NAME_SIZE])
{
    const struct snapshot *const s = r->e->snapshot;
    double percent = 0;
    uint32_t id = ROW_IDLE;

    for (uint32_t i = 0; i < s->rows; i++) {
        const struct table_row row = table_row(s, &s->row[i], &r->options);
        bool own = s->row[i].id == ROW_IDLE || s->row[i].id == ROW_MASKED;

        for (unsigned part = 0; part < PARTS; part++)
            own |= r->part[part] && r->part[part]->task == s->row[i].id;
        if (!own && row.total.percent > percent) {
            percent = row.total.percent;
            id = s->row[i].id;
        }
    }
    epoch_name_of(r->e, id, name);
    return percent;
}

static struct finding check_idle(const struct run *r)
{
    const struct table_cell idle = row_of(r, ROW_IDLE).total;
    double left = 100, percent;
    char name[NAME_SIZE];

    for (unsigned part = 0; part < PARTS; part++)
        left -= r->work[part];
    if (left < 2 * TOLERANCE)
        return found(UNTESTED, "the load leaves %.1f %%: let its tasks sleep for longer", left);
    percent = most_of_others(r, name);
    if (!fits(&idle, left < idle.percent ? left : idle.percent))
        return found(WRONG, "IDLE has %.1f %%, and the load leaves %.1f", idle.percent, left);
    if (idle.percent < left / 2)
        return found(WRONG, "IDLE has %.1f %% of the %.1f that the load leaves, and %s has %.1f: is cpuprobe_tick() "
                            "told CPUPROBE_IDLE where the kernel waits?", idle.percent, left, name, percent);
    return found(RIGHT, "%.1f %% of the %.1f that the load leaves", idle.percent, left);
}

static struct finding check_tasks(const struct run *r)
{
    const struct table_cell *const two = &r->row[0].total, *const one = &r->row[1].total;

    if (!r->part[0] || !r->part[1])
        return found(UNTESTED, "no task does the parts CPUPROBE_TWO and CPUPROBE_ONE");
    return found(fits(two, r->work[0]) && fits(one, r->work[1]) ? RIGHT : WRONG,
                 "%.1f and %.1f %% by the samples, %.1f and %.1f by their work", two->percent, one->percent,
                 r->work[0], r->work[1]);
}

/* Code with interrupts off is in row MASKED, but for what is no longer than a tick in time; as NMI in its own row. */
static struct finding check_masked(const struct run *r)
{
    const struct wire_hello *const h = &r->e->hello;
    const struct snapshot *const s = r->e->snapshot;
    const struct table_cell cell = via_nmi(r) ? r->row[2].total : row_of(r, ROW_MASKED).total;
    const double in_time = (double)r->load->sections * (double)(h->late - h->floor);
    const double truth = r->work[2] - (via_nmi(r) ? 0 : 100 * in_time / (double)(s->end - s->begin));

    if (!r->part[2])
        return found(UNTESTED, "no task does the part CPUPROBE_OFF");
    if (!via_nmi(r) && h->late == UINT64_MAX)
        return found(UNTESTED, "options.late is UINT64_MAX: no tick is late");
    if (!fits(&cell, truth))
        return found(WRONG, "%s has %.1f %%, and the load %.1f: what else runs with interrupts off, or holds ticks "
                            "up (its idle loop)?", via_nmi(r) ? "its task" : "MASKED", cell.percent, truth);
    return found(RIGHT, "%s has %.1f %%, and %.1f are due: %" PRIu64 " sections, of which %.1f us each are in time",
                 via_nmi(r) ? "its task" : "MASKED", cell.percent, truth, r->load->sections,
                 1e6 * (double)(h->late - h->floor) / (double)h->clock_hz);
}

static struct finding check_modes(const struct run *r)
{
    uint64_t hits = 0;

    for (unsigned part = 0; part < PARTS; part++) {
        const struct wire_known_load_row *const p = r->part[part];
        const struct table_row *const row = &r->row[part];

        hits += row->total.hits;
        if (p && row->row && row->total.hits &&
            row->cell[p->mode].percent < row->total.percent * MODE_PART / 100)
            return found(WRONG, "%.1f of the %.1f %% of task %s are in mode %s, where it works",
                         row->cell[p->mode].percent, row->total.percent, r->name[part],
                         mode_name((enum mode)p->mode));
    }
    return hits ? found(RIGHT, "each task of the load is in the mode in which it works")
                : found(UNTESTED, "no task of the load has a sample");
}

static struct finding check_names(const struct run *r)
{
    for (unsigned part = 0; part < PARTS; part++)
        if (r->part[part] && r->name[part][0] == '#')
            return found(WRONG, "task %s of the load has no name: does port.name_of() know it?", r->name[part]);
    return found(RIGHT, "each task of the load has one");
}

static struct finding check_account(const struct run *r)
{
    const struct table_row off = row_of(r, ROW_MASKED);
    const double masked = off.row && !isnan(off.total.exact) ? off.total.exact : 0;

    if (!r->e->snapshot->exact)
        return found(UNTESTED, "there is none: options.account gives exact times");
    for (unsigned part = 0; part < 2; part++)
        if (r->part[part] && isnan(r->row[part].total.exact))
            return found(WRONG, "it has no time of %s", r->name[part]);
        else if (r->part[part] && !(fabs(r->row[part].total.exact - r->work[part]) < TOLERANCE))
            return found(WRONG, "%s has %.1f %% by the account and %.1f by its work: does each switch of tasks call "
                                "cpuprobe_now()?", r->name[part], r->row[part].total.exact, r->work[part]);
    return masked < r->work[2] - TOLERANCE
               ? found(WRONG, "MASKED has %.1f %% by the account, and %.1f are due", masked, r->work[2])
               : found(RIGHT, "it has the work of each task, and %.1f %% with interrupts off", masked);
}

static struct finding check_loss(const struct run *r)
{
    const struct snapshot *const s = r->e->snapshot;
    const struct stream_stats *const line = &epoch_pass_stream(r->pass)->stats;

    if (s->lost_table || s->lost_ring)
        return found(WRONG, "%" PRIu64 " samples found no record, %" PRIu64 " no room in the ring", s->lost_table,
                     s->lost_ring);
    if (line->missing || decoder_damaged(line))
        return found(WRONG, "%" PRIu64 " frames are missing and %" PRIu64 " stretches damaged: had write() room, "
                            "does it change bytes (\\n to \\r\\n), does anything else print on the line?",
                     line->missing, decoder_damaged(line));
    return found(RIGHT, "none, of samples and of frames");
}

static const struct check {
    const char *name;
    struct finding (*check)(const struct run *r);
} checks[] = {
    {"run", check_run}, {"clock", check_clock}, {"source", check_source}, {"idle", check_idle},
    {"tasks", check_tasks}, {"modes", check_modes}, {"masked", check_masked}, {"names", check_names},
    {"account", check_account}, {"loss", check_loss}, {"warnings", check_said},
};

/* ---- the report ---- */

#define PORT_CHECK_MEMBERS(M, O)                                                    \
    M(WORD, check, "what is judged")                                                \
    M(WORD, verdict, "right, wrong or untested")                                    \
    M(TEXT, why, "what was found")
REPORT_OBJECT(port_check, PORT_CHECK_MEMBERS)

#define VERIFY_PORT_MEMBERS(M, O)                                                   \
    O(LIST, checks, port_check, "the checks, one after the other")                  \
    M(COUNT, wrong, "of them wrong")                                                \
    M(COUNT, untested, "of them untested")
REPORT_WHOLE(verify_port, "cpuprobe-verify-port-1", VERIFY_PORT_MEMBERS)

static const char text[] =
    "[checks:{check|-10s} {verdict|-9s} {why}\n]"
    "\n[wrong?the port is wrong: {wrong} of these][wrong!the port is right[untested?, as far as it was tested]]\n";

static void read_load(struct run *r)
{
    const struct record_store *const s = epoch_kept(r->e, WIRE_KNOWN_LOAD);
    const double window = (double)(r->e->snapshot->end - r->e->snapshot->begin);
    const double unit = (double)r->load->time / (double)r->load->timed;

    for (unsigned part = 0; part < PARTS; part++) {
        r->part[part] = record_row_of(s, part);
        if (!r->part[part])
            continue;
        epoch_name_of(r->e, (uint32_t)r->part[part]->task, r->name[part]);
        r->row[part] = row_of(r, (uint32_t)r->part[part]->task);
        r->work[part] = 100 * (double)r->part[part]->units * unit / window;
    }
}

static int report(void *arguments, struct epoch_pass *p)
{
    const struct report_arguments *const a = arguments;
    struct run r = {.path = a->path, .pass = p, .e = epoch_pass_epoch(p)};
    json_t *list, *whole;
    uint64_t count[VERDICTS] = {0};

    r.load = record_last(epoch_kept(r.e, WIRE_KNOWN_LOAD));
    if (!r.e->snapshot || !r.e->hello.clock_hz || !r.load || !r.load->timed) {
        cli_error("%s holds no known load: its third part, CPUPROBE_OFF, is what all is timed by", a->path);
        return EXIT_NO_DATA;
    }
    if (r.e->snapshot->end <= r.e->snapshot->begin) {
        cli_error("%s: the last snapshot is of no time: port.clock stands", a->path);
        return EXIT_NO_DATA;
    }
    list = json_array();
    r.options = report_options(r.e);
    read_load(&r);
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
        const struct finding f = checks[i].check(&r);

        count[f.verdict]++;
        REPORT_ADD(list, port_check, checks[i].name, verdicts[f.verdict], f.why);
    }
    whole = REPORT_MAKE(verify_port, list, count[WRONG], count[UNTESTED]);
    if (a->json) {
        json_print(whole, JSON_INDENT(1));
    } else {
        report_text(whole, text, stdout);
        json_decref(whole);
    }
    return count[WRONG] ? EXIT_CHECK_FAILED : EXIT_OK;
}

const struct subcommand cmd_verify_port = {
    .name = "verify-port", .what = "judge a port of the core by a run of its known load",
    .through = pass_command, .pass = report, .bytes = sizeof(struct report_arguments),
    .shared = {{&report_json_options}}, .args_doc = "FILE", .json = {&verify_port_object},
    .doc = "Judge a port line by line: clock, source, idle, tasks, modes, masked time, names, account and loss. FILE "
           "is the stream of a kernel in which three tasks call cpuprobe_selftest() (docs/PORTING.md, \"Is it "
           "right?\").",
    .example = {"cpuprobe verify-port port.dump"},
};
