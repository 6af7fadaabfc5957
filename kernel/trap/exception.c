/* SPDX-License-Identifier: MIT */
/*
 * Handles exceptions.  Intel SDM 3A, chapter 6.  The saved CS tells which ring is at fault: the U/S bit
 * of a page fault does not tell ring 1 from ring 0.  One that ends the image is dumped: the exception in one error
 * line, then notes with the registers and, for ring 0, the top of the stack, which `cpuprobe script --symbols`
 * resolves; for a machine check the banks.
 */
#include "kernel/trap/exception.h"

#include "drivers/io.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/idt.h"
#include "kernel/io/log.h"
#include "kernel/io/shutdown.h"
#include "kernel/io/stream_uart.h"
#include "kernel/mm/paging.h"
#include "kernel/process/process_memory.h"
#include "kernel/sched/task.h"
#include "kernel/sched/task_events.h"
#include "kernel/source/nmi.h"
#include "kernel/trace/trace.h"
#include "probe/core/mode.h"

#define VECTOR_PAGE_FAULT 14
#define ERROR_PRESENT     1u
#define ERROR_WRITE       2u
#define ERROR_FETCH       16u

#define STACK_WORDS 16u
#define A_PAGE      4096u

/* Machine checks: SDM 3B, chapter 16; SDM 4, table 2-2 */
#define MSR_MCG_CAP    0x179
#define MSR_MCG_STATUS 0x17a
#define MSR_BANK(bank) (0x400 + 4 * (bank)) /* control, status, address, miscellaneous */
#define BANK_STATUS    1
#define BANK_ADDRESS   2
#define BANK_MISC      3
#define MCG_CAP_BANKS  0xffu
#define BANKS_MOST     32u
#define STATUS_VALID   (1ull << 63)
#define STATUS_MISC    (1ull << 59) /* that register exists and is valid */
#define STATUS_ADDRESS (1ull << 58) /* likewise */

extern char image_start[], image_end[]; /* linker.ld */

/* A stack that may be read: in the image, or the running task's own. */
static bool is_stack(uint64_t rsp)
{
    const bool in_image = rsp >= (uint64_t)image_start && rsp < (uint64_t)image_end;
    const bool of_task = current != 0 && rsp < current->stack0 &&
                         rsp >= current->stack0 - TASK_STACK0_BYTES;

    return rsp % sizeof rsp == 0 && (in_image || of_task);
}

static void dump_registers(const struct frame *f)
{
    log_line(LOG_NOTE, "rip ", HEX(f->rip), " cs ", HEX(f->cs), " rflags ", HEX(f->rflags),
             " rsp ", HEX(f->rsp), " ss ", HEX(f->ss));
    log_line(LOG_NOTE, "rax ", HEX(f->rax), " rbx ", HEX(f->rbx), " rcx ", HEX(f->rcx), " rdx ",
             HEX(f->rdx), " rsi ", HEX(f->rsi), " rdi ", HEX(f->rdi));
    log_line(LOG_NOTE, "rbp ", HEX(f->rbp), " r8 ", HEX(f->r8), " r9 ", HEX(f->r9), " r10 ",
             HEX(f->r10), " r11 ", HEX(f->r11));
    log_line(LOG_NOTE, "r12 ", HEX(f->r12), " r13 ", HEX(f->r13), " r14 ", HEX(f->r14), " r15 ",
             HEX(f->r15));
}

/* At most up to the end of the page: the next one may be a guard page. */
static void dump_stack(uint64_t rsp)
{
    const uint64_t *word = (const uint64_t *)rsp;

    if (!is_stack(rsp)) {
        log_line(LOG_NOTE, "stack: rsp is in no stack of the kernel");
        return;
    }
    for (unsigned i = 0; i < STACK_WORDS; i += 4) {
        if ((rsp + (i + 4) * sizeof *word - 1) / A_PAGE != rsp / A_PAGE)
            return;
        log_line(LOG_NOTE, "stack ", HEX(rsp + i * sizeof *word), ": ", HEX(word[i]), " ",
                 HEX(word[i + 1]), " ", HEX(word[i + 2]), " ", HEX(word[i + 3]));
    }
}

void machine_check_init(void)
{
    if (cpu.mca)
        wrmsr(MSR_MCG_STATUS, 0);
}

/* A register that does not exist must not be read. */
static uint64_t bank_register(uint32_t bank, uint32_t which, uint64_t status, uint64_t valid)
{
    return status & valid ? rdmsr(MSR_BANK(bank) + which) : 0;
}

/* The banks in which the hardware logs its errors, those that hold one. */
static void dump_machine_checks(void)
{
    const uint64_t banks = cpu.mca ? rdmsr(MSR_MCG_CAP) & MCG_CAP_BANKS : 0;

    for (uint32_t bank = 0; bank < banks && bank < BANKS_MOST; bank++) {
        const uint64_t status = rdmsr(MSR_BANK(bank) + BANK_STATUS);

        if (status & STATUS_VALID)
            log_line(LOG_NOTE, "machine check, bank ", DECIMAL(bank), ": status ", HEX(status), ", address ",
                     HEX(bank_register(bank, BANK_ADDRESS, status, STATUS_ADDRESS)), ", misc ",
                     HEX(bank_register(bank, BANK_MISC, status, STATUS_MISC)));
    }
}

static enum mode mode_of(const struct frame *f)
{
    static const enum mode modes[] = { MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_USER };

    return modes[frame_ring(f->cs)];
}

/*
 * Print all that is known of the exception, then leave with failure.  `address`: of a page
 * fault, the address accessed.  A second exception meanwhile prints one line; a third halts.
 */
static _Noreturn void dump(const struct frame *f, uint64_t address)
{
    static unsigned depth;
    const bool in_kernel = frame_ring(f->cs) == 0;

    depth++;
    if (depth == 2) {
        log_line(LOG_ERROR, "another exception while the first was being told: ",
                 exception_name((uint32_t)f->vector), " at ", HEX(f->rip));
        shutdown(false);
    }
    if (depth > 2)
        for (;;)
            __asm__ volatile("cli\n\thlt");
    stream_uart_flush();
    log_line(LOG_ERROR, "exception in ", in_kernel ? "the kernel" : "a task", ": ",
             exception_name((uint32_t)f->vector), " (vector ",
             DECIMAL(f->vector), "), error ", HEX(f->error), ", address ", HEX(address), ", at ",
             HEX(f->rip));
    dump_registers(f);
    if (in_kernel)
        dump_stack(f->rsp);
    if (f->vector == VECTOR_MACHINE_CHECK)
        dump_machine_checks();
    log_line(LOG_NOTE, "mode ", mode_name(mode_of(f)), ", task ", current != 0 ? current->name : "none yet");
    shutdown(false);
}

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
        dump(f, fault_address(f->vector));
    if (is_first_touch(f)) {
        touch(f);
        return;
    }
    account_enter(f, account_cell(&current->account, MODE_KERNEL, 1));
    trace_event_at(TRACE_FAULT, account.last, f->vector, f->rip);
    end_task(f);
}
