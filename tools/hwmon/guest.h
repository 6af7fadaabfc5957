/* SPDX-License-Identifier: MIT */
/* What is known of the guest: its names, its code and its tasks, and what QEMU tells of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "probe/config/config_table.h"
#include "probe/core/mode.h"
#include "probe/stats/snapshot.h"

/* Names: from ELF files, or from a table as `nm` prints it ("ADDRESS KIND NAME" a line). */

struct name {
    uint64_t address, size; /* size 0: not told */
    char *text;
    bool code;
};

struct names {
    struct name *name; /* sorted by address once names_sort() was called */
    size_t count;
    char *build; /* build id of the first ELF file, hexadecimal; NULL: none */
};

/* Add a file's names.  False, with a message on standard error, if it cannot be read. */
bool names_add_elf(struct names *n, const char *path);
bool names_add_table(struct names *n, const char *path);
void names_sort(struct names *n);

/*
 * The address that `text` says: 0x1234, NAME, or NAME+0x10.  What a compiler put behind a name
 * (.lto_priv.0, .isra.1, .constprop.0, .part.2) may be left out.  False: there is no such name.
 */
bool names_address(const struct names *n, const char *text, uint64_t *address);

/* The name of the code at an address, the nearest one before it; NULL: none. */
const struct name *names_code_at(const struct names *n, uint64_t address);

/* Where the code of names[i] ends: by its size, else at the next name of code. */
uint64_t names_end(const struct names *n, size_t i);

/* A guest's table of entry stubs, one a vector, from vector 0 on: the address of an entry tells its vector. */

struct stubs {
    uint64_t first;
    uint64_t bytes; /* of a stub; 0: there is no table */
};

/* ADDRESS:BYTES.  NULL, or what is wrong with it. */
const char *stubs_set(struct stubs *s, const struct names *names, const char *text);

/* The vector of the stub that begins at this address, plus 1; 0: none does. */
unsigned stubs_vector(const struct stubs *s, uint64_t address);

/* The blocks of instructions that QEMU translated: each once, however often it was translated. */

#define INSN_BYTES 15 /* at most, of x86 */

struct insn {
    uint64_t address;
    uint64_t data;    /* virtual address of its last access to memory */
    uint64_t data_at; /* instructions executed by then; 0: none yet */
    uint16_t mnemonic; /* its number in the mix of instructions */
    uint8_t size;
    uint8_t code[INSN_BYTES];
};

struct block {
    struct block *next; /* of the same hash */
    uint64_t times;     /* begun; a fault may have ended it early */
    uint32_t flags;     /* the machine's */
    uint8_t ring;       /* 0 to 3 */
    uint16_t vector;    /* whose entry stub it begins, plus 1; 0: of none */
    uint8_t range;      /* that its first instruction is in, from 1; 0: none */
    uint32_t count;     /* of instructions */
    struct insn insn[];
};

#define BLOCK_HASHES 65536u

struct block_table {
    struct block *of[BLOCK_HASHES];
    size_t count;
};

/* A block with room for so many instructions, none yet: to be filled and given to block_intern(). */
struct block *block_new(size_t insns, int ring);
void block_add(struct block *b, uint64_t address, const void *code, size_t size);

/* The table's block with this address, ring and code: `b` itself, or an older one, and `b` is freed. */
struct block *block_intern(struct block_table *t, struct block *b);

/* Call for each block, sorted by address; `data` is the caller's. */
void block_each(const struct block_table *t, void call(const struct block *b, void *data), void *data);

/* Execution counts of blocks and routines, and the routines that never ran. */

/*
 * Write, a line each:
 *
 *   block ADDRESS RING INSTRUCTIONS TIMES NAME    a block that was translated
 *   routine NAME ENTRIES INSTRUCTIONS             executed, by its name
 *   never NAME LOW HIGH                           no instruction of it was executed
 */
void block_report(FILE *file, const struct block_table *t, const struct names *n);

/* The mix of instructions: the static one, each instruction once, against the executed one. */

#define MNEMONIC_BYTES 24

struct mnemonic {
    char text[MNEMONIC_BYTES];
    uint64_t seen, executed; /* filled by mix_report() */
};

struct mix {
    struct mnemonic *mnemonic;
    size_t count;
};

/* The number of the mnemonic of a disassembled instruction ("rep stosb %al, (%rdi)": rep stosb). */
uint16_t mix_number(struct mix *m, const char *disassembled);

/*
 * Write a line for each mnemonic, the most executed first: mnemonic, instructions translated and
 * their percent, instructions executed and their percent.
 */
void mix_report(FILE *file, struct mix *m, const struct block_table *t);

/* The tasks of a guest, by name: those of one name are one row. */

#define TASKS_MAX 120u /* rows; the last one is that of all further names */

struct task {
    uint32_t id;            /* of its row: from 1, or ROW_IDLE */
    char name[NAME_SIZE];
    uint64_t time[MODES];   /* ns, in the window */
};

struct task_table {
    struct task task[TASKS_MAX];
    unsigned count;
    uint64_t merged; /* names that found no row of their own */
};

/* The row of this name, made where there is none: IDLE is that of the idle task. */
struct task *task_named(struct task_table *t, const char *name);

/* All times are 0 again. */
void task_clear(struct task_table *t);

/*
 * What the plugin interface does not tell and QEMU's own symbols do: virtual time, the guest's
 * memory, the ring.  Debian's QEMU exports its symbols; another build may not.
 */

struct qemu {
    const int64_t *bias;  /* virtual time less that of the instructions, ns; NULL: not known */
    const int16_t *shift; /* an instruction takes 2^shift ns */
    const int *icount;    /* 1: -icount with a fixed shift */
    void *(*cpu)(int index);
    int (*read)(void *cpu, uint64_t address, void *to, uint64_t bytes, bool write);
    void (*dump)(void *cpu, FILE *to, int flags);
};

/* Look for the symbols; members of what is missing are NULL. */
void qemu_find(struct qemu *q);

/* What is missing for each: a sentence without the full stop, or NULL.  Of the clock once the machine runs. */
const char *qemu_lacks_clock(const struct qemu *q);
const char *qemu_lacks_memory(const struct qemu *q);
const char *qemu_lacks_ring(const struct qemu *q);

/* Virtual time after so many instructions, ns.  In a callback of an execution. */
static inline uint64_t qemu_time(const struct qemu *q, uint64_t executed)
{
    return (executed << *q->shift) + (uint64_t)*q->bias;
}

/* The ring (CPL) of the processor, -1: not known.  In a callback of a translation too: a block has one ring. */
int qemu_ring(const struct qemu *q);

/* Read the guest's memory at a virtual address; false where nothing is mapped.  In a callback of an access. */
bool qemu_read(const struct qemu *q, uint64_t address, void *to, size_t bytes);

/* The words of a run of hwmon: -plugin hwmon.so,WORD=VALUE,...  docs/TOOL.md lists them. */

#define OPTION_PLACES 16u /* values of a word that may be repeated */

enum option_account { OPTION_ACCOUNT_ON, OPTION_ACCOUNT_LOG };

/* Values as they were written: names are looked up when all files are known. */
struct option_list {
    const char *text[OPTION_PLACES];
    unsigned count;
};

/* The value of each word; a text or a list that was not given is NULL or empty. */
struct options {
    const char *out, *list, *blocks, *mix, *analyser;
    struct option_list elf, table;
    const char *current, *switched, *label, *open, *close, *sync, *vectors, *classes, *states;
    struct option_list interrupt, monitor, event, count, range, window;
    const char *trigger;
    const char *words;      /* while a word is read: the file that it names */
    uint64_t interval, rng; /* enum interval_policy, enum rng */
    uint64_t account;       /* enum option_account */
    uint64_t rate;          /* Hz */
    uint64_t seed, nth, before, after;
};

/* Their rows. */
extern const struct config_words option_words;

void options_default(struct options *o);

/* Take WORD=VALUE, and for words=FILE those of the file, one a line; # begins a comment.  False: `why` is filled. */
bool options_take(struct options *o, const char *word, char why[REFUSAL_TEXT]);

/* Append the words that the stream tells, with their values. */
void options_put_told(struct text_buf *out, const struct options *o);
