/* SPDX-License-Identifier: MIT */
/*
 * pat, plt and mps: each measures a window with the monitors that it needs and then restores the configuration.
 * Only the tick stops and starts again; no task is suspended.
 */
#include "kernel/shell/shell.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/mm/elf_loader.h"
#include "kernel/mm/paging.h"
#include "kernel/mm/programs.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/reconfigure.h"
#include "kernel/tick/window.h"
#include "probe/stats/zoom.h"

#define SECOND_US 1000000u

/* ---- which addresses ---- */

static void include_program(const struct program *p, struct region_spec *r)
{
    uint64_t low, high;

    if (!elf_code(p->begin, (uint64_t)(p->end - p->begin), &low, &high))
        return;
    r->low = low < r->low ? low : r->low;
    r->high = high > r->high ? high : r->high;
}

/* All code that the task can run in this mode: of its program, of all programs for "*", or of the image. */
static void whole_code(const struct task *t, struct region_spec *r)
{
    if (r->mode != MODE_USER) {
        paging_text_range(&r->low, &r->high);
        return;
    }
    r->low = UINT64_MAX;
    r->high = 0;
    for (uint32_t i = 0; program_at(i) != 0; i++)
        if (t == 0 || t->program == i + 1)
            include_program(program_at(i), r);
}

static bool find_region(const struct command *c, struct region_spec *r, struct refusal *why)
{
    const struct task *t = monitors_find_task(c->region.task);
    struct region_spec whole = c->region;

    *r = c->region;
    if (t == 0 && !string_equal(r->task, "*"))
        return REFUSE_WITH(why, "no task is called %1 (tasks lists them)", REFUSAL_STRING(c->region.task));
    if (t != 0)
        string_copy(r->task, t->name, sizeof r->task);
    whole_code(t, &whole);
    if (!c->from_low)
        r->low = whole.low;
    if (!c->to_high)
        r->high = whole.high;
    return r->low < r->high ||
           REFUSE_WITH(why, "%1 has no code there in this mode", REFUSAL_STRING(t != 0 ? t->name : "*"));
}

/* ---- the window ---- */

/* The monitors that this command needs, instead of those in force. */
static bool set_needs(const struct command *c, struct config *w, struct refusal *why)
{
    const uint64_t kept = w->sched != SCHED_RR ? MONITOR_SYSTEM : 0; /* it charges by it */

    w->given = 0;
    w->samples = 0;
    w->precision = 0;
    w->regions = 0;
    w->monitor = MONITOR_SYSTEM;
    if (c->verb == COMMAND_PAT)
        return true;
    w->monitor = kept | MONITOR_REGION;
    w->regions = 1;
    if (!tick_facts.ticks)
        return REFUSE(why, "tick=none: nothing is sampled");
    return find_region(c, &w->region[0], why);
}

/* Plan a window with the next seed, so that no two windows are sampled at the same moments. */
static bool prepare(struct reconfiguration *c, const struct config *w, struct refusal *why)
{
    return reconfigure_check(c, w, reconfigure_next_seed(), why);
}

static void show_progress(uint32_t passed, uint32_t seconds)
{
    uint64_t ticks;

    irq_disable();
    ticks = tick_facts.ticks ? probe_ticks(&probe) : 0;
    irq_enable();
    console_row(JOINED(DECIMAL(passed), " of ", DECIMAL(seconds), " s, ", DECIMAL(ticks),
                       " ticks; Ctrl-C ends it here"));
}

/* Wait for the end of a window, and show each second how much of it has passed.  False if Ctrl-C came. */
static bool await(uint32_t seconds)
{
    const uint64_t begin = rdtsc();
    bool whole = true;

    for (uint32_t passed = 1; whole && passed <= seconds && rdtsc() < console_end(); passed++) {
        whole = console_wait(begin + timer_us_to_clocks((uint64_t)passed * SECOND_US));
        if (whole && passed < seconds)
            show_progress(passed, seconds);
    }
    if (seconds > 1)
        console_row("");
    return whole;
}

/* Begin a window and wait for its end, which *cut short if Ctrl-C came.  False where it is refused. */
static bool watch(const struct config *w, uint32_t seconds, bool *cut, struct refusal *why)
{
    static struct reconfiguration window; /* task PROBE */

    if (!prepare(&window, w, why))
        return false;
    report_stop_window();
    run_begin_epoch(&window);
    *cut = !await(seconds);
    if (*cut)
        console_line(0, "^C");
    return true;
}

static void show(const struct command *c, struct snapshot *s)
{
    const struct report_view view = {.plain = c->verb == COMMAND_PLT, .min = c->min};

    if (c->symbols)
        console_line(0, "(the names are those that the image carries: no file is read)");
    if (c->verb == COMMAND_PAT)
        report_table(s, console_line);
    else
        report_histogram(s, 0, &view, console_line);
}

/* ---- the zoom ---- */

static void put_address(struct text_buf *out, bool octal, uint64_t address)
{
    buf_text(out, octal ? OCTAL(address) : HEX(address));
}

static void tell_step(const struct zoom *z, const struct snapshot *s, bool octal)
{
    const struct snapshot_region *r = &s->region[0];
    const bool named = z->how == ZOOM_AT_FUNCTION;
    char text[REFUSAL_TEXT];
    struct text_buf out = TEXT_BUF(text);

    buf_text(&out, "step ");
    buf_number(&out, z->step);
    buf_text(&out, ": ");
    put_address(&out, octal, r->low);
    buf_char(&out, '-');
    put_address(&out, octal, r->high);
    buf_text(&out, named ? ", the hottest function " : "");
    buf_text(&out, named ? z->function.name : "");
    buf_text(&out, ", slot size ");
    put_address(&out, octal, 1ull << r->shift);
    buf_parts(&out, ": ", DECIMAL(r->active - r->below - r->above), " of ", DECIMAL(s->samples), " samples");
    console_line(0, text);
}

static bool find_hottest(void *snapshot, struct zoom_hottest *to)
{
    struct report_hottest f;

    if (!report_hottest(snapshot, 0, &f))
        return false;
    to->function.start = f.function.start;
    to->function.end = f.function.end;
    zoom_name(&to->function, f.function.name);
    to->shared = !f.alone;
    to->low = f.low;
    to->high = f.high;
    return true;
}

static bool next_step(struct zoom *z, struct snapshot *s)
{
    const struct snapshot_region *r = &s->region[0];
    const uint64_t here = r->active - r->below - r->above;
    const struct zoom_window window = {
        .slots = {r->hits, r->base, r->shift, r->low, r->high}, .hits = here, .least = here,
        .hottest = find_hottest, .context = s,
    };

    return zoom_next(z, &window);
}

/* Window after window, each over a smaller region, and the last one's histogram, also of one that was cut short. */
static bool zoom(const struct command *c, struct config *w, struct refusal *why)
{
    static struct zoom z; /* task PROBE */
    struct region_spec *r = &w->region[0];
    struct snapshot *s;
    bool cut;

    zoom_begin(&z, ZOOM_TO_FUNCTION, r->low, r->high);
    do {
        r->low = z.low;
        r->high = z.high;
        if (!watch(w, c->seconds, &cut, why))
            return false;
        s = report_peek();
        tell_step(&z, s, r->octal);
    } while (!cut && !console_enough() && next_step(&z, s));
    show(c, s);
    return true;
}

static bool once(const struct command *c, struct config *w, struct refusal *why)
{
    bool cut;

    if (!watch(w, c->seconds, &cut, why))
        return false;
    console_begin();
    show(c, report_peek());
    return true;
}

bool shell_measure(const struct command *c, struct refusal *why)
{
    static struct reconfiguration after; /* task PROBE, as the next */
    static struct config words;
    bool done;

    words = *run_config();
    words.given = 0;
    /* One seed for both: the configuration is restored with a new one too. */
    if (!prepare(&after, &words, why) || !set_needs(c, &words, why))
        return false;
    done = (c->zoom ? zoom : once)(c, &words, why);
    report_stop_window();
    run_begin_epoch(&after);
    return done;
}
