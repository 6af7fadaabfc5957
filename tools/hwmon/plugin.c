/* SPDX-License-Identifier: MIT */
/*
 * hwmon, a plugin of QEMU that observes a machine from outside, as a hardware monitor does
 * (Thurner, "Performance Measurement Using System Monitors"): the guest executes nothing for it
 * and its clock does not see it.  -plugin build/hwmon.so,WORD=VALUE,...; docs/TOOL.md, "hwmon".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/emulator/plugin.h"
#include "tools/hwmon/analyser.h"
#include "tools/hwmon/hwmon.h"

static struct hwmon hwmon; /* of QEMU's one machine; its processor's thread alone uses it */
static struct plugin_count executed; /* brings hwmon.machine.executed, first in what looks at it */

/* ---- while the machine runs ---- */

static void block_begins(unsigned cpu, void *block)
{
    (void)cpu;
    plugin_count_bring(&executed);
    machine_block(&hwmon.machine, block);
}

static void block_is_counted(unsigned cpu, void *block)
{
    struct block *const b = block;

    (void)cpu;
    b->times++;
}

static void block_is_analysed(unsigned cpu, void *block)
{
    (void)cpu;
    plugin_count_bring(&executed);
    analyser_block(&hwmon.analyser, block, hwmon.machine.executed);
}

/* The instruction of the trigger is about to be executed. */
static void triggers(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    plugin_count_bring(&executed);
    analyser_hit(&hwmon.analyser, hwmon.machine.executed);
}

/* It has stored, and counts as executed. */
static void stores_for_trigger(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)data;
    plugin_count_bring(&executed);
    if (address == hwmon.analyser.address && qemu_plugin_mem_is_store(info))
        analyser_hit(&hwmon.analyser, hwmon.machine.executed - 1);
}

static void switches(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    plugin_count_bring(&executed);
    machine_switch(&hwmon.machine);
}

static void closes(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    plugin_count_bring(&executed);
    hwmon_close(&hwmon);
}

static void accesses(unsigned cpu, uint32_t info, uint64_t address, void *insn)
{
    struct insn *const i = insn;

    (void)cpu;
    (void)info;
    plugin_count_bring(&executed);
    i->data = address;
    i->data_at = hwmon.machine.executed;
}

static void reaches(unsigned cpu, void *point)
{
    (void)cpu;
    plugin_count_bring(&executed);
    machine_event(&hwmon.machine, point, 0);
}

static void stores_for_events(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
    struct event_monitor *const m = &hwmon.machine.events;

    (void)cpu;
    (void)data;
    if (!qemu_plugin_mem_is_store(info))
        return;
    plugin_count_bring(&executed);
    for (struct event_point *p = m->point; p < m->point + m->points; p++) {
        uint64_t value = 0;

        if (p->bytes != 0 && p->address == address && qemu_read(&hwmon.machine.qemu, address, &value, p->bytes))
            machine_event(&hwmon.machine, p, value);
    }
}

/* The name of the task whose address was stored. */
static void store_task(void)
{
    char name[NAME_SIZE + 1] = "";
    uint64_t task = 0;

    if (!qemu_read(&hwmon.machine.qemu, hwmon.watched.current, &task, sizeof task))
        return;
    if (!qemu_read(&hwmon.machine.qemu, task + hwmon.watched.label_at, name, hwmon.watched.label_bytes))
        snprintf(name, sizeof name, "#%x", (unsigned)task);
    machine_next_task(&hwmon.machine, task, name);
    if (hwmon.watched.switched == 0)
        machine_switch(&hwmon.machine);
}

static void stores(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)data;
    if (!qemu_plugin_mem_is_store(info)) /* QEMU 7.2 tells of loads too */
        return;
    plugin_count_bring(&executed);
    if (address == hwmon.watched.open)
        hwmon_open(&hwmon);
    if (address == hwmon.watched.current)
        store_task();
}

/* ---- translation ---- */

/* The first place with this address, from 1; 0: none. */
static unsigned place_of(const struct places *p, uint64_t address)
{
    for (unsigned i = 0; i < p->count; i++)
        if (address >= p->place[i].low && address < p->place[i].high)
            return i + 1;
    return 0;
}

/* IRET with any size of operand, and HLT. */
static uint32_t flags_of_last(const struct insn *i)
{
    const uint8_t code = i->code[i->size - 1];

    if (code == 0xcf && i->size <= 2)
        return BLOCK_RETURNS;
    return code == 0xf4 && i->size == 1 ? BLOCK_HALTS : 0;
}

static void set_flags(struct block *b)
{
    const uint64_t address = b->insn[0].address;

    b->flags = flags_of_last(&b->insn[b->count - 1]);
    b->flags |= place_of(&hwmon.watched.interrupt, address) != 0 ? BLOCK_INTERRUPT : 0;
    b->flags |= place_of(&hwmon.watched.monitor, address) != 0 ? BLOCK_MONITOR : 0;
    b->vector = b->flags & BLOCK_INTERRUPT ? (uint16_t)stubs_vector(&hwmon.watched.vectors, address) : 0;
    b->range = (uint8_t)place_of(&hwmon.watched.range, address);
}

static uint16_t mnemonic_of(const struct qemu_plugin_insn *insn)
{
    char *const text = qemu_plugin_insn_disas(insn);
    const uint16_t number = mix_number(&hwmon.mix, text);

    free(text);
    return number;
}

static struct block *block_of(struct qemu_plugin_tb *tb)
{
    const size_t count = qemu_plugin_tb_n_insns(tb);
    int ring = qemu_ring(&hwmon.machine.qemu);
    struct block *b;

    if (ring < 0)
        ring = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0)) >> 63 != 0 ? 0 : 3;
    b = block_new(count, ring);
    for (size_t i = 0; i < count; i++) {
        const struct qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, i);
        uint8_t code[PLUGIN_LONGEST];
        const size_t size = plugin_code(insn, code);

        block_add(b, qemu_plugin_insn_vaddr(insn), code, size);
        if (hwmon.mix_to != NULL)
            b->insn[i].mnemonic = mnemonic_of(insn);
    }
    set_flags(b);
    return block_intern(&hwmon.blocks, b);
}

static void watch_events(struct qemu_plugin_insn *insn, const struct insn *known, unsigned ring)
{
    struct event_monitor *const m = &hwmon.machine.events;
    bool stores = false;

    for (struct event_point *p = m->point; p < m->point + m->points; p++) {
        if (p->bytes == 0 && p->address == known->address)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, reaches, QEMU_PLUGIN_CB_NO_REGS, p);
        stores |= p->bytes != 0 && (p->mode != EVENT_SYNC || ring == 0);
    }
    if (stores)
        qemu_plugin_register_vcpu_mem_cb(insn, stores_for_events, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, NULL);
}

static void watch_trigger(struct qemu_plugin_insn *insn, const struct insn *known)
{
    const struct analyser *const a = &hwmon.analyser;

    if ((a->trigger == TRIGGER_AT && known->address == a->address) || analyser_is_port(a, known))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, triggers, QEMU_PLUGIN_CB_NO_REGS, NULL);
    if (a->trigger == TRIGGER_STORE)
        qemu_plugin_register_vcpu_mem_cb(insn, stores_for_trigger, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, NULL);
}

static void watch_insn(struct qemu_plugin_insn *insn, struct insn *known, unsigned ring)
{
    const struct watched *const w = &hwmon.watched;

    if (hwmon.timed && w->switched != 0 && known->address == w->switched)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, switches, QEMU_PLUGIN_CB_NO_REGS, NULL);
    if (hwmon.timed && w->close != 0 && known->address == w->close)
        qemu_plugin_register_vcpu_insn_exec_cb(insn, closes, QEMU_PLUGIN_CB_NO_REGS, NULL);
    if (hwmon.timed && ring == 0 && (w->current != 0 || w->open != 0))
        qemu_plugin_register_vcpu_mem_cb(insn, stores, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_W, NULL);
    if (hwmon.machine.list.file != NULL)
        qemu_plugin_register_vcpu_mem_cb(insn, accesses, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, known);
    watch_events(insn, known, ring);
    if (hwmon.analyser_to != NULL)
        watch_trigger(insn, known);
    plugin_count(&executed, insn);
}

/* Before the first instruction: now -icount is known. */
static void start(void)
{
    const char *const lacks = hwmon.timed ? qemu_lacks_clock(&hwmon.machine.qemu) : NULL;

    if (lacks != NULL)
        hwmon_stop(lacks);
    hwmon.started = true;
    if (hwmon.timed && hwmon.watched.open == 0)
        hwmon_open(&hwmon);
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
    struct block *b;

    (void)id;
    if (qemu_plugin_tb_n_insns(tb) == 0)
        return;
    if (!hwmon.started)
        start();
    b = block_of(tb);
    if (hwmon.timed)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, block_begins, QEMU_PLUGIN_CB_NO_REGS, b);
    if (hwmon.analyser_to != NULL)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, block_is_analysed, QEMU_PLUGIN_CB_NO_REGS, b);
    if (hwmon.blocks_to != NULL || hwmon.mix_to != NULL)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, block_is_counted, QEMU_PLUGIN_CB_NO_REGS, b);
    for (size_t i = 0; i < b->count; i++)
        watch_insn(qemu_plugin_tb_get_insn(tb, i), &b->insn[i], b->ring);
}

static void ended(uint64_t id, void *data)
{
    (void)id;
    (void)data;
    plugin_count_bring(&executed);
    if (hwmon.started)
        hwmon_end(&hwmon);
}

/* ---- installation ---- */

static bool fits(const struct qemu_plugin_info *info)
{
    if (!info->system_emulation ||
        (strcmp(info->target_name, "x86_64") != 0 && strcmp(info->target_name, "i386") != 0))
        fprintf(stderr, "hwmon: observes x86 machines, and this is QEMU for %s%s\n", info->target_name,
                info->system_emulation ? "" : " programs");
    else if (info->processors.at_most > 1)
        fprintf(stderr, "hwmon: observes one processor, and this machine has %d\n", info->processors.at_most);
    else
        return true;
    return false;
}

PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_plugin_info *info, int count, char **word)
{
    char text[REFUSAL_TEXT];

    plugin_begin(info);
    plugin_count_begin(&executed, &hwmon.machine.executed);
    options_default(&hwmon.options);
    if (!fits(info))
        return 1;
    for (int i = 0; i < count; i++)
        if (!options_take(&hwmon.options, word[i], text)) {
            fprintf(stderr, "hwmon: %s\n", text);
            return 1;
        }
    if (!hwmon_begin(&hwmon))
        return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
