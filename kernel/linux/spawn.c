/* SPDX-License-Identifier: MIT */
/* Tasks that run files. */
#include "kernel/linux/spawn.h"

#include "kernel/cpu/cpu.h"
#include "kernel/cpu/extended_state.h"
#include "kernel/cpu/syscall_instruction.h"
#include "kernel/linux/linux_calls.h"
#include "kernel/linux/task_notes.h"
#include "kernel/mm/programs.h"
#include "kernel/tick/costs.h"

static bool opened; /* set once */

bool spawn_open(struct refusal *why)
{
    if (opened)
        return true;
    if (!cpu.syscall)
        return REFUSE(why, "the instruction SYSCALL, which this CPU has not");
    extended_state_init();
    syscall_instruction_init();
    opened = task_notes_open() && entry_cost_measure_instruction();
    return opened || REFUSE(why, "more memory");
}

/* From 1; a module's number follows those of the programs that the image carries. */
static uint32_t program_number(const struct module_file *file)
{
    uint32_t number = 0;

    if (module_file_find(file->name) != file && program_named(file->name, &number) != 0)
        return number + 1;
    while (module_file_at(number) != file)
        number++;
    return programs_carried() + number + 1;
}

static void open_standard(struct process *p, const struct module_file *input)
{
    p->file[0] = (struct process_file){ .kind = PROCESS_FILE_INPUT, .module = input };
    for (uint32_t i = 1; i <= 2; i++)
        p->file[i] = (struct process_file){ .kind = PROCESS_FILE_OUTPUT, .descriptor = i };
}

static bool load(struct process *p, const struct module_file *file, const struct spawn *as,
                 struct program_start *start, uint64_t *rsp, struct refusal *why)
{
    struct start_words words = { .name = file->name, .arguments = as->arguments };

    p->program = file;
    p->program_number = program_number(file);
    p->drawn = as->draw * RANDOM_BLOCK;
    open_standard(p, as->input);
    random_bytes(p, words.random, sizeof words.random);
    return program_load(p, file->bytes, file->size, start, why) && start_stack_make(p, start, &words, rsp, why);
}

struct task *task_spawn_file(const struct module_file *file, const struct spawn *as, struct refusal *why)
{
    struct refusal missing;
    struct program_start start;
    struct process *p;
    struct task *t;
    uint64_t rsp;

    if (!spawn_open(&missing)) {
        REFUSE_WITH(why, "it needs %1", REFUSAL_STRING(missing.reason));
        return 0;
    }
    p = process_new();
    if (p == 0) {
        REFUSE(why, "out of memory");
        return 0;
    }
    if (!load(p, file, as, &start, &rsp, why)) {
        process_release(p);
        return 0;
    }
    t = task_create_process(as->name, as->id, p, start.entry, rsp);
    if (t == 0)
        REFUSE(why, "out of memory");
    return t;
}

bool spawn_all_ended(void)
{
    if (!opened)
        return false;
    for (uint32_t i = 1; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].process != 0 && tasks[i].state != TASK_ENDED)
            return false;
    return true;
}
