/* SPDX-License-Identifier: MIT */
/* The commands, and their answers. */
#include "kernel/shell/shell.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/shutdown.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/report/machine_report.h"
#include "kernel/report/run.h"
#include "kernel/sched/task_events.h"
#include "kernel/sched/task_slot.h"
#include "kernel/source/sampler.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/reconfigure.h"
#include "kernel/tick/trace_rules.h"
#include "kernel/tick/window.h"
#include "kernel/trace/trace.h"
#include "probe/command/command_table.h"
#include "probe/text/text_buf.h"

#define WIDTH 78 /* columns of a line of words */
#define KIB   1024u

/* Task PROBE, as the next three: a configuration and its text are too large for the stack. */
static struct reconfiguration asked; /* what AFTER_CHANGE puts into force */
static struct config wanted;         /* what a command is about to ask for */
static struct config added;          /* one region alone */
static char line[CONFIG_LINE];       /* words that are shown */

static const struct command_result taken = {.after = AFTER_NOTHING};

static void tell(const struct command_asker *r, const char *text)
{
    r->line(r->context, text);
}

/* ---- lines ---- */

static void emit(const struct command_asker *r, struct text_buf *l)
{
    tell(r, l->text);
    buf_reset(l);
}

/* A long text, in lines that break at blanks. */
static void tell_wrapped(const struct command_asker *r, const char *text)
{
    char text_of_line[TEXT_BUF_SIZE];
    struct text_buf l = TEXT_BUF(text_of_line);

    while (*text != '\0') {
        struct span word = span_until(span_text(text), ' ');

        if (l.length != 0 && l.length + 1 + word.length > WIDTH)
            emit(r, &l);
        else if (l.length != 0)
            buf_char(&l, ' ');
        for (size_t i = 0; i < word.length; i++)
            buf_char(&l, text[i]);
        text += word.length + (text[word.length] == ' ');
    }
    if (l.length != 0)
        emit(r, &l);
}

/* Clock units as milliseconds. */

static uint64_t milli(uint64_t clocks)
{
    return mul_div64(clocks, 1000, tick_facts.calibration.rate.clock_hz);
}

/* ---- changes ---- */

/* `wanted` as it is in force, as a start for another one. */
static void want_as_it_is(void)
{
    wanted = *run_config();
    wanted.given = 0;
}

static struct command_result change(void)
{
    struct command_result r = {.after = AFTER_CHANGE};

    r.refused = !reconfigure_to(&asked, &wanted, &r.why);
    return r;
}

static struct command_result change_monitors(uint64_t monitors)
{
    wanted.monitor = monitors;
    if (!(monitors & MONITOR_REGION))
        wanted.regions = 0;
    if (!(monitors & MONITOR_EVENTS))
        wanted.when.count = 0;
    return change();
}

static struct command_result start_stop(const struct command *c)
{
    const uint64_t named = c->monitors, in_force = run_config()->monitor;

    want_as_it_is();
    if (c->verb == COMMAND_START)
        return change_monitors(in_force | (named != 0 ? named : MONITOR_SYSTEM));
    return change_monitors(named != 0 ? in_force & ~named : 0);
}

/* ---- regions ---- */

static void show_regions(const struct command_asker *r)
{
    const struct config *w = run_config();

    if (w->regions == 0)
        tell(r, "no region is watched (regions add TASK:MODE:LOW-HIGH)");
    for (uint32_t i = 0; i < w->regions; i++) {
        char text[REFUSAL_TEXT];
        struct text_buf out = TEXT_BUF(text);

        buf_number(&out, i + 1);
        buf_text(&out, "  ");
        region_spec_put(&out, &w->region[i]);
        tell(r, text);
    }
}

static struct command_result add_region(const struct region_spec *region)
{
    const struct task *t = monitors_find_task(region->task);
    struct command_result r = {.refused = true};

    want_as_it_is();
    added.regions = 1;
    added.region[0] = *region;
    added.given = config_bit(CONFIG_REGION);
    if (t == 0 && !string_equal(region->task, "*"))
        REFUSE_WITH(&r.why, "no task is called %1", REFUSAL_STRING(region->task));
    else if (t != 0)
        string_copy(added.region[0].task, t->name, sizeof added.region[0].task);
    if (r.why.reason != 0 || !config_merge(&wanted, &added, &r.why))
        return r;
    return change_monitors(wanted.monitor | MONITOR_REGION);
}

static struct command_result remove_region(uint32_t number)
{
    struct command_result r = {.refused = true};

    want_as_it_is();
    if (number > wanted.regions) {
        REFUSE(&r.why, "there is no such region");
        return r;
    }
    wanted.regions--;
    for (uint64_t i = number - 1; i < wanted.regions; i++)
        wanted.region[i] = wanted.region[i + 1];
    return change_monitors(wanted.regions != 0 ? wanted.monitor : wanted.monitor & ~(uint64_t)MONITOR_REGION);
}

static struct command_result regions(const struct command *c, const struct command_asker *r)
{
    switch (c->regions) {
    case REGIONS_ADD:
        return add_region(&c->region);
    case REGIONS_REMOVE:
        return remove_region(c->number);
    case REGIONS_REMOVE_ALL:
        want_as_it_is();
        return change_monitors(wanted.monitor & ~(uint64_t)MONITOR_REGION);
    case REGIONS_SHOW:
        break;
    }
    show_regions(r);
    return taken;
}

/* ---- what there is ---- */

static struct command_result show_words(const struct command_asker *r)
{
    config_print(run_config(), line);
    tell_wrapped(r, line);
    return taken;
}

static void put_window(const struct command_asker *r)
{
    uint64_t ticks;

    irq_disable();
    ticks = probe_ticks(&probe);
    irq_enable();
    if (!tick_facts.ticks) {
        tell(r, "tick: none");
        return;
    }
    tell(r, JOINED("tick: ", tick_source->name, " at ", DECIMAL(run_config()->rate), " Hz, ",
                   config_value_name(run_config(), CONFIG_INTERVAL), ", delivery=",
                   config_value_name(run_config(), CONFIG_DELIVERY), ", seed ", DECIMAL(sampler_seed())));
    tell(r, JOINED("window: ", DECIMAL(ticks), " ticks in ",
                   MILLI(milli(rdtsc() - probe.counters.begin)), " s"));
    tell(r, JOINED("missed: ", DECIMAL(probe.counters.late), " ticks late, ",
                   DECIMAL(probe.counters.missed_overrun), " overrun, ",
                   DECIMAL(probe.counters.missed_source), " by the source; lost: ",
                   DECIMAL(probe.system.lost.hits[MODES]), " for want of a record"));
}

static struct command_result show_tick(const struct command_asker *r)
{
    config_print_some(run_config(), command_tick_words, line);
    tell_wrapped(r, line);
    put_window(r);
    return taken;
}

static struct command_result show_status(const struct command_asker *r)
{
    static const enum config_key keys[] = {
        CONFIG_TICK, CONFIG_TASKS, CONFIG_SCHED, CONFIG_ACCOUNT, CONFIG_MONITOR, CONFIG_REGION, CONFIG_KEYS,
    };

    tell(r, JOINED("run: ", MILLI(milli(rdtsc() - run.begin)), " s"));
    config_print_some(run_config(), keys, line);
    tell_wrapped(r, line);
    put_window(r);
    tell(r, JOINED("line: ", stream_uart_name(), "; bytes in and not read: ", DECIMAL(stream_uart_unread()),
                   ", frames dropped: ", DECIMAL(frame_tx_dropped()), ", records of tasks lost: ",
                   DECIMAL(events_lost())));
    tell(r, JOINED("memory: ", DECIMAL(page_alloc_left() * PAGE_SIZE / KIB), " KiB left; deepest stack at ring 0: ",
                   DECIMAL(task_deepest_stack()), " of ", DECIMAL(TASK_STACK0_BYTES), " bytes"));
    return taken;
}

static struct command_result show_health(const struct command_asker *r)
{
    machine_report_print(r->line, r->context);
    return taken;
}

/* ---- events ---- */

static struct command_result control_events(enum command_verb verb)
{
    struct command_result refused = {.refused = true};

    if (!trace_is_on()) {
        REFUSE(&refused.why, "monitor= has no events");
        return refused;
    }
    if (verb == COMMAND_DUMP && run_config()->buffer != BUFFER_OVERWRITE && run_config()->buffer != BUFFER_STOP) {
        REFUSE(&refused.why, "dump is for buffer=overwrite and stop: the others keep nothing");
        return refused;
    }
    irq_disable();
    if (verb == COMMAND_PAUSE)
        trace_pause(TRACE_PAUSED_BY_COMMAND, account.last);
    else if (verb == COMMAND_CONTINUE)
        trace_continue(account.last);
    else
        event_ring_freeze(&trace_ring, 100);
    irq_enable();
    if (verb == COMMAND_DUMP)
        report_trace_write();
    return taken;
}

/* ---- all of them ---- */

static struct command_result words(const struct command *c, const struct command_asker *r)
{
    struct command_result refused = {.refused = true};

    if (c->change.given == 0)
        return c->verb == COMMAND_TICK ? show_tick(r) : show_words(r);
    want_as_it_is();
    return config_merge(&wanted, &c->change, &refused.why) ? change() : refused;
}

struct command_result command_execute(const struct command *c, const struct command_asker *r)
{
    struct command_result shell_only = {.refused = true};

    switch (c->verb) {
    case COMMAND_PS:
        command_ps(r);
        return taken;
    case COMMAND_REGIONS:
        return regions(c, r);
    case COMMAND_TICK:
    case COMMAND_SET:
    case COMMAND_OUTPUT:
        return words(c, r);
    case COMMAND_START:
    case COMMAND_STOP:
        return start_stop(c);
    case COMMAND_PAUSE:
    case COMMAND_CONTINUE:
    case COMMAND_DUMP:
        return control_events(c->verb);
    case COMMAND_STATUS:
        return show_status(r);
    case COMMAND_HEALTH:
        return show_health(r);
    case COMMAND_HELP:
        command_help(c->topic, r->shell, r->line, r->context);
        return taken;
    case COMMAND_SNAPSHOT:
        return (struct command_result){.after = AFTER_SNAPSHOT};
    case COMMAND_END:
        return (struct command_result){.after = AFTER_END};
    case COMMAND_REBOOT:
        return (struct command_result){.after = AFTER_REBOOT};
    case COMMAND_NONE:
        return taken;
    case COMMAND_TOP:
    case COMMAND_PAT:
    case COMMAND_PLT:
    case COMMAND_MPS:
    case COMMAND_PAGE:
        break;
    }
    REFUSE(&shell_only.why, "only the shell, output=text, can do this");
    return shell_only;
}

static _Noreturn void reboot(void)
{
    want_as_it_is();
    wanted.given = run_config()->given;
    wanted.exit = EXIT_REBOOT;
    run_state_set_config(&wanted);
    shutdown(true);
}

void command_complete(enum command_followup after, bool shown)
{
    switch (after) {
    case AFTER_NOTHING:
        break;
    case AFTER_CHANGE:
        run_change_config(&asked, shown);
        break;
    case AFTER_SNAPSHOT:
        report_show();
        break;
    case AFTER_END:
        run_conclude();
    case AFTER_REBOOT:
        reboot();
    }
}
