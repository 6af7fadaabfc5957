/* SPDX-License-Identifier: MIT */
/*
 * The dump of an exception that ends the image: the exception in one error line, then notes with
 * the registers and, for ring 0, the top of the stack, which `cpuprobe script --symbols`
 * resolves; for a machine check the banks.
 */
#include "kernel/trap/exception_dump.h"

#include "kernel/cpu/idt.h"
#include "kernel/cpu/machine_check.h"
#include "kernel/io/log.h"
#include "kernel/io/shutdown.h"
#include "kernel/io/stream_uart.h"
#include "kernel/sched/task.h"
#include "probe/core/mode.h"

#define STACK_WORDS 16u
#define A_PAGE      4096u

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

static void dump_machine_checks(void)
{
    struct machine_check found;

    for (uint32_t bank = 0; bank < MACHINE_CHECK_BANKS; bank++)
        if (machine_check_read(bank, &found))
            log_line(LOG_NOTE, "machine check, bank ", DECIMAL(bank), ": status ", HEX(found.status), ", address ",
                     HEX(found.address), ", misc ", HEX(found.misc));
}

static enum mode mode_of(const struct frame *f)
{
    static const enum mode modes[] = { MODE_KERNEL, MODE_SUPERVISOR, MODE_USER, MODE_USER };

    return modes[frame_ring(f->cs)];
}

_Noreturn void exception_dump(const struct frame *f, uint64_t address)
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
