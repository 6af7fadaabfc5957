/* SPDX-License-Identifier: MIT */
/* What each command does, and what it answers. */
#include "kernel/shell/commands.h"

#include "drivers/io.h"
#include "drivers/reset.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/format.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/shutdown.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/mul_div64.h"
#include "kernel/lib/run_state.h"
#include "kernel/lib/string.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/programs.h"
#include "kernel/report/machine_report.h"
#include "kernel/report/run.h"
#include "kernel/sched/task_events.h"
#include "kernel/tick/monitor_config.h"
#include "kernel/tick/reconfigure.h"
#include "kernel/tick/window.h"
#include "probe/command/command_table.h"
#include "probe/text/text_buf.h"

#define WIDTH 78 /* columns of a line of words */
#define KIB   1024u

/* Whoever asked. */
struct requester {
    const struct command *command;
    void (*line)(void *context, const char *text);
    void *context;
};

static struct reconfiguration asked;            /* task PROBE: what AFTER_CHANGE puts into force */
static char why[CONFIG_MESSAGE];       /* task PROBE: of a refusal */

static const struct command_result taken = {.after = AFTER_NOTHING};

static void tell(const struct requester *r, const char *text)
{
    r->line(r->context, text);
}

/* ---- lines ---- */

static void emit(const struct requester *r, struct text_buf *l)
{
    tell(r, l->text);
    buf_reset(l);
}

/* A long text in lines that end between its words. */
static void tell_wrapped(const struct requester *r, const char *text)
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

static struct command_result change(const char *words)
{
    if (!reconfigure_line(&asked, words, why))
        return (struct command_result){.refused = why};
    return (struct command_result){.after = AFTER_CHANGE};
}

/* The monitors, and the regions but for one, as words; `out` has COMMAND_WORDS bytes. */
static void put_monitors(struct text_buf *out, uint32_t monitors, uint32_t without)
{
    static const char *const names[] = {"system", "region", "samples"};
    const struct config *w = &options.words;
    bool some = false;

    buf_text(out, "monitor=");
    for (unsigned i = 0; i < 3; i++)
        if (monitors & 1u << i) {
            buf_text(out, some ? "," : "");
            buf_text(out, names[i]);
            some = true;
        }
    buf_text(out, some ? "" : "none");
    buf_text(out, " region=none");
    for (uint32_t i = 0; i < w->regions && monitors & MONITOR_REGION; i++)
        if (i + 1 != without) {
            buf_text(out, " region=");
            region_spec_put(out, &w->region[i]);
        }
}

static struct command_result start_stop(const struct requester *r)
{
    const uint32_t now = (uint32_t)options.words.monitor, named = r->command->monitors;
    char words[COMMAND_WORDS];
    struct text_buf out = TEXT_BUF(words);

    if (r->command->verb == COMMAND_START)
        put_monitors(&out, now | (named != 0 ? named : (uint32_t)MONITOR_SYSTEM), 0);
    else
        put_monitors(&out, named != 0 ? now & ~named : 0, 0);
    return change(words);
}

/* ---- regions ---- */

static void show_regions(const struct requester *r)
{
    const struct config *w = &options.words;

    if (w->regions == 0)
        tell(r, "no region is watched (regions add TASK:MODE:LOW-HIGH)");
    for (uint32_t i = 0; i < w->regions; i++) {
        char text[CONFIG_MESSAGE];
        struct text_buf out = TEXT_BUF(text);

        buf_number(&out, i + 1);
        buf_text(&out, "  ");
        region_spec_put(&out, &w->region[i]);
        tell(r, text);
    }
}

static struct command_result add_region(const struct region_spec *asked_for)
{
    const uint32_t now = (uint32_t)options.words.monitor;
    const struct task *t = monitors_find_task(asked_for->task);
    struct region_spec region = *asked_for;
    char words[COMMAND_WORDS];
    struct text_buf out = TEXT_BUF(words);

    if (t == 0 && !string_equal(region.task, "*"))
        return (struct command_result){.refused = sentence("no task is called ", region.task)};
    if (t != 0)
        string_copy(region.task, t->name, sizeof region.task);
    put_monitors(&out, now | MONITOR_REGION, 0);
    buf_text(&out, " region=");
    region_spec_put(&out, &region);
    return change(words);
}

static struct command_result remove_region(uint32_t number)
{
    const uint32_t now = (uint32_t)options.words.monitor;
    char words[COMMAND_WORDS];
    struct text_buf out = TEXT_BUF(words);

    if (number > options.words.regions)
        return (struct command_result){.refused = "there is no such region"};
    put_monitors(&out, options.words.regions > 1 ? now : now & ~(uint32_t)MONITOR_REGION, number);
    return change(words);
}

static struct command_result remove_regions(void)
{
    char words[COMMAND_WORDS];
    struct text_buf out = TEXT_BUF(words);

    put_monitors(&out, (uint32_t)options.words.monitor & ~(uint32_t)MONITOR_REGION, 0);
    return change(words);
}

static struct command_result regions(const struct requester *r)
{
    switch (r->command->regions) {
    case REGIONS_SHOW:
        show_regions(r);
        return taken;
    case REGIONS_ADD:
        return add_region(&r->command->region);
    case REGIONS_REMOVE:
        return remove_region(r->command->number);
    default:
        return remove_regions();
    }
}

/* ---- tasks ---- */

static const char *state_of(const struct task *t)
{
    if (t == current)
        return "runs";
    return t->state == TASK_ENDED ? "ended" : t->state == TASK_SLEEPING ? "sleeps" : "ready";
}

/* Exact time since the image began, milliseconds as seconds. */
static void put_time(struct text_buf *l, uint64_t clocks)
{
    buf_right(l, MILLI(milli(clocks)), 11);
}

static void put_task(const struct requester *r, const struct task *t)
{
    const struct program *p = t->program != 0 ? program_at(t->program - 1) : 0;
    static const enum mode columns[MODES] = {MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_INTERRUPT};
    char text_of_line[TEXT_BUF_SIZE];
    struct text_buf l = TEXT_BUF(text_of_line);

    buf_left(&l, t->name, 16);
    buf_left(&l, p != 0 ? p->name : "", 12);
    buf_left(&l, state_of(t), 8);
    for (unsigned i = 0; account_on && i < MODES; i++)
        put_time(&l, t->account.time[columns[i]][0] + t->account.time[columns[i]][1]);
    emit(r, &l);
}

static struct command_result show_tasks(const struct requester *r)
{
    tell(r, account_on ?
         "Task            Program     State        kernel supervisor       user  interrupt" :
         "Task            Program     State   (account=off: no exact times)");
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        put_task(r, &tasks[i]);
    if (account_on)
        tell(r, "exact seconds since the image began");
    return taken;
}

/* ---- what there is ---- */

static struct command_result show_words(const struct requester *r)
{
    static char line[CONFIG_LINE]; /* task PROBE */

    config_print(&options.words, line);
    tell_wrapped(r, line);
    return taken;
}

static void put_window(const struct requester *r)
{
    uint64_t ticks;

    irq_disable();
    ticks = probe_ticks(&probe);
    irq_enable();
    if (!tick_facts.ticks) {
        tell(r, "tick: none");
        return;
    }
    tell(r, sentence("tick: ", tick_source->name, " at ", DECIMAL(options.words.rate), " Hz, ",
                     config_value_name(&options.words, "interval"), ", delivery=",
                     config_value_name(&options.words, "delivery"), ", seed ", DECIMAL(options.seed)));
    tell(r, sentence("window: ", DECIMAL(ticks), " ticks in ",
                     MILLI(milli(rdtsc() - probe.counters.begin)), " s"));
    tell(r, sentence("missed: ", DECIMAL(probe.counters.late), " ticks late, ",
                     DECIMAL(probe.counters.missed_overrun), " overrun, ",
                     DECIMAL(probe.counters.missed_source), " by the source; lost: ",
                     DECIMAL(probe.system.lost.hits[MODES]), " for want of a record"));
}

static struct command_result show_tick(const struct requester *r)
{
    char line[CONFIG_LINE];

    config_print_some(&options.words, command_tick_words, line);
    tell_wrapped(r, line);
    put_window(r);
    return taken;
}

static struct command_result show_status(const struct requester *r)
{
    static const char *const keys[] = {"tick", "tasks", "sched", "account", "monitor", "region", NULL};
    static char line[CONFIG_LINE]; /* task PROBE */

    tell(r, sentence("run: ", MILLI(milli(rdtsc() - options.begin)), " s"));
    config_print_some(&options.words, keys, line);
    tell_wrapped(r, line);
    put_window(r);
    tell(r, sentence("line: ", stream_uart_name(), "; bytes in and not read: ", DECIMAL(stream_uart_unread()),
                     ", frames dropped: ", DECIMAL(frame_tx_dropped()), ", records of tasks lost: ",
                     DECIMAL(events_lost())));
    tell(r, sentence("memory: ", DECIMAL(page_alloc_left() * PAGE_SIZE / KIB), " KiB left"));
    return taken;
}

static struct command_result show_health(const struct requester *r)
{
    machine_report_print(r->line, r->context);
    return taken;
}

/* ---- all of them ---- */

static struct command_result words(const struct requester *r)
{
    if (r->command->words[0] != '\0')
        return change(r->command->words);
    return r->command->verb == COMMAND_TICK ? show_tick(r) : show_words(r);
}

struct command_result command_execute(const struct command *c,
                                   void (*line)(void *context, const char *text), void *context)
{
    const struct requester r = {c, line, context};

    switch (c->verb) {
    case COMMAND_TASKS:
        return show_tasks(&r);
    case COMMAND_REGIONS:
        return regions(&r);
    case COMMAND_TICK:
    case COMMAND_SET:
    case COMMAND_OUTPUT:
        return words(&r);
    case COMMAND_START:
    case COMMAND_STOP:
        return start_stop(&r);
    case COMMAND_STATUS:
        return show_status(&r);
    case COMMAND_HEALTH:
        return show_health(&r);
    case COMMAND_HELP:
        command_help(c->topic, line, context);
        return taken;
    case COMMAND_SNAPSHOT:
        return (struct command_result){.after = AFTER_SNAPSHOT};
    case COMMAND_END:
        return (struct command_result){.after = AFTER_END};
    case COMMAND_REBOOT:
        return (struct command_result){.after = AFTER_REBOOT};
    case COMMAND_NONE:
        return taken;
    case COMMAND_PAT:
    case COMMAND_PLT:
    case COMMAND_MPS:
    case COMMAND_PAGE:
        break;
    }
    return (struct command_result){.refused = "only the shell, output=text, can do this"};
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
        options.words.exit = EXIT_REBOOT;
        shutdown(true);
    }
}
