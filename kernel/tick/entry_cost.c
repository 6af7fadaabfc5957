/* SPDX-License-Identifier: MIT */
/*
 * Entries and exits, measured.  A program reads the clock, executes one INT, and reads the clock
 * again; the account tells when the stub read the clock, at the entry and at the exit.  The time
 * of the readings and of one plain instruction is subtracted: the INT belongs to the program, as
 * the instruction does in whose place an interrupt comes.
 */
#include "kernel/tick/costs.h"

#include "drivers/pic.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/idt.h"
#include "kernel/cpu/irq.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/sched/task.h"
#include "kernel/source/nmi_state.h"
#include "kernel/source/sampler.h"
#include "kernel/source/straight/pit_plain_tick.h"
#include "kernel/source/tick_record.h"
#include "probe/core/timed.h"
#include "probe/schedule/memory.h"

#define STAGE 0x400000u /* address of the programs at ring 3 */
#define FLAGS 2u        /* interrupts off */
#define TOP   4096u     /* of a stack */

extern const uint8_t stage_programs[], stage_programs_end[];
extern const uint8_t stage_nothing[], stage_interrupt[], stage_tick_exit[], stage_plain_exit[], stage_syscall[],
                     stage_service[], stage_instruction[];
extern void stage_enter(const struct cpu_frame *to, uint64_t number, uint32_t times[2]);

struct ring {
    uint16_t code, data;
    uint64_t programs; /* their address in this ring */
};

static const struct ring ring0 = { SEL_KERNEL_CODE, SEL_KERNEL_DATA, (uint64_t)stage_programs };
static const struct ring ring1 = { SEL_SUPERVISOR_CODE, SEL_SUPERVISOR_DATA, (uint64_t)stage_programs };
static const struct ring ring3 = { SEL_USER_CODE, SEL_USER_DATA, STAGE };

/* for entries into ring 0 and into ring 1; of the programs */
static uint8_t stacks[3][TOP] __attribute__((aligned(16)));

/* What a program takes from reading to reading, and of that its entry and its exit; and the second reading. */
struct parts {
    uint32_t whole, entry, exit, end;
};

/* `inside`: the cell that is charged inside. */
static struct parts run(const struct ring *at, const uint8_t *program, uint64_t number, const uint64_t *inside)
{
    const uint64_t before = *inside;
    uint32_t times[2];

    stage_enter(&(struct cpu_frame){
        .rip = at->programs + (uint64_t)(program - stage_programs),
        .cs = at->code,
        .rflags = FLAGS,
        .rsp = (uint64_t)stacks[2] + TOP,
        .ss = at->data,
    }, number, times);
    return (struct parts){
        .whole = times[1] - times[0],
        .entry = (uint32_t)(account.last - (*inside - before)) - times[0],
        .exit = times[1] - (uint32_t)account.last,
        .end = times[1],
    };
}

static struct account_cost measure(const struct ring *at, const uint8_t *program, uint64_t number,
                                   const uint64_t *inside)
{
    return (struct account_cost){
        .entry = timed_beyond(TIMED_LEAST(run(at, program, number, inside).entry),
                              TIMED_LEAST(run(at, stage_nothing, 0, inside).whole)),
        .exit = TIMED_LEAST(run(at, program, number, inside).exit),
    };
}

/* Map the programs where ring 3 can run them. */
static bool make_stage(uint64_t *space)
{
    const uint64_t page = page_alloc();

    *space = paging_new_space();
    if (page == 0 || *space == 0 || !paging_map(*space, STAGE, page, PAGE_USER))
        return false;
    memcpy(phys_to_virt(page), stage_programs, (uint64_t)(stage_programs_end - stage_programs));
    return true;
}

static void measure_calls(void)
{
    uint64_t inside = 0;
    struct account_cost call[2], service;

    account.kernel = account.supervisor = &inside;
    call[0] = measure(&ring1, stage_syscall, SYS_CLOCK, &inside);
    call[1] = measure(&ring3, stage_syscall, SYS_CLOCK, &inside);
    /* a service that does not exist: its handler does nothing */
    service = measure(&ring3, stage_service, SERVICES, &inside);
    account_set_costs(call, &service);
}

void stage_tick_handler(const struct cpu_frame *f, uint64_t now); /* called by kernel/cpu/vectors.asm */

void stage_tick_handler(const struct cpu_frame *f, uint64_t now)
{
    (void)f;
    (void)now;
    TICK_SAVED();
    account_tick_exit(account.cell);
}

extern pit_plain_handler *stage_plain_handler; /* called by kernel/cpu/vectors.asm */
pit_plain_handler *stage_plain_handler;

static uint64_t plain_exit(const volatile uint64_t *reading)
{
    const uint32_t end = run(&ring0, stage_plain_exit, 0, &account.last).end;

    return end - (uint32_t)*reading;
}

/* From the last reading of the clock in a usual tick, which `end` leaves in *reading, to the end of its IRETQ. */
static uint64_t measure_plain_exit(pit_plain_handler *end, const volatile uint64_t *reading)
{
    const struct nmi_state nmi = nmi_state;
    const struct account kept = account; /* the NMI's end stops its clock */
    const uint64_t monitor = probe.monitor;
    uint64_t least;

    stage_plain_handler = end;
    least = TIMED_LEAST(plain_exit(reading));
    probe.monitor = monitor;
    account = kept;
    nmi_state = nmi;
    return least;
}

static bool empty_interrupt(uint64_t now)
{
    (void)now;
    pic_eoi(0); /* as each interrupt of the 8259 is ended */
    return true;
}

static void measure_interrupt(struct entry_costs *costs)
{
    const uint64_t *const inside = account_cell(&current->account, MODE_INTERRUPT, 1);
    struct account_cost found;

    irq_register(EMPTY_VECTOR, empty_interrupt);
    costs->empty = TIMED_LEAST(run(&ring0, stage_interrupt, 0, inside).whole);
    found = measure(&ring0, stage_interrupt, 0, inside);
    costs->entry = found.entry;
    costs->exit = found.exit;
    costs->tick_exit = measure(&ring0, stage_tick_exit, 0, inside).exit;
    costs->plain_exit = measure_plain_exit(pit_plain_accounted_end, &account.last);
    costs->plain_nmi_exit = measure_plain_exit(pit_plain_nmi_end, &nmi_state.exit_time);
}

/* Measure on a stage: with stacks, gates and a space of its own, and an account that is put back. */
static bool measure_on_stage(void (*measured)(struct entry_costs *costs), struct entry_costs *costs, uint32_t kind)
{
    const struct account before = account;
    const struct account_row row = current->account;
    const struct denials denied = current->denied; /* IDLE may make no calls: the measured ones count as denied */
    const uint32_t asked = account_on;
    const uint64_t stack0 = tss.rsp[0], stack1 = tss.rsp[1];
    uint64_t space, outside = 0;

    if (!make_stage(&space))
        return false;
    account.cell = &outside;
    account_on = kind;
    cpu_set_stacks((uint64_t)stacks[0] + TOP, (uint64_t)stacks[1] + TOP);
    idt_set_stage(true);
    __asm__ volatile("mov %0, %%cr3" : : "r"(space) : "memory");
    measured(costs);
    __asm__ volatile("mov %0, %%cr3" : : "r"(paging_kernel_space()) : "memory");
    idt_set_stage(false);
    cpu_set_stacks(stack0, stack1);
    account_on = asked;
    account = before;
    current->account = row;
    current->denied = denied;
    return true;
}

static void measure_all(struct entry_costs *costs)
{
    measure_interrupt(costs);
    measure_calls();
}

bool entry_cost_measure(struct entry_costs *costs, uint32_t kind)
{
    return measure_on_stage(measure_all, costs, kind);
}

static void measure_instruction(struct entry_costs *costs)
{
    uint64_t inside[2] = { 0, 0 }; /* it enters the masked one */

    (void)costs;
    account.kernel = inside;
    syscall_instruction_allow(true);
    account_instruction_cost = measure(&ring3, stage_instruction, 0, &inside[1]);
    syscall_instruction_allow(false);
}

bool entry_cost_measure_instruction(void)
{
    return measure_on_stage(measure_instruction, 0, account_on != ACCOUNT_OFF ? account_on : ACCOUNT_KEPT);
}
