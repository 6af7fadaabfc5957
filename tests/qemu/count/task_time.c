/* SPDX-License-Identifier: MIT */
/*
 * A plugin of QEMU that keeps the exact time of each task of a system, by the ring
 * that it ran at: -plugin build/qemu/task_time.so,out=FILE,shift=N,WORD=VALUE...
 * It knows no system.  What it must know is said in words, addresses are virtual:
 *
 *   shift=N             that of -icount: an instruction takes 2^N ns
 *   current=ADDRESS     the word that points to the running task
 *   switch=ADDRESS      the instruction from which on that task runs; without it, the store
 *   label=OFFSET:BYTES  where a task has its name
 *   gate=RING:LOW-HIGH  instructions by which that ring is entered from an outer one
 *   monitor=ADDRESS     the entry of a handler whose time is nobody's, up to its IRETQ
 *   open=ADDRESS        a store to this word begins the window
 *   close=ADDRESS       this instruction ends it
 *
 * Code below 2^63 runs at ring 3.  At the end FILE has, for the last window that was
 * ended, nanoseconds of virtual time:
 *
 *   window TIME
 *   monitor TIME
 *   task LABEL RING0 RING1 RING2 RING3
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/qemu/count/report.h"
#include "tools/emulator/plugin.h"

#define TASKS    128u
#define GATES    16u
#define MONITORS 4u
#define RINGS    4u
#define LABEL    31u
#define BIAS     40 /* of struct TimersState in QEMU 7.2: virtual time less that of instructions */

/* What an instruction is, as its callback is told. */
#define RING_BITS 0x3u
#define GATE      0x4u
#define MONITOR   0x8u
#define SWITCH    0x10u
#define CLOSE     0x20u
#define RETURN    0x40u

struct task {
    uint64_t address;
    char label[LABEL + 1];
    uint64_t time[RINGS];
};

struct account {
    uint64_t window, monitor;
    struct task task[TASKS];
};

struct gate {
    uint64_t low, high;
    unsigned ring;
};

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static void (*read_memory)(uint64_t address, void *to, uint64_t size, bool write);
static const int64_t *bias;

static struct gate gate[GATES];
static uint64_t monitor[MONITORS], current, switched, opened, closed;
static uint64_t label_at, label_bytes;
static unsigned gates, monitors, shift;

static struct account account, shown; /* since the window began; at its end */
static unsigned tasks;
static uint64_t executed;             /* instructions, the present one too once it has begun */
static uint64_t last, begun;          /* virtual time: up to which it is accounted; of the window */
static struct task *running, *next;   /* next: from the switch on */
static unsigned ring, loads;          /* loads: of the IRETQ that is executed */
static bool nobodys;                  /* in a handler of `monitor` */

static void account_time(void)
{
    const uint64_t now = (executed << shift) + (uint64_t)*bias;

    if (nobodys)
        account.monitor += now - last;
    else if (running != NULL)
        running->time[ring] += now - last;
    last = now;
}

static void enter(unsigned to, bool monitors_time)
{
    if (ring == to && nobodys == monitors_time)
        return;
    account_time();
    ring = to;
    nobodys = monitors_time;
}

static void switch_task(void)
{
    if (next == running)
        return;
    account_time();
    running = next;
}

static void open_window(void)
{
    account_time();
    account.window = account.monitor = 0;
    for (unsigned i = 0; i < tasks; i++)
        memset(account.task[i].time, 0, sizeof account.task[i].time);
    begun = last;
}

static void close_window(void)
{
    account_time();
    account.window = last - begun;
    shown = account;
}

static void executes(unsigned cpu, void *data)
{
    const uintptr_t what = (uintptr_t)data;

    (void)cpu;
    if (what & GATE)
        enter(what & RING_BITS, nobodys);
    if (what & MONITOR)
        enter(0, true);
    if (what & SWITCH)
        switch_task();
    if (what & CLOSE)
        close_window();
    if (what & RETURN)
        loads = 0;
}

/* IRETQ reads RIP and then CS; by then it counts as executed. */
static void returns(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
    const struct qemu_plugin_hwaddr *where = qemu_plugin_get_hwaddr(info, address);
    uint16_t cs = 0;

    (void)cpu;
    (void)data;
    if (loads++ != 1 || where == NULL)
        return;
    read_memory(qemu_plugin_hwaddr_phys_addr(where), &cs, sizeof cs, false);
    enter(cs % RINGS, false);
}

/* The task at `address`.  The image of a kernel lies in one piece: so do the word and the tasks. */
static struct task *task_at(uint64_t address, uint64_t word_at)
{
    struct task *t = account.task;

    while (t < account.task + tasks && t->address != address)
        t++;
    if (t == account.task + tasks) {
        if (tasks++ == TASKS)
            abort();
        t->address = address;
    }
    read_memory(word_at + (address - current) + label_at, t->label, label_bytes, false);
    return t;
}

static void stores(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
    const struct qemu_plugin_hwaddr *where;
    uint64_t value = 0;

    (void)cpu;
    (void)data;
    if (!qemu_plugin_mem_is_store(info)) /* QEMU 7.2 tells of loads too */
        return;
    if (address == opened)
        open_window();
    if (address != current || (where = qemu_plugin_get_hwaddr(info, address)) == NULL)
        return;
    read_memory(qemu_plugin_hwaddr_phys_addr(where), &value, sizeof value, false);
    next = task_at(value, qemu_plugin_hwaddr_phys_addr(where));
    if (switched == 0 || running == NULL)
        switch_task();
}

static uintptr_t kind_of(uint64_t address, const uint8_t *code, size_t size)
{
    uintptr_t what = 0;

    for (unsigned i = 0; i < gates; i++)
        if (address >= gate[i].low && address < gate[i].high)
            what |= GATE | gate[i].ring;
    for (unsigned i = 0; i < monitors; i++)
        what |= address == monitor[i] ? MONITOR : 0;
    what |= address == switched ? SWITCH : 0;
    what |= address == closed ? CLOSE : 0;
    return what | (size == 2 && code[0] == 0x48 && code[1] == 0xcf ? RETURN : 0);
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        const uint64_t address = qemu_plugin_insn_vaddr(insn);
        const uintptr_t what =
            kind_of(address, qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn));

        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &executed, 1);
        if (what != 0)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, executes, QEMU_PLUGIN_CB_NO_REGS, (void *)what);
        if (what & RETURN)
            qemu_plugin_register_vcpu_mem_cb(insn, returns, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_R, NULL);
        else if (address >> 63 != 0)
            qemu_plugin_register_vcpu_mem_cb(insn, stores, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, NULL);
    }
}

static void write_report(FILE *file)
{
    fprintf(file, "window %llu\nmonitor %llu\n", (unsigned long long)shown.window,
            (unsigned long long)shown.monitor);
    for (const struct task *t = shown.task; t < shown.task + tasks; t++) {
        fprintf(file, "task %s", t->label);
        for (unsigned i = 0; i < RINGS; i++)
            fprintf(file, " %llu", (unsigned long long)t->time[i]);
        fputc('\n', file);
    }
}

static struct report report = { .write = write_report };

static bool take_gate(const char *value)
{
    char *end;

    if (gates == GATES)
        return false;
    gate[gates].ring = (unsigned)strtoul(value, &end, 0);
    if (*end != ':' || gate[gates].ring >= RINGS)
        return false;
    gate[gates].low = strtoull(end + 1, &end, 0);
    if (*end != '-')
        return false;
    gate[gates++].high = strtoull(end + 1, &end, 0);
    return *end == '\0';
}

static bool take_label(const char *value)
{
    char *end;

    label_at = strtoull(value, &end, 0);
    if (*end != ':')
        return false;
    label_bytes = strtoull(end + 1, &end, 0);
    return *end == '\0' && label_bytes <= LABEL;
}

static bool take_monitor(const char *value)
{
    if (monitors == MONITORS)
        return false;
    monitor[monitors++] = strtoull(value, NULL, 0);
    return true;
}

static bool take_word(const char *word)
{
    const struct { const char *name; uint64_t *to; } numbers[] = {
        { "current=", &current }, { "switch=", &switched }, { "open=", &opened }, { "close=", &closed },
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strncmp(word, numbers[i].name, strlen(numbers[i].name)) == 0) {
            *numbers[i].to = strtoull(word + strlen(numbers[i].name), NULL, 0);
            return true;
        }
    if (strncmp(word, "out=", 4) == 0)
        return (report.path = word + 4)[0] != '\0';
    if (strncmp(word, "shift=", 6) == 0)
        return (shift = (unsigned)strtoul(word + 6, NULL, 10)) <= 10;
    if (strncmp(word, "gate=", 5) == 0)
        return take_gate(word + 5);
    if (strncmp(word, "label=", 6) == 0)
        return take_label(word + 6);
    return strncmp(word, "monitor=", 8) == 0 && take_monitor(word + 8);
}

PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const void *info, int words, char **word)
{
    const char *timers = dlsym(RTLD_DEFAULT, "timers_state");

    (void)info;
    *(void **)&read_memory = dlsym(RTLD_DEFAULT, "cpu_physical_memory_rw");
    if (timers == NULL || read_memory == NULL) {
        fputs("task_time: this QEMU exports neither its memory nor its clock\n", stderr);
        return 1;
    }
    bias = (const int64_t *)(timers + BIAS);
    for (int i = 0; i < words; i++)
        if (!take_word(word[i]))
            return 1;
    if (report.path == NULL || current == 0 || opened == 0 || closed == 0)
        return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, report_write, &report);
    return 0;
}
