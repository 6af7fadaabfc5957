/* SPDX-License-Identifier: MIT */
/*
 * A plugin of QEMU that counts how often the instruction at one virtual address
 * is executed, for a reader who wants to know while the machine runs:
 * -plugin build/qemu/arrivals.so,out=FILE,at=ADDRESS.  FILE is the count at any
 * moment: 8 bytes in the host's byte order, mapped, so that each execution is
 * in it at once and the last ones stay in it when QEMU ends.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/emulator/plugin.h"

static uint64_t *times;
static uint64_t at;

static void arrives(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    ++*times;
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);

        if (qemu_plugin_insn_vaddr(insn) == at)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, arrives, QEMU_PLUGIN_CB_NO_REGS, NULL);
    }
}

/* The file as a count of 0; NULL if it cannot be made. */
static uint64_t *map_count(const char *path)
{
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    void *count = MAP_FAILED;

    if (file < 0)
        return NULL;
    if (ftruncate(file, sizeof *times) == 0)
        count = mmap(NULL, sizeof *times, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return count == MAP_FAILED ? NULL : count;
}

PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_plugin_info *info, int words, char **word)
{
    plugin_begin(info);
    if (words != 2 || strncmp(word[0], "out=", 4) != 0 || strncmp(word[1], "at=", 3) != 0)
        return 1;
    at = strtoull(word[1] + 3, NULL, 0);
    times = map_count(word[0] + 4);
    if (times == NULL)
        return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
