/* SPDX-License-Identifier: MIT */
/*
 * A plugin of QEMU that counts what interrupt handlers do, from the instruction
 * at their entry to IRET, and what the code in given ranges does outside of them:
 * -plugin build/qemu/visits.so,out=FILE[,from=ADDRESS][,entry=ADDRESS]...[,range=LOW-HIGH]...
 * Only the upper half of the address space is looked at (the kernel), and only
 * once the instruction at `from` has run.  At the end FILE has a line for each:
 *
 *   entry ADDRESS VISITS INSTRUCTIONS PORTS DEVICES LAST MOST MEDIAN MOST99
 *   range LOW HIGH INSTRUCTIONS
 *
 * all of them sums over the visits, but MOST, the instructions of the longest one,
 * MEDIAN, of the middle one, and MOST99, which 99 of 100 do not exceed (LONG - 1: so
 * many or more).  PORTS counts IN and OUT, DEVICES loads and stores of a device's
 * registers in memory, LAST the instructions up to the last of both.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/qemu/count/report.h"
#include "tools/emulator/plugin.h"

#define ENTRIES 16u
#define RANGES  255u
#define LONG    4096u /* visits of as many instructions are not told apart from longer ones */

/* What an instruction is, as its callback is told. */
#define ENTRY_BITS  0x3fu /* number of the entry, from 1 */
#define PORT        0x40u
#define RETURN      0x80u
#define RANGE_SHIFT 8     /* number of the range, from 1 */

struct visits {
    uint64_t address, visits, instructions, ports, devices, last, most;
};

struct range {
    uint64_t low, high, instructions;
};

static struct visits entry[ENTRIES];
static uint64_t long_as[ENTRIES][LONG]; /* visits by their instructions */
static struct range range[RANGES];
static unsigned entries, ranges;
static uint64_t from;
static bool begun;
static struct visits *in; /* the visit under way, or NULL */
static struct visits one; /* what it has done so far */

static void leave(void)
{
    in->visits++;
    in->instructions += one.instructions;
    in->ports += one.ports;
    in->devices += one.devices;
    in->last += one.last;
    if (one.instructions > in->most)
        in->most = one.instructions;
    long_as[in - entry][one.instructions < LONG ? one.instructions : LONG - 1]++;
    in = NULL;
}

static void executed(unsigned cpu, void *data)
{
    const uintptr_t what = (uintptr_t)data;

    (void)cpu;
    if (!begun)
        return;
    if (in == NULL && (what & ENTRY_BITS) != 0) {
        in = &entry[(what & ENTRY_BITS) - 1];
        one = (struct visits){ .address = in->address };
    }
    if (in == NULL) {
        if (what >> RANGE_SHIFT != 0)
            range[(what >> RANGE_SHIFT) - 1].instructions++;
        return;
    }
    one.instructions++;
    if (what & PORT) {
        one.ports++;
        one.last = one.instructions;
    }
    if (what & RETURN)
        leave();
}

static void accessed(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
    const struct qemu_plugin_hwaddr *where;

    (void)cpu;
    (void)data;
    if (in == NULL)
        return;
    where = qemu_plugin_get_hwaddr(info, address);
    if (where == NULL || !qemu_plugin_hwaddr_is_io(where))
        return;
    one.devices++;
    one.last = one.instructions;
}

static void reached(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    begun = true;
}

/* IN and OUT of a byte or a double word, and IRETQ. */
static uintptr_t kind_of(const uint8_t *code, size_t size)
{
    if ((code[0] & 0xf4) == 0xe4 && size <= 2 && (size == 2) == ((code[0] & 8) == 0))
        return PORT;
    return size == 2 && code[0] == 0x48 && code[1] == 0xcf ? RETURN : 0;
}

static uintptr_t place_of(uint64_t address)
{
    uintptr_t place = 0;

    for (unsigned i = 0; i < entries; i++)
        if (entry[i].address == address)
            place |= i + 1;
    for (unsigned i = 0; i < ranges; i++)
        if (address >= range[i].low && address < range[i].high)
            return place | (uintptr_t)(i + 1) << RANGE_SHIFT;
    return place;
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        const uint64_t address = qemu_plugin_insn_vaddr(insn);
        uint8_t code[PLUGIN_LONGEST];
        const size_t size = plugin_code(insn, code);
        const uintptr_t what = place_of(address) | kind_of(code, size);

        if (address == from)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, reached, QEMU_PLUGIN_CB_NO_REGS, NULL);
        if (address >> 63 == 0)
            continue;
        qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, QEMU_PLUGIN_CB_NO_REGS, (void *)what);
        qemu_plugin_register_vcpu_mem_cb(insn, accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
    }
}

/* The instructions that so many of 100 visits do not exceed. */
static unsigned percentile(const struct visits *v, unsigned of_100)
{
    uint64_t below = 0;
    unsigned i = 0;

    while (i < LONG - 1 && (below += long_as[v - entry][i]) * 100 < v->visits * of_100)
        i++;
    return i;
}

static void write_report(FILE *file)
{
    for (const struct visits *v = entry; v < entry + entries; v++)
        fprintf(file, "entry %#llx %llu %llu %llu %llu %llu %llu %u %u\n", (unsigned long long)v->address,
                (unsigned long long)v->visits, (unsigned long long)v->instructions,
                (unsigned long long)v->ports, (unsigned long long)v->devices,
                (unsigned long long)v->last, (unsigned long long)v->most, percentile(v, 50), percentile(v, 99));
    for (const struct range *r = range; r < range + ranges; r++)
        fprintf(file, "range %#llx %#llx %llu\n", (unsigned long long)r->low,
                (unsigned long long)r->high, (unsigned long long)r->instructions);
}

static struct report report = { .write = write_report };

static bool take_word(const char *word)
{
    char *end;

    if (strncmp(word, "out=", 4) == 0) {
        report.path = word + 4;
    } else if (strncmp(word, "from=", 5) == 0) {
        from = strtoull(word + 5, NULL, 0);
    } else if (strncmp(word, "entry=", 6) == 0 && entries < ENTRIES) {
        entry[entries++].address = strtoull(word + 6, NULL, 0);
    } else if (strncmp(word, "range=", 6) == 0 && ranges < RANGES) {
        range[ranges].low = strtoull(word + 6, &end, 0);
        if (*end != '-')
            return false;
        range[ranges++].high = strtoull(end + 1, NULL, 0);
    } else {
        return false;
    }
    return true;
}

PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_plugin_info *info, int words, char **word)
{
    plugin_begin(info);
    for (int i = 0; i < words; i++)
        if (!take_word(word[i]))
            return 1;
    if (report.path == NULL)
        return 1;
    begun = from == 0;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, report_write, &report);
    return 0;
}
