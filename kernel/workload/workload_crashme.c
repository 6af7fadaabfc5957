/* SPDX-License-Identifier: MIT */
/*
 * A fuzz test of ring 3, after Carrette's crashme: programs of random bytes, half of them as programs for Linux,
 * which may execute SYSCALL; programs that make random calls, and random calls of Linux; and a program that looks for
 * data that other tasks left; a few at a time, beside the workload `sleepers`.  A program that does not end is ended
 * by its parent, which then makes the next.  All are drawn from seed= by ChaCha8 with a
 * nonce of its own, so that the bytes of a program tell nothing about the ticks.
 */
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/linux/spawn.h"
#include "kernel/mm/elf_loader.h"
#include "kernel/mm/page_alloc.h"
#include "kernel/mm/paging.h"
#include "kernel/mm/programs.h"
#include "kernel/sched/children.h"
#include "kernel/sched/task.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "kernel/workload/row_names.h"
#include "kernel/workload/workload.h"
#include "probe/schedule/chacha8.h"
#include "probe/schedule/memory.h"

#define LIFE_TICKS 2u /* of the system clock: a program in a loop has had a turn by then */
#define NONCE      0x68737263u
#define HEAD_WORDS (CRASHME_HEAD / 8u)
#define FLAGS_WORD (HEAD_WORDS - 2) /* kernel/tasks/hostile/crashme.asm */
#define RFLAGS_TF  (1ull << 8)
#define PIECES     32u /* most instructions that are put among the random bytes */

/* Written by task PARENT, as all below; PROBE reads the counters at the end. */
static struct children bytes_sum, calls_sum, linux_sum, fresh_sum;
static struct module_file bytes_file, linux_file; /* programs of the image as files */
static uint64_t pages_before;
static struct chacha8_key key;
static uint32_t word[CHACHA8_FOUR];
static uint64_t drawn; /* words */

/* All calls that are safe with any arguments and need no device (kernel/sched/grants.h). */
#define GRANTS                                                                               \
    (GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_PACE | GRANTS_REPORT |                             \
     GRANT_CALL(SYS_MASK) | GRANT_CALL(SYS_SHADOW) | GRANT_CALL(SYS_TAKE) | GRANT_CALL(SYS_PERF) | \
     GRANT_CALL(SYS_PS) | GRANT_SERVICE(SVC_FAULT) | GRANT_SERVICE(SVC_SYNC))

static const struct workload_task bytes_row = { .program = "crashme", .grants = GRANTS };
static const struct workload_task calls_row = { .program = "random_calls", .grants = GRANTS };
static const struct workload_task fresh_row = { .program = "fresh" };

/*
 * Instructions that random bytes seldom make, and that have crashed kernels: entries and
 * exits, segment loads, flags, wild jumps.
 */
static const struct piece {
    uint8_t length, byte[9];
} pieces[] = {
    { 2, { 0xcd, 0x80 } },             /* int 0x80 */
    { 2, { 0xcd, 0x81 } },             /* int 0x81 */
    { 9, { 0x0f, 0xb6, 0xc0, 0x83, 0xe0, 0x1f, 0x90, 0xcd, 0x80 } }, /* a system call with a small number */
    { 9, { 0x0f, 0xb6, 0xc0, 0x83, 0xe0, 0x03, 0x90, 0xcd, 0x81 } }, /* a service with a small number */
    { 2, { 0xcd, 0x02 } },             /* int 2: the NMI's vector */
    { 2, { 0xcd, 0x30 } },             /* int 0x30: the tick's */
    { 1, { 0xcc } },                   /* int3 */
    { 1, { 0xf1 } },                   /* int1 */
    { 2, { 0x0f, 0x05 } },             /* syscall */
    { 2, { 0x0f, 0x34 } },             /* sysenter */
    { 2, { 0x48, 0xcf } },             /* iretq */
    { 2, { 0x48, 0xcb } },             /* far return */
    { 1, { 0x9d } },                   /* popfq */
    { 7, { 0x9c, 0x81, 0x0c, 0x24, 0x00, 0x00, 0x04 } }, /* pushfq; or dword [rsp], AC */
    { 7, { 0x9c, 0x81, 0x0c, 0x24, 0x00, 0x45, 0x00 } }, /* the same with NT, DF and TF */
    { 2, { 0x8e, 0xd0 } },             /* mov ss, ax */
    { 2, { 0x8e, 0xe0 } },             /* mov fs, ax */
    { 2, { 0x8e, 0xd8 } },             /* mov ds, ax */
    { 4, { 0xf3, 0x0f, 0xae, 0xd3 } }, /* wrfsbase ebx */
    { 2, { 0x48, 0x94 } },             /* xchg rsp, rax */
    { 3, { 0x48, 0x89, 0xdc } },       /* mov rsp, rbx */
    { 2, { 0xff, 0xe0 } },             /* jmp rax */
    { 2, { 0xff, 0xd3 } },             /* call rbx */
    { 3, { 0x48, 0x89, 0x03 } },       /* mov [rbx], rax */
    { 3, { 0xf0, 0x48, 0x01 } },       /* lock add, of whatever follows */
    { 2, { 0xf3, 0xaa } },             /* rep stosb */
    { 2, { 0xeb, 0xfe } },             /* for ever */
    { 3, { 0x0f, 0xae, 0x0b } },       /* fxrstor [rbx] */
    { 2, { 0xdf, 0xe0 } },             /* fnstsw ax */
    { 2, { 0x9b, 0xdb } },             /* fwait, and one of x87 */
    { 3, { 0x0f, 0x01, 0xd0 } },       /* xgetbv */
    { 2, { 0x0f, 0x31 } },             /* rdtsc */
};

static uint32_t draw(void)
{
    if (drawn % CHACHA8_FOUR == 0)
        chacha8_four(word, &key, drawn / CHACHA8_WORDS);
    return word[drawn++ % CHACHA8_FOUR];
}

static uint32_t below(uint32_t width)
{
    return (uint32_t)((uint64_t)draw() * width >> 32);
}

static uint64_t draw_eight(void)
{
    const uint64_t low = draw();

    return low | (uint64_t)draw() << 32;
}

/* An address where a write would do harm, the kernel's own above all; sometimes a few bytes off. */
static uint64_t aim(void)
{
    extern const uint8_t restart_text[], restart_text_end[], image_start[];
    const uint64_t at[] = {
        USER_STACK_TOP - 512, USER_STACK_TOP - 512, USER_STACK_TOP - 512, KERNEL_STACKS, (uint64_t)&account,
        (uint64_t)tasks, (uint64_t)image_start, DIRECT_BASE, 0, USER_TOP,
        (uint64_t)restart_text + below((uint32_t)(restart_text_end - restart_text)),
    };

    return at[below(sizeof at / sizeof at[0])] + (below(4) == 0 ? below(64) : 0);
}

/* One behind the other; sometimes a random byte or two remain between them. */
static void put_pieces(uint8_t *bytes)
{
    unsigned at = CRASHME_HEAD;

    for (unsigned n = below(PIECES); n > 0; n--) {
        const struct piece *p = &pieces[below(sizeof pieces / sizeof pieces[0])];

        memcpy(bytes + at, p->byte, p->length);
        at += p->length + (below(4) == 0 ? below(3) : 0);
    }
}

_Static_assert(CRASHME_HEAD + PIECES * (sizeof pieces[0].byte + 2) < CRASHME_BYTES, "there is room for them");

/*
 * QEMU 7.2 ends with a segmentation fault when it translates 0F 38 0C without a prefix:
 * its decoder takes VPERMILPS there for an MMX instruction, which has no function.  It
 * is the only one of the SSE opcodes (0F, 0F 38, 0F 3A; no prefix, 66, F2, F3) that does.
 */
static void spare_emulator(uint8_t *bytes)
{
    for (unsigned i = 0; i + 2 < CRASHME_BYTES; i++)
        if (bytes[i] == 0x0f && bytes[i + 1] == 0x38 && bytes[i + 2] == 0x0c)
            bytes[i + 2] = 0x0d;
}

/* Half of all programs are random bytes only; the others get some registers with addresses, and some instructions. */
static void fill(uint8_t *bytes)
{
    uint64_t eight[CRASHME_BYTES / 8];
    const bool aimed = below(2) != 0;

    for (unsigned i = 0; i < CRASHME_BYTES / 8; i++)
        eight[i] = i < FLAGS_WORD && aimed && below(2) != 0 ? aim() : draw_eight();
    if (below(8) != 0)
        eight[FLAGS_WORD] &= ~RFLAGS_TF; /* else its first instruction would be its last */
    memcpy(bytes, eight, sizeof eight);
    if (aimed)
        put_pieces(bytes);
    spare_emulator(bytes);
}

/* The parent overwrites the program where its code begins. */
static struct task *with_bytes(struct task *t)
{
    const struct program *const p = program_named(bytes_row.program, 0);
    uint64_t low, high;
    uint8_t *page;

    if (t == 0 || !elf_code(p->begin, (uint64_t)(p->end - p->begin), &low, &high))
        return 0;
    page = paging_lookup(t->space, low);
    if (page != 0)
        fill(page + low % PAGE_SIZE);
    return t;
}

static struct task *make_bytes(uint64_t number)
{
    return with_bytes(workload_make_child(&bytes_row, "BYTES", number));
}

/* A program of the image as one for Linux.  NULL, with an error in the log, where it cannot be made. */
static struct task *make_process(const char *name, const struct module_file *file, uint64_t number)
{
    const struct row_name row = row_name_of(name);
    const struct spawn as = {
        .name = row.name, .id = workload_id(name, file->name, (uint32_t)(TASKS_MAX + 1 + number)), .arguments = "",
        .draw = number,
    };
    struct refusal why;
    char text[REFUSAL_TEXT];
    struct task *const t = task_spawn_file(file, &as, &why);

    if (t == 0)
        log_line(LOG_ERROR, "task ", name, " cannot be made: ", refusal_text(&why, text));
    return t;
}

static struct task *make_linux_bytes(uint64_t number)
{
    return with_bytes(make_process("BYTES", &bytes_file, number));
}

static struct task *make_linux_calls(uint64_t number)
{
    return make_process("LINUX", &linux_file, number);
}

static struct task *make_calls(uint64_t number)
{
    struct workload_task row = calls_row;

    row.argument = draw_eight();
    return workload_make_child(&row, "CALLS", number);
}

static struct task *make_fresh(uint64_t number)
{
    return workload_make_child(&fresh_row, "FRESH", number);
}

/* Those that run at a time. */
static const struct child_kind kinds[] = {
    { make_bytes, &bytes_sum }, { make_calls, &calls_sum }, { make_linux_bytes, &bytes_sum },
    { make_fresh, &fresh_sum },
    { make_linux_calls, &linux_sum },
};

static void open_program(struct module_file *file, const char *name)
{
    const struct program *const p = program_named(name, 0);

    *file = (struct module_file){ .name = p->name, .bytes = p->begin, .size = (uint64_t)(p->end - p->begin),
                                  .arguments = "" };
}

static void begin(void)
{
    open_program(&bytes_file, bytes_row.program);
    open_program(&linux_file, "random_linux_calls");
    key.word[0] = (uint32_t)sampler_seed();
    key.word[1] = (uint32_t)(sampler_seed() >> 32);
    key.nonce[0] = NONCE;
    pages_before = page_alloc_left();
}

static void parent(void)
{
    begin();
    children_run(kinds, sizeof kinds / sizeof kinds[0], UINT64_MAX, LIFE_TICKS * (timer_period() >> 16));
}

static uint64_t all(const struct children *c)
{
    return c->faulted + c->exited + c->terminated;
}

/* Of a copy: children end while the sentence is made. */
static void tell_one(const char *what, const struct children *sum)
{
    const bool was = irq_save();
    const struct children c = *sum;

    irq_restore(was);
    log_line(LOG_NOTE, "crashme: ", DECIMAL(all(&c)), what, DECIMAL(c.faulted), " ended by a fault, ",
             DECIMAL(c.exited), " by themselves, ", DECIMAL(c.terminated), " by their parent; ", DECIMAL(c.calls),
             " calls, ", DECIMAL(c.denied), " of them refused");
}

static void tell(void)
{
    tell_one(" programs of random bytes: ", &bytes_sum);
    tell_one(" programs of random calls: ", &calls_sum);
    tell_one(" programs that call Linux: ", &linux_sum);
    tell_one(" programs that look for remains of others: ", &fresh_sum);
    log_line(LOG_NOTE, "crashme: ", DECIMAL(pages_before), " pages were free before, ", DECIMAL(page_alloc_left()),
             " are now");
}

WORKLOAD(workload_crashme, "crashme",
         "programs of random bytes and of random calls, drawn from seed=, beside the sleepers",
         { .name = "PARENT", .entry = parent, .tell = tell, .processes = true, .beside = &workload_sleepers });
