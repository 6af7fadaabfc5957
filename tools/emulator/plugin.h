/* SPDX-License-Identifier: MIT */
/*
 * Declares the part of QEMU's TCG plugin interface that our plugins use, since Debian's QEMU 7.2 comes without a
 * header, and makes one plugin fit its versions 1 (QEMU 4.2 to 8.2), 2 (9.0) and later.  What some versions lack is a
 * weak symbol, NULL there; QEMU reads `qemu_plugin_version` once the plugin is loaded,
 * so a constructor can still choose it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PLUGIN_EXPORT  __attribute__((visibility("default")))
#define PLUGIN_WEAK    __attribute__((weak))
#define PLUGIN_COPIES  3 /* the version from which qemu_plugin_insn_data() copies */
#define PLUGIN_LONGEST 15 /* bytes of an instruction of x86 */

/* What QEMU tells a plugin that it loads; more follows in it. */
struct qemu_plugin_info {
    const char *target_name; /* "x86_64", "i386", ... */
    struct {
        int minimum, current; /* of the interface */
    } version;
    _Bool system_emulation;
    struct {
        int now, at_most; /* processors */
    } processors;
};

struct qemu_plugin_tb;   /* a translated block */
struct qemu_plugin_insn; /* an instruction of it; both last as long as the callback */
struct qemu_plugin_hwaddr; /* the address of an access */

struct qemu_plugin_scoreboard; /* from version 2: a value for each processor */
struct qemu_plugin_u64 {
    struct qemu_plugin_scoreboard *score;
    size_t offset;
};

enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void block_translated(uint64_t id, struct qemu_plugin_tb *block);
typedef void at_exit(uint64_t id, void *data);
typedef void insn_executed(unsigned cpu, void *data);
typedef void block_executed(unsigned cpu, void *data);
typedef void memory_accessed(unsigned cpu, uint32_t info, uint64_t address, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, block_translated *call);
void qemu_plugin_register_atexit_cb(uint64_t id, at_exit *call, void *data);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, block_executed *call,
                                          enum qemu_plugin_cb_flags flags, void *data);
/* Version 1 has the first, later ones have the three below it. */
PLUGIN_WEAK void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, enum qemu_plugin_op op,
                                                            void *counter, uint64_t add);
PLUGIN_WEAK void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(struct qemu_plugin_insn *insn,
                                                                     enum qemu_plugin_op op,
                                                                     struct qemu_plugin_u64 counter, uint64_t add);
PLUGIN_WEAK struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t size);
PLUGIN_WEAK uint64_t qemu_plugin_u64_get(struct qemu_plugin_u64 counter, unsigned cpu);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, insn_executed *call,
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, memory_accessed *call,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *data);
_Bool qemu_plugin_mem_is_store(uint32_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t address);
_Bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *where);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *where);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn); /* for the caller to free */
/* Up to version 2 it returns where the bytes are, and takes no more arguments. */
void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t room);

/* ---- what is the same in each version ---- */

static int plugin_interface; /* that QEMU has; set by plugin_begin() */

PLUGIN_EXPORT int qemu_plugin_version = 1;

__attribute__((constructor)) static void plugin_choose(void)
{
    if (qemu_plugin_version == 1 && qemu_plugin_register_vcpu_insn_exec_inline == NULL)
        qemu_plugin_version = 2;
}

/* First in each qemu_plugin_install(). */
static inline void plugin_begin(const struct qemu_plugin_info *info)
{
    plugin_interface = info->version.current;
}

/* The bytes of an instruction, its length at most PLUGIN_LONGEST.  Returns that. */
static inline size_t plugin_code(const struct qemu_plugin_insn *insn, uint8_t code[PLUGIN_LONGEST])
{
    const size_t size = qemu_plugin_insn_size(insn), known = size < PLUGIN_LONGEST ? size : PLUGIN_LONGEST;
    const void *const at = qemu_plugin_insn_data(insn, code, known);

    if (plugin_interface < PLUGIN_COPIES)
        memcpy(code, at, known);
    return size;
}

/* How often instructions were executed on the one processor. */
struct plugin_count {
    uint64_t *value;               /* brought up to date by plugin_count_bring() */
    struct qemu_plugin_u64 counter; /* from version 2 on */
};

/* Begin to count into a value that stays where it is. */
static inline void plugin_count_begin(struct plugin_count *c, uint64_t *value)
{
    *c = (struct plugin_count){ .value = value };
    if (qemu_plugin_scoreboard_new != NULL)
        c->counter.score = qemu_plugin_scoreboard_new(sizeof *value);
}

/* Count the instruction.  While its block is translated. */
static inline void plugin_count(struct plugin_count *c, struct qemu_plugin_insn *insn)
{
    if (c->counter.score == NULL)
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, c->value, 1);
    else
        qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(insn, QEMU_PLUGIN_INLINE_ADD_U64, c->counter, 1);
}

/* Bring the value up to date. */
static inline void plugin_count_bring(const struct plugin_count *c)
{
    if (c->counter.score != NULL)
        *c->value = qemu_plugin_u64_get(c->counter, 0);
}
