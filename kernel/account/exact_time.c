/* SPDX-License-Identifier: MIT */
/* Keeps the state of exact accounting that all changes of cell share. */
#include "kernel/account/exact_time.h"

#include "kernel/cpu/call_stubs.h"
#include "kernel/trace/trace.h"

static uint64_t nowhere; /* time before the first window belongs to no cell */

struct account account = { .cell = &nowhere };
uint32_t account_on;
uint64_t account_entry_cost, account_exit_cost, account_tick_exit_cost, account_cli_cost, account_sti_cost;
struct account_cost account_call_cost[2], account_service_cost, account_instruction_cost;

void account_select_row(struct account_row *row)
{
    account.kernel = account_cell(row, MODE_KERNEL, 0);
    account.supervisor = account_cell(row, MODE_SUPERVISOR, 0);
}

/* The log of changes of cell (account=log). */

#define MAX_ENTRIES  1048576u /* entries, a power of two: 16 MiB */
#define MIN_ENTRIES 256u    /* entries: a page */
#define MEMORY_SHARE  4u      /* of the memory that lies in one piece it takes this part at most */

struct account_log account_log; /* legend in exact_time_log.h */

static struct account_log paused;        /* the log while it is paused; interrupts off */
static uint64_t paused_count;            /* changes up to then; interrupts off */
static struct account_log_entry discard; /* takes the changes meanwhile; interrupts off */

/* An entry for the change that was just made. */
static void append(uint64_t time, uint64_t *cell)
{
    const uint64_t last = account.generation - 2;

    account_log.entry[(last & account_log.mask) / 2] = (struct account_log_entry){ time, cell };
}

void account_log_change(uint64_t now, uint64_t *cell)
{
    uint64_t *const left = account.cell;
    const uint64_t last = account.last;

    if (account_on == ACCOUNT_OFF)
        return;
    account_switch_nmi_safe(&account, now, cell);
    if (account_on == ACCOUNT_LOGGED)
        append(now - last, left);
}

void account_log_switch(uint64_t ahead, uint64_t *cell)
{
    account_log_change(account_clock() + ahead, cell);
}

void account_log_enter(struct probe *p, const struct probe_event *e)
{
    uint64_t *const left = account.cell;
    const uint64_t last = account.last;

    if (account_on == ACCOUNT_OFF)
        return;
    probe_enter(p, e);
    if (account_on == ACCOUNT_LOGGED)
        append(account.last - last, left);
    trace_event(TRACE_TICK_ENTER, account.last, 0);
}

void account_log_tick_exit(uint64_t *cell)
{
    account_log_switch(account_tick_exit_cost, cell);
    trace_event(TRACE_TICK_EXIT, account.last, 0);
}

void account_log_cli(uint64_t shut)
{
    account_log_change(shut, account.cell + 1);
    trace_event(TRACE_MASK, account.last, 0);
}

void account_log_sti(void)
{
    account_log_switch(account_sti_cost, account.cell - 1);
    trace_event(TRACE_UNMASK, account.last, 0);
}

uint64_t account_log_size(uint64_t room)
{
    uint64_t entries = MAX_ENTRIES;

    while (entries * sizeof(struct account_log_entry) > room / MEMORY_SHARE)
        entries /= 2;
    return entries < MIN_ENTRIES ? 0 : entries * sizeof(struct account_log_entry);
}

void account_log_begin(void *memory, uint64_t bytes)
{
    account_log.entry = memory;
    account_log.mask = 2 * (bytes / sizeof(struct account_log_entry) - 1);
    call_stubs_set(true, CALL_EVENTS_OFF, CALL_EVENTS_OFF);
}

void account_log_pause(void)
{
    paused = account_log;
    paused_count = account.generation / 2;
    account_log = (struct account_log){ &discard, 0 };
}

void account_log_resume(void)
{
    account_log = paused;
}

bool account_log_read(uint64_t number, struct account_log_entry *to)
{
    const uint64_t last = paused.mask / 2;

    *to = paused.entry[number & last];
    return paused_count - number <= last + 1;
}
