/* SPDX-License-Identifier: MIT */
/* The end of the run: logs what was denied, lost or unexpected, and why the run is over. */
#include "kernel/cpu/irq.h"
#include "kernel/io/frame_tx.h"
#include "kernel/io/log.h"
#include "kernel/io/shutdown.h"
#include "kernel/io/stream_uart.h"
#include "kernel/lib/run_state.h"
#include "kernel/report/machine_report.h"
#include "kernel/report/run.h"
#include "kernel/sched/task.h"
#include "kernel/sched/task_events.h"
#include "kernel/sched/timer.h"
#include "kernel/source/nmi.h"
#include "kernel/source/source_pit.h"
#include "kernel/tick/sources.h"
#include "kernel/workload/workload.h"

static void tell_denied(const char *who, const char *name, const struct denials *d)
{
    if (d->calls != 0)
        log_line(LOG_WARNING, who, name, " made ", DECIMAL(d->calls),
                 d->calls == 1 ? " call that it is not granted" : " calls that it is not granted");
    if (d->reports != 0)
        log_line(LOG_WARNING, who, name, " made ", DECIMAL(d->reports),
                 d->reports == 1 ? " report that found no room" : " reports that found no room");
    if (d->event_times != 0)
        log_line(LOG_WARNING, who, name, " recorded ", DECIMAL(d->event_times),
                 " user events with times at which it did not run");
    if (d->event_room != 0)
        log_line(LOG_WARNING, who, name, " overwrote ", DECIMAL(d->event_room),
                 " user events before they were taken");
    if (d->faults != 0)
        log_line(LOG_WARNING, who, name, " was ended by a fault, and its record found no room");
}

/* The requests of tasks that were denied. */
static void tell_denials(void)
{
    for (uint32_t i = 0; i < TASKS_MAX; i++)
        tell_denied("task ", tasks[i].name, &tasks[i].denied);
    tell_denied("tasks whose place was given to others", "", denials_retired());
}

/* Interrupts that nothing of the image asked for; their time was charged to tasks. */
static void tell_interrupts(void)
{
    struct irq_counts counts;

    irq_read_counts(&counts);
    if (counts.spurious[0] + counts.spurious[1] + counts.spurious[2] != 0)
        log_line(LOG_NOTE, "spurious interrupts: ", DECIMAL(counts.spurious[0]), " of IRQ 7, ",
                 DECIMAL(counts.spurious[1]), " of IRQ 15, ", DECIMAL(counts.spurious[2]),
                 " of the local APIC");
    if (counts.unexpected != 0)
        log_line(LOG_WARNING, DECIMAL(counts.unexpected), counts.unexpected == 1 ?
                 " interrupt has no handler" : " interrupts have no handler");
}

/* Losses and unexpected ticks, by cause. */
static void tell_losses(void)
{
    tell_denials();
    if (timer_lost() != 0)
        log_line(LOG_WARNING, "interrupts of ", timer_device(),
                 ", which is the system clock, that were lost and begun anew", ": ", DECIMAL(timer_lost()));
    if (events_pending() != 0)
        log_line(LOG_WARNING, DECIMAL(events_pending()), " records of tasks came too late to be told");
    if (source_pit_early() != 0)
        log_line(LOG_WARNING, DECIMAL(source_pit_early()), " interrupts of the PIT came before its time");
    if (source_pit_disagreements() != 0)
        log_line(LOG_WARNING, DECIMAL(source_pit_disagreements()),
                 " ticks came at another time by the TSC than by the PIT");
    for (enum config_tick tick = TICK_PIT; tick < TICK_NONE; tick++) /* each may have been in force */
        if (source_of(tick, false)->report != 0)
            source_of(tick, false)->report();
    if (frame_tx_dropped() != 0)
        log_line(LOG_WARNING, DECIMAL(frame_tx_dropped()), " frames found no room on the line");
    stream_uart_report_end();
    report_received_end();
    if (stream_uart_unread() != 0)
        log_line(LOG_WARNING, DECIMAL(stream_uart_unread()), " bytes came in and were not read");
    if (nmi_strays() + nmi_nested() != 0)
        log_line(LOG_WARNING, DECIMAL(nmi_strays()), " NMIs were no ticks, and ", DECIMAL(nmi_nested()),
                 " came during another");
}

_Noreturn void run_finish(bool success, const char *reason)
{
    report_last_task_notes();
    report_processes();
    report_last_events();
    report_code(success, reason);
    workload_report();
    tell_losses();
    tell_interrupts();
    report_result();
    if (!success)
        log_line(LOG_ERROR, reason);
    if (run_in_frames()) {
        machine_report_send();
        report_end_record(success, reason);
    }
    shutdown(success);
}
