/* SPDX-License-Identifier: MIT */
/*
 * The part of QEMU's TCG plugin interface, version 1, that our plugins use: declared here, since
 * Debian's QEMU 7.2 comes without a header.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define PLUGIN_VERSION 1
#define PLUGIN_EXPORT  __attribute__((visibility("default")))

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
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *block, enum qemu_plugin_op op,
                                              void *counter, uint64_t add);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, enum qemu_plugin_op op,
                                                void *counter, uint64_t add);
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
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
