/* SPDX-License-Identifier: MIT */
/*
 * Exceptions.  Intel SDM 3A, chapter 6.  The saved CS tells which ring is at fault: the U/S bit
 * of a page fault does not tell ring 1 from ring 0.
 */
#include "kernel/trap/exception.h"

#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/idt.h"
#include "kernel/mm/paging.h"
#include "kernel/process/process_memory.h"
#include "kernel/sched/task.h"
#include "kernel/sched/task_events.h"
#include "kernel/source/nmi.h"
#include "kernel/trace/trace.h"
#include "kernel/trap/exception_dump.h"

#define VECTOR_PAGE_FAULT 14
#define ERROR_PRESENT     1u
#define ERROR_WRITE       2u
#define ERROR_FETCH       16u

static uint64_t fault_address(uint64_t vector)
{
    uint64_t address = 0;

    if (vector == VECTOR_PAGE_FAULT)
        __asm__ volatile("mov %%cr2, %0" : "=r"(address));
    return address;
}

static _Noreturn void end_task(const struct frame *f)
{
    current->faulted = true;
    events_put(&(struct event){
        .kind = EVENT_FAULT,
        .mode = frame_ring(f->cs) == 3 ? MODE_USER : MODE_SUPERVISOR,
        .vector = (uint32_t)f->vector,
        .error = f->error,
        .pc = f->rip,
        .address = fault_address(f->vector),
    });
    task_end();
}

static uint32_t access_of(uint64_t error)
{
    if (error & ERROR_FETCH)
        return MEMORY_CODE;
    return error & ERROR_WRITE ? MEMORY_WRITE : MEMORY_READ;
}

static bool make_page(const struct frame *f)
{
    const uint64_t address = fault_address(f->vector);

    if (current->process != 0)
        return process_touch(current->process, address, access_of(f->error));
    return paging_unhide(current->space, address);
}

/* A page that is there and was not mapped before: it is mapped, and the task goes on. */
static bool is_first_touch(const struct frame *f)
{
    return f->vector == VECTOR_PAGE_FAULT && frame_ring(f->cs) == 3 && !(f->error & ERROR_PRESENT) && make_page(f);
}

/* frame_return takes the place of the error code for the state of `in_interrupt`: a task at ring 3 had 0. */
static void touch(struct frame *f)
{
    account_enter(f, account_cell(&current->account, MODE_KERNEL, 1));
    trace_event_at(TRACE_FAULT, account.last, f->vector, f->rip);
    f->error = 0;
    account_exit(f->cell, 0);
    trace_event(TRACE_RESUME, account.last, trace_exit(0, account_cell_number(&current->account, f->cell)));
}

/*
 * A machine check comes at any place, and the state of the task cannot be trusted after it.  A
 * double fault in an outer ring is the kernel's fault: its entry has failed.
 */
static bool is_fatal(const struct frame *f)
{
    return frame_ring(f->cs) == 0 || f->vector == VECTOR_MACHINE_CHECK || f->vector == VECTOR_DOUBLE_FAULT;
}

void exception_handle(struct frame *f)
{
    if (f->vector == VECTOR_NMI) { /* ticks have another delivery: it is counted, and is no fault */
        nmi_count_stray();
        return;
    }
    if (msr_guard_recover(f))
        return;
    if (is_fatal(f))
        exception_dump(f, fault_address(f->vector));
    if (is_first_touch(f)) {
        touch(f);
        return;
    }
    account_enter(f, account_cell(&current->account, MODE_KERNEL, 1));
    trace_event_at(TRACE_FAULT, account.last, f->vector, f->rip);
    end_task(f);
}
