/* SPDX-License-Identifier: MIT */
/* Keeps the state of exact accounting that all changes of cell share. */
#include "kernel/account/exact_time.h"

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
