/* SPDX-License-Identifier: MIT */
/*
 * The event monitor's buffer as frames, and its counters as frames or text.  A line that carries less than what
 * happens must not keep PROBE: events go into the part of the line's ring that snapshots do not need.
 */
#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/tick/trace_control.h"
#include "kernel/tick/trace_rules.h"
#include "kernel/trace/trace.h"
#include "probe/stream/event_encode.h"

#define BATCH      512u
#define LAST       32u /* events that are printed */
#define SERVICE_US 50000u
#define NEVER_US   1000000u

static struct event_encoder sender;        /* task PROBE, as all below */
static bool begun;
static bool writing;                       /* the buffer, */
static uint64_t write_end;                 /* up to this record */
static uint64_t refused;                   /* events that were lost when the line was found too slow */
static struct {
    struct event_record record;
    uint64_t number;
} batch[BATCH];

/*
 * Take up to `most` records, BATCH at most, in one section with interrupts off: each of those is two events itself.
 */
static uint32_t take(uint64_t most)
{
    uint32_t count = 0;

    irq_disable();
    while (count < most && count < BATCH && event_ring_take(&trace_ring, &batch[count].record)) {
        batch[count].number = event_ring_taken(&trace_ring);
        count++;
    }
    irq_enable();
    return count;
}

/*
 * The first one is a CONTINUE, but in a buffer that has overwritten it: then a task is known from the next SWITCH on.
 */
static uint64_t task_before(const struct event_record *first)
{
    return event_record_class(first) == TRACE_CONTINUE || event_record_class(first) == TRACE_SWITCH
               ? event_record_argument(first) : trace_task(ROW_IDLE, 0);
}

static void begin(const struct event_record *first, uint64_t number)
{
    const uint64_t task = task_before(first);

    event_encoder_begin(&sender, &(struct event_encoder_request){
        .epoch = frame_tx_epoch(), .unit = report_time_unit(), .send = frame_tx_take,
    }, task);
    if (number != 0)
        event_encoder_skip_to(&sender, number, task);
    begun = true;
}

static void put_event(const struct event_record *e, uint64_t number)
{
    if (!(run_config()->monitor & MONITOR_EVENTS))
        return;
    if (!begun)
        begin(e, number);
    else if (number != sender.number) /* those between were overwritten */
        event_encoder_skip_to(&sender, number, task_before(e));
    event_encoder_lost(&sender, trace_ring.told, trace_ring.lost_time != 0 ? trace_ring.lost_time - run_state->start
                                                                           : 0);
    event_encoder_put(&sender, &(struct trace_event){
        .time = e->time - run_state->start,
        .argument = event_record_argument(e),
        .class = (uint8_t)event_record_class(e),
    });
}

/* Send at most so many records; the number of those that were there. */
static uint32_t send_some(uint64_t most)
{
    const uint32_t count = take(most);

    for (uint32_t i = 0; i < count; i++) {
        put_event(&batch[i].record, batch[i].number);
        report_states_take(&batch[i].record, batch[i].number);
    }
    return count;
}

void report_trace_prepare(void)
{
    begun = writing = false;
    refused = 0;
    report_rules_prepare();
    report_states_prepare();
}

/* thin=off: what the line cannot carry is not begun to be dropped here and there: nothing more is recorded. */
static void refuse_thinning(void)
{
    static const char *const events = "events come faster than the line carries them: no more are recorded "
                                      "(thin=auto records stretches, events= fewer of them, buffer=count none)";
    static const char *const states = "states change faster than the line carries it: no more are recorded "
                                      "(thin=auto records stretches, buffer=stop the first ones)";

    irq_disable();
    trace_pause(TRACE_PAUSED_BY_LINE, account.last);
    refused = trace_ring.lost;
    irq_enable();
    log_line(LOG_WARNING, run_config()->monitor & MONITOR_EVENTS ? events : states);
}

void report_trace_sync(void)
{
    irq_disable();
    trace_control_sync();
    irq_enable();
}

static bool streams(void)
{
    return trace_is_on() && run_in_frames() && trace_ring.mode == EVENT_RING_STREAM;
}

/* The name of the task that the argument is, else its low part as a number. */
static const char *argument_text(enum trace_class class, uint64_t argument, struct text_buf *out)
{
    const uint32_t of_tasks = 1u << TRACE_SWITCH | 1u << TRACE_READY | 1u << TRACE_SLEEP | 1u << TRACE_WAKE |
                              1u << TRACE_START | 1u << TRACE_END | 1u << TRACE_CONTINUE;

    buf_reset(out);
    if (of_tasks >> class & 1)
        buf_text(out, tasks[trace_task_number(argument) % TASKS_MAX].name);
    else
        buf_number(out, (uint32_t)argument);
    return out->text;
}

static void print_event(const struct event_record *e, uint64_t number)
{
    char text[TEXT_BUF_SIZE];
    struct text_buf argument = TEXT_BUF(text);

    log_line(LOG_NOTE, "event ", DECIMAL(number), " at ", DECIMAL(e->time - run_state->start), ": ",
             trace_class_name(event_record_class(e)), " ",
             argument_text(event_record_class(e), event_record_argument(e), &argument));
}

/* output=text, buffer=overwrite: the last events before the end, times in clock units. */
static void print_last(void)
{
    if (trace_ring.put > LAST)
        trace_ring.taken = trace_ring.put - LAST;
    for (uint32_t count = take(LAST), i = 0; i < count; i++)
        print_event(&batch[i].record, batch[i].number);
}

static uint64_t waiting(uint64_t end)
{
    const uint64_t first = event_ring_overwritten(&trace_ring);

    return end - (trace_ring.taken > first ? trace_ring.taken : first);
}

/* Send events up to this one as long as the line has room; whether all were sent. */
static bool send_up_to(uint64_t end)
{
    uint64_t left = waiting(end);

    while (left != 0 && stream_uart_tx_room() >= REPORT_ROOM)
        left -= send_some(left);
    if (begun && stream_uart_tx_room() >= REPORT_ROOM)
        event_encoder_flush(&sender);
    return left == 0;
}

/* Nothing is recorded meanwhile, except in buffer=stop, as long as it has room. */
static void write_some(void)
{
    if (trace_ring.mode == EVENT_RING_OVERWRITE && !event_ring_is_frozen(&trace_ring))
        return;
    if (trace_ring.mode == EVENT_RING_OVERWRITE)
        write_end = trace_ring.put;
    if (!run_in_frames())
        print_last();
    else if (!send_up_to(write_end))
        return;
    irq_disable();
    event_ring_release(&trace_ring);
    irq_enable();
    writing = false;
}

void report_trace_write(void)
{
    if (!trace_is_on() || trace_ring.mode == EVENT_RING_COUNT || trace_ring.mode == EVENT_RING_STREAM)
        return;
    irq_disable();
    if (trace_ring.limit == UINT64_MAX)
        event_ring_freeze(&trace_ring, 100);
    write_end = trace_ring.put;
    irq_enable();
    writing = true;
}

void report_trace(void)
{
    if (trace_is_on() && writing)
        write_some();
    if (!streams())
        return;
    if (trace_ring.lost != refused && !trace_is_paused() && run_config()->thin == THIN_OFF)
        refuse_thinning();
    send_up_to(trace_ring.put);
}

static void send_all(void)
{
    while (send_some(UINT64_MAX) != 0)
        continue;
}

void report_trace_end(void)
{
    if (!trace_is_on())
        return;
    irq_disable();
    trace_control_end();
    irq_enable();
    if (trace_ring.mode == EVENT_RING_COUNT)
        return;
    if (!run_in_frames()) {
        print_last();
        return;
    }
    report_states_close(probe.closed.counters.end);
    send_all();
    irq_disable();
    event_ring_release(&trace_ring); /* what a frozen buffer has lost is told too */
    irq_enable();
    send_all();
    if (begun)
        event_encoder_end(&sender);
    report_states_end();
}

uint64_t report_trace_service_us(void)
{
    return streams() || writing || (trace_is_on() && run_config()->when.count != 0) ? SERVICE_US : NEVER_US;
}

static void send_counts(const struct event_counts *c)
{
    event_counts_write(frame_tx_writer(), c);
    frame_tx_send(frame_tx_writer());
}

static void print_counts(const struct event_counts *c)
{
    for (unsigned class = 0; class < TRACE_CLASSES_END; class++)
        if (c->count[class] != 0)
            log_line(LOG_NOTE, "events: ", trace_class_name(class), " ", DECIMAL(c->count[class]));
    if (c->head.lost != 0)
        log_line(LOG_WARNING, "events: ", DECIMAL(c->head.lost), " of them found no room");
}

void report_trace_counts(void)
{
    static struct event_counts counts;

    if (!trace_is_on() || !(run_config()->monitor & MONITOR_EVENTS))
        return;
    irq_disable();
    event_counts_read(&counts, &trace_ring, rdtsc(), run_state->start);
    irq_enable();
    counts.head.epoch = frame_tx_epoch();
    (run_in_frames() ? send_counts : print_counts)(&counts);
}
