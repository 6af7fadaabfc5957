/* SPDX-License-Identifier: MIT */
/*
 * A plugin of QEMU that lets no machine halt before QEMU's main thread sleeps:
 * -plugin build/hlt_sync.so.  tools/boot gives it to each QEMU.
 *
 * Under -icount sleep=off the main thread puts the clock on to the next timer once
 * the processor has halted.  Between HLT and the account of the instructions before
 * it, that thread would take the clock for older than it is, and put it on too far:
 * where the host gave it the time to look just then, a run was another one
 * (docs/TESTING.md, "Determinism").
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/emulator/plugin.h"

#define HLT     0xf4
#define LOOK_NS 20000 /* between two checks of the main thread */

static int main_thread = -1; /* /proc/self/task/ID/stat */

static int sleeps(void)
{
    char text[64]; /* "ID (NAME) STATE ...", a name of 15 characters at most */
    const ssize_t length = pread(main_thread, text, sizeof text - 1, 0);
    const char *name_end;

    if (length <= 0)
        abort();
    text[length] = '\0';
    name_end = strrchr(text, ')');
    if (name_end == NULL)
        abort();
    return name_end[2] == 'S';
}

static void halt(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    while (!sleeps())
        nanosleep(&(struct timespec){ .tv_nsec = LOOK_NS }, NULL);
}

static void translated(uint64_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
        uint8_t code[PLUGIN_LONGEST];

        if (plugin_code(insn, code) == 1 && code[0] == HLT)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, halt, QEMU_PLUGIN_CB_NO_REGS, NULL);
    }
}

PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_plugin_info *info, int argc, char **argv)
{
    char path[64];

    plugin_begin(info);
    (void)argc;
    (void)argv;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
    main_thread = open(path, O_RDONLY | O_CLOEXEC);
    if (main_thread < 0)
        return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
