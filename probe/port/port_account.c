/* SPDX-License-Identifier: MIT */
/*
 * Exact times in a port: rows in memory of the caller, found by hashing the task's id.  Row 0 is ENDED's: it has
 * the time before the first change, and that of tasks for which there is no row.
 */
#include "probe/port/port.h"
#include "probe/schedule/memory.h"

#define ENDED  0u
#define CELLS  (2u * MODES)

struct port_row {
    uint64_t key; /* SYSTEM_USED and the task's id; 0: empty */
    struct account_row now;
    uint64_t closed_key; /* both as the window was closed: a row may be given away while they are sent */
    struct account_row closed;
};

struct port_account {
    struct account account;
    uint32_t rows;  /* a power of two */
    uint32_t found; /* the row that was asked for last */
    uint32_t cell;  /* number of account.cell, but in a tick: row * CELLS + 2 * mode + masked */
    struct port_row row[];
};

/* By the tick that closes the window: struct probe is the first member of struct cpuprobe. */
static void copy_rows(struct probe *p)
{
    struct port_account *const a = ((struct cpuprobe *)p)->account;

    for (uint32_t i = 0; i < a->rows; i++) {
        copy_words(&a->row[i].closed, &a->row[i].now, sizeof a->row[i].now);
        a->row[i].closed_key = a->row[i].key;
    }
}

void port_account_init(struct cpuprobe *c)
{
    struct port_account *const a = c->options.account;
    const size_t room = (c->options.account_size - sizeof *a) / sizeof a->row[0];

    memset(a, 0, c->options.account_size);
    for (a->rows = 1; 2u * a->rows <= room && a->rows < 4096; a->rows *= 2)
        continue;
    a->row[ENDED].key = ROW_ENDED | SYSTEM_USED;
    a->cell = ENDED * CELLS + 2 * MODE_KERNEL;
    a->account.cell = account_cell(&a->row[ENDED].now, MODE_KERNEL, 0);
    a->account.last = probe_clock(&c->probe);
    c->account = a;
    c->probe.account = &a->account;
    c->probe.exact = true;
    c->probe.copy_exact_rows = copy_rows;
}

void port_account_begin(struct cpuprobe *c, uint64_t now)
{
    struct port_account *const a = c->account;

    account_switch_at(&a->account, now, a->account.cell);
    a->account.generation = 0;
    for (uint32_t i = 0; i < a->rows; i++)
        memset(&a->row[i].now, 0, sizeof a->row[i].now);
}

/* The row of an id; `made`: or a new one.  ENDED where there is none.  Bounded by the rows. */
static uint32_t row_of(struct cpuprobe *c, uint32_t id, bool made)
{
    struct port_account *const a = c->account;
    const uint64_t key = id | SYSTEM_USED;
    uint32_t empty = ENDED;

    if (a->row[a->found].key == key)
        return a->found;
    for (uint32_t i = 0, at = system_hash(id); i < a->rows; i++, at++) {
        const uint32_t n = at & (a->rows - 1);

        if (a->row[n].key == key)
            return a->found = n;
        if (a->row[n].key == 0 && empty == ENDED)
            empty = n;
    }
    if (empty == ENDED && made)
        c->doubt[PORT_ACCOUNT_FULL]++;
    if (empty == ENDED || !made)
        return ENDED;
    a->row[empty].key = key;
    return a->found = empty;
}

/* Go on with a cell; returns the one before. */
static uint32_t turn_to(struct cpuprobe *c, uint32_t cell)
{
    struct port_account *const a = c->account;
    const uint32_t before = a->cell;
    const uint64_t now = probe_clock(&c->probe);

    a->cell = cell;
    account_switch_at(&a->account, now, &a->row[cell / CELLS].now.time[cell % CELLS / 2][cell % 2]);
    if (cell / CELLS != before / CELLS)
        port_note_switch(c, now);
    return before;
}

uint32_t cpuprobe_now(struct cpuprobe *c, uint32_t task, enum cpuprobe_mode mode, bool masked)
{
    uintptr_t was;
    uint32_t before;

    if (c == NULL || c->account == NULL)
        return 0;
    was = c->port.lock();
    before = turn_to(c, row_of(c, task, true) * CELLS + 2 * ((unsigned)mode % MODES) + masked);
    c->port.unlock(was);
    return before;
}

void cpuprobe_back(struct cpuprobe *c, uint32_t cell)
{
    uintptr_t was;

    if (c == NULL || c->account == NULL || cell / CELLS >= c->account->rows)
        return;
    was = c->port.lock();
    turn_to(c, cell);
    c->port.unlock(was);
}

void cpuprobe_masked(struct cpuprobe *c, bool masked)
{
    uintptr_t was;

    if (c == NULL || c->account == NULL)
        return;
    was = c->port.lock();
    turn_to(c, (c->account->cell & ~1u) | masked);
    c->port.unlock(was);
}

uint32_t port_account_rows(const struct cpuprobe *c)
{
    return c->account != NULL ? c->account->rows : 0;
}

const struct account_row *port_account_row(const struct cpuprobe *c, uint32_t number, uint32_t *id)
{
    const struct port_row *const r = &c->account->row[number];

    *id = (uint32_t)r->closed_key;
    return r->closed_key != 0 ? &r->closed : NULL;
}

const struct account_row *port_account_of(const struct cpuprobe *c, uint32_t id)
{
    for (uint32_t i = 0; i < port_account_rows(c); i++)
        if (c->account->row[i].closed_key == (id | SYSTEM_USED))
            return &c->account->row[i].closed;
    return NULL;
}

bool port_account_runs(const struct cpuprobe *c, uint32_t id)
{
    return c->account != NULL && c->account->row[c->account->cell / CELLS].key == (id | SYSTEM_USED);
}

void port_account_retire(struct cpuprobe *c, uint32_t id)
{
    struct port_account *const a = c->account;
    const uint32_t row = a != NULL ? row_of(c, id, false) : ENDED;

    if (row == ENDED)
        return;
    if (port_account_runs(c, id)) /* to its end, which is in ENDED too */
        turn_to(c, ENDED * CELLS + a->cell % CELLS);
    account_row_add(&a->row[ENDED].now, &a->row[row].now);
    memset(&a->row[row].now, 0, sizeof a->row[row].now);
    a->row[row].key = 0;
}
