/* SPDX-License-Identifier: MIT */
/* Rules about events (when=): those about shares, and what all have counted. */
/* Uses vector registers: task context only. */
#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"
#include "kernel/tick/trace_rules.h"
#include "kernel/trace/trace.h"
#include "probe/estimate/confidence.h"

#define PERCENT 100.0

static uint32_t over; /* rules about shares whose limit was passed already; task PROBE */

static bool are_there(void)
{
    return trace_is_on() && run_config()->when.count != 0;
}

void report_rules_prepare(void)
{
    over = 0;
}

/* ---- shares ---- */

bool report_rules_watch_shares(void)
{
    bool some = false;

    for (uint32_t i = 0; are_there() && i < run_config()->when.count; i++)
        some |= run_config()->when.spec[i].rule.classes == 0;
    return some;
}

/* The lower end of the 95 % interval of a task's total, percent; 0 where it has no row. */
static double lower_limit(const struct snapshot *s, const char *task)
{
    const struct table_options o = report_table_options(s);
    const struct estimator e = table_estimator(s, &o);

    for (uint32_t i = 0; i < s->rows; i++)
        if (span_is(span_text(task), s->row[i].name)) {
            const struct tally t = { s->row[i].total, s->samples, s->row[i].total_changes };

            return confidence_of(&e, &t, LEVEL_95).low * PERCENT;
        }
    return 0;
}

/* A limit is passed once: it must be kept again before it can be passed again. */
void report_rules_look(const struct snapshot *s)
{
    uint32_t now = 0;

    for (uint32_t i = 0; i < run_config()->when.count; i++) {
        const struct rule_spec *const r = &run_config()->when.spec[i];

        if (r->rule.classes == 0 && lower_limit(s, r->task) > r->rule.number)
            now |= 1u << i;
    }
    if (now & ~over) {
        irq_disable();
        trace_rules_meet(now & ~over);
        irq_enable();
    }
    over = now;
}

/* ---- what they have counted ---- */

static void send(const struct event_rules *r, uint64_t time)
{
    frame_tx_begin(WIRE_RULES, &(struct wire_rules){
        .epoch = frame_tx_epoch(), .time = time, .counter0 = r->counter[0], .counter1 = r->counter[1],
        .counter2 = r->counter[2], .counter3 = r->counter[3], .counter4 = r->counter[4], .counter5 = r->counter[5],
        .counter6 = r->counter[6], .counter7 = r->counter[7],
    });
    for (uint32_t i = 0; i < r->count; i++)
        frame_tx_row(&(struct wire_rules_row){
            i, r->hits[i], r->hits[i] != 0 ? r->last[i] - run_state->start : 0 });
    frame_tx_end();
}

static void print(const struct event_rules *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        log_line(LOG_NOTE, "rule ", DECIMAL(i), " of when= was met ", DECIMAL(r->hits[i]), " times");
    for (uint32_t i = 0; i < EVENT_COUNTERS_MAX; i++)
        if (r->counter[i] != 0)
            log_line(LOG_NOTE, "counter ", DECIMAL(i), " is ", DECIMAL(r->counter[i]));
}

void report_rules_counts(void)
{
    struct event_rules now;

    if (!are_there())
        return;
    irq_disable();
    now = *trace_rules();
    irq_enable();
    if (run_in_frames())
        send(&now, rdtsc() - run_state->start);
    else
        print(&now);
}
