/* SPDX-License-Identifier: MIT */
/* stack=.  A closed window is a copy of the counters alone: a stack that has a record keeps it. */
#include "kernel/monitor/user_stacks.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/lib/run_state.h"
#include "kernel/mm/page_walk.h"
#include "kernel/mm/paging.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/source/nmi.h"
#include "kernel/source/sampler.h"
#include "kernel/source/source_pit.h"
#include "probe/config/config.h"
#include "probe/core/memory.h"

#define READABLE (PAGE_PRESENT | PAGE_USER)
#define OFFSET   ((uint64_t)PAGE_SIZE - 1)
#define WORD     sizeof(uint64_t)

#define PUSH_RBP  0x55u
#define RET       0xc3u
#define CALL_NEAR 0xe8u /* and 32 bits, from the next instruction on */
#define CALL_SIZE 5u
#define LEAF_MOST 4096u /* bytes of a function without a frame */

_Static_assert(CONFIG_STACK_MAX < CALL_STACK_DEPTH, "the interrupted address has room too");

static struct call_stacks stacks = CALL_STACKS(CALL_STACKS_MOST); /* ISR and NMI only, as the next */
static uint64_t ends[WALK_ENDS];
static bool at_once;                     /* the source registers its interrupt itself: nobody can stand behind it */
static bool due;                         /* the tick under way found a task in user mode */
static bool closing;                     /* the same tick has closed the window, to which it belongs */
static unsigned callers;                 /* at most; interrupts off, as the next */
static struct {
    struct irq *irq; /* NULL: none */
    irq_tick_handler *tick;
} common;
static struct user_stacks_window closed; /* written by a tick that closes, or by PROBE */

/* The words of a task, by the page that was looked up last. */
struct pages {
    uint64_t space, page;
    const uint8_t *at; /* NULL: none yet */
};

static bool read_word(void *context, uint64_t address, uint64_t *word)
{
    struct pages *p = context;

    if (p->at == 0 || p->page != (address & ~OFFSET)) {
        p->page = address & ~OFFSET;
        p->at = page_walk(p->space, address, READABLE);
    }
    if (p->at == 0)
        return false;
    memcpy(word, p->at + (address & OFFSET), WORD);
    return true;
}

/* Bytes within one page; the rest of `to` stays.  False: they are not there. */
static bool read_code(uint64_t space, uint64_t at, void *to, uint64_t bytes)
{
    const uint8_t *const page = at < USER_TOP && (at & OFFSET) + bytes <= PAGE_SIZE ? page_walk(space, at, READABLE) : 0;

    if (page != 0)
        memcpy(to, page + (at & OFFSET), bytes);
    return page != 0;
}

static bool is_endbr64(const uint8_t *code)
{
    return code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa;
}

static bool is_mov_rbp_rsp(const uint8_t *code)
{
    return code[0] == 0x48 && ((code[1] == 0x89 && code[2] == 0xe5) || (code[1] == 0x8b && code[2] == 0xec));
}

/*
 * Whether `back` is behind a call of the function that was interrupted at `pc`, and that makes no frame: compilers leave
 * it out of functions that call none and keep nothing on the stack, whatever they are told.
 */
static bool is_from_leaf(uint64_t space, uint64_t back, uint64_t pc)
{
    uint8_t call[CALL_SIZE], entry[5];
    uint64_t function;
    int32_t offset;

    if (back < CALL_SIZE || !read_code(space, back - CALL_SIZE, call, sizeof call) || call[0] != CALL_NEAR)
        return false;
    memcpy(&offset, &call[1], sizeof offset);
    function = back + (uint64_t)(int64_t)offset;
    return pc - function < LEAF_MOST && read_code(space, function, entry, sizeof entry) &&
           entry[is_endbr64(entry) ? 4 : 0] != PUSH_RBP;
}

/*
 * The return address of a function that has no frame at this instruction, in front of those that the frames have: 1, or
 * 0 where it has one as far as its code tells.
 */
static unsigned without_frame(struct pages *p, const struct cpu_frame *f, uint64_t *to)
{
    uint8_t code[4] = { 0 };
    bool known;
    uint64_t at = f->rsp;

    if (!read_code(p->space, f->rip, code, sizeof code))
        read_code(p->space, f->rip, code, 1);
    known = code[0] == PUSH_RBP || code[0] == RET || is_endbr64(code);
    if (is_mov_rbp_rsp(code)) {
        known = true;
        at += WORD;
    }
    if (at % WORD != 0 || at >= USER_TOP || !read_word(p, at, to) || *to == 0 || *to >= USER_TOP)
        return 0;
    return known || is_from_leaf(p->space, *to, f->rip);
}

static enum walk_end callers_of(const struct cpu_frame *f, uint64_t rbp, struct call_stack_key *key)
{
    struct pages pages = { .space = current->space };
    const struct frame_walk walk = { .fp = rbp, .low = f->rsp, .high = USER_TOP, .read = read_word, .context = &pages };
    const unsigned first = without_frame(&pages, f, &key->pc[1]);
    unsigned more;
    enum walk_end end;

    end = frame_walk(&walk, &key->pc[1 + first], callers - first, &more);
    key->depth = (uint16_t)(1 + first + more);
    return end;
}

static void copy_counters(void)
{
    closed.lost = stacks.lost;
    closed.used = stacks.used;
    memcpy(closed.ends, ends, sizeof ends);
    for (uint32_t i = 0; i < stacks.used; i++)
        closed.count[i] = stacks.stack[i].count;
}

/* After the tick's own handler, which has armed the next interval: a walk delays no tick. */
static void count(const struct cpu_frame *f, uint64_t rbp)
{
    struct call_stack_key key = { .task = current->id, .mode = MODE_USER, .pc = { f->rip } };
    struct call_stack *to;

    if (!due)
        return;
    due = false;
    ends[callers_of(f, rbp, &key)]++;
    to = call_stacks_find(&stacks, &key);
    if (to != 0)
        to->count++;
    if (closing)
        copy_counters();
    closing = false;
}

static void sample(const struct sample *s, enum delay delay)
{
    const struct frame *const f = (const struct frame *)current->stack0 - 1;

    due = s->mode == MODE_USER && delay == DELAY_NONE;
    if (due && at_once)
        count(frame_cpu(f), f->rbp);
}

/* The handler has returned to the interrupted cell already: the time since then is the monitor's too. */
static void count_and_charge(const struct cpu_frame *f, uint64_t rbp)
{
    if (!due)
        return;
    count(f, rbp);
    if (account_on)
        account_extend(&probe.monitor, rdtsc() + account_tick_exit_cost - account.last);
}

void user_stacks_tick(const struct cpu_frame *f, uint64_t now)
{
    source_pit_interrupt(f, now);
    count_and_charge(f, tick_rbp);
}

static void common_tick(const struct cpu_frame *f, uint64_t now)
{
    common.tick(f, now);
    count_and_charge(f, frame_whole(f)->rbp);
}

static void nmi_tick(const struct cpu_frame *f)
{
    count(f, tick_rbp);
}

/* Stand behind the source's handler at the entry that it shares with other interrupts. */
static void watch_vector(void)
{
    common.irq = &irqs[tick_source->vector != 0 ? tick_source->vector : timer_vector()];
    common.tick = common.irq->tick;
    common.irq->tick = common_tick;
}

/* Another source may have taken the vector since. */
static void leave_vector(void)
{
    if (common.irq != 0 && common.irq->tick == common_tick)
        common.irq->tick = common.tick;
    common.irq = 0;
}

static void begin(uint64_t now)
{
    closed.begin = now;
    call_stacks_init(&stacks);
    memset(ends, 0, sizeof ends);
    callers = (unsigned)run_config()->stack;
    due = closing = false;
    idt_keep_rbp(true);
    nmi_set_after(nmi_tick);
    at_once = !config_via_nmi(run_config()) && tick_source->vector == SOURCE_NO_VECTOR;
    if (!config_via_nmi(run_config()) && !at_once)
        watch_vector();
}

static void end(void)
{
    leave_vector();
    nmi_set_after(0);
    idt_keep_rbp(false);
}

static void close(uint64_t now)
{
    closed.end = now;
    copy_counters();
    closing = due;
}

const struct software_monitor monitor_user_stacks = {
    .word = MONITOR_STACK, .begin = begin, .end = end, .close = close, .sample = sample,
};

const struct user_stacks_window *user_stacks_closed(void)
{
    return &closed;
}

const struct call_stack_key *user_stacks_key(uint32_t i)
{
    return &stacks.stack[i].key;
}
