/* SPDX-License-Identifier: MIT */
/*
 * A plugin of QEMU that counts each executed instruction at LIMIT virtual
 * addresses, from 0 or another one on, exactly:
 * -plugin build/qemu/count.so,out=FILE[,from=ADDRESS].  At the end FILE has one
 * line for each instruction: address, its bytes, times.  By the bytes the reader
 * knows whose it was; one address with two codes has two lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/qemu/count/report.h"
#include "tools/emulator/plugin.h"

#define LIMIT    0x10000u

struct site {
    struct site *next; /* at the same address */
    uint64_t times;
    struct plugin_count count;
    size_t size;
    uint8_t code[PLUGIN_LONGEST];
};

static struct site *sites[LIMIT];
static uint64_t from;

/* Found or made; a block may be translated many times. */
static struct site *site_of(uint64_t address, const void *code, size_t size)
{
    struct site *s;

    for (s = sites[address]; s != NULL; s = s->next)
        if (s->size == size && memcmp(s->code, code, size) == 0)
            return s;
    s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    s->next = sites[address];
    s->size = size;
    memcpy(s->code, code, size);
    plugin_count_begin(&s->count, &s->times);
    return sites[address] = s;
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        const uint64_t address = qemu_plugin_insn_vaddr(insn) - from;
        uint8_t code[PLUGIN_LONGEST];
        const size_t size = plugin_code(insn, code);

        if (address < LIMIT && size <= sizeof code)
            plugin_count(&site_of(address, code, size)->count, insn);
    }
}

static void write_site(FILE *file, unsigned address, const struct site *s)
{
    plugin_count_bring(&s->count);
    fprintf(file, "%llx ", (unsigned long long)(from + address));
    for (size_t i = 0; i < s->size; i++)
        fprintf(file, "%02x", s->code[i]);
    fprintf(file, " %llu\n", (unsigned long long)s->times);
}

static void write_report(FILE *file)
{
    for (unsigned address = 0; address < LIMIT; address++)
        for (const struct site *s = sites[address]; s != NULL; s = s->next)
            write_site(file, address, s);
}

static struct report report = { .write = write_report };

PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_plugin_info *info, int words, char **word)
{
    plugin_begin(info);
    if (words < 1 || strncmp(word[0], "out=", 4) != 0)
        return 1;
    if (words > 2 || (words == 2 && strncmp(word[1], "from=", 5) != 0))
        return 1;
    report.path = word[0] + 4;
    from = words == 2 ? strtoull(word[1] + 5, NULL, 0) : 0;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, report_write, &report);
    return 0;
}
