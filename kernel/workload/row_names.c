/* SPDX-License-Identifier: MIT */
/* Chooses row names and ids: the first number behind a name with which no other program's row has it. */
#include "kernel/workload/row_names.h"

#include <stdbool.h>
#include <stddef.h>

#include "kernel/io/log.h"
#include "kernel/lib/string.h"
#include "probe/text/radix50.h"

#define ID_CHARS 6

static struct row_name rows[BOOT_MODULES]; /* by the file's index; "": it had no task yet */

/* Of the first six characters; those of file names that RADIX-50 does not have become points. */
static uint32_t id_of(const char *name)
{
    char packed[ID_CHARS + 1];
    uint32_t id = 0;

    string_copy(packed, name, sizeof packed);
    for (char *c = packed; *c != '\0'; c++)
        if (*c == '_' || *c == '+' || *c == '-' || *c == '#')
            *c = '.';
    radix50_pack(packed, &id);
    return id;
}

static bool is_name_of_file(const char *name)
{
    for (size_t i = 0; i < BOOT_MODULES; i++)
        if (string_equal(name, rows[i].name))
            return true;
    return false;
}

static bool is_id_of_file(uint32_t id)
{
    for (size_t i = 0; i < BOOT_MODULES; i++)
        if (rows[i].name[0] != '\0' && rows[i].id == id)
            return true;
    return false;
}

static bool is_name_taken(const char *name)
{
    static const char *const kept[] = { "IDLE", "MASKED", "STOLEN", "LOST", ROW_ENDED_NAME, "PROBE" };

    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (string_equal(name, kept[i]))
            return true;
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (string_equal(name, tasks[i].name))
            return true;
    return is_name_of_file(name);
}

static bool is_id_taken(uint32_t id)
{
    for (uint32_t i = 0; i < TASKS_MAX && tasks[i].state != TASK_FREE; i++)
        if (tasks[i].id == id)
            return true;
    return is_id_of_file(id) || id == id_of("PROBE");
}

/* The name cut to `size`; of its `n`-th user, from 2, with the mark and n at the end. */
static void number(char *to, size_t size, const char *name, const char *mark, unsigned n)
{
    const char *const end = n > 1 ? JOINED(mark, DECIMAL(n)) : "";
    const size_t length = string_length(name), most = size - 1 - string_length(end);

    string_copy(to, name, size);
    string_copy(to + (length < most ? length : most), end, string_length(end) + 1);
}

static struct row_name choose(const char *name, bool name_taken(const char *), bool id_taken(uint32_t))
{
    char six[ID_CHARS + 1];
    struct row_name row;
    unsigned names = 0, ids = 0;

    do
        number(row.name, sizeof row.name, name, "#", ++names);
    while (name_taken(row.name));
    do {
        number(six, sizeof six, name, "", ++ids);
        row.id = id_of(six);
    } while (id_taken(row.id));
    return row;
}

struct row_name row_name_of(const char *name)
{
    return choose(name, is_name_of_file, is_id_of_file);
}

const struct row_name *row_name_of_file(const struct module_file *file)
{
    struct row_name *row = rows;
    char cut[NAME_SIZE];

    for (uint32_t i = 0; module_file_at(i) != file; i++)
        row++;
    if (row->name[0] != '\0')
        return row;
    *row = choose(file->name, is_name_taken, is_id_taken);
    string_copy(cut, file->name, sizeof cut);
    if (!string_equal(cut, row->name))
        log_line(LOG_NOTE, "tasks=file:", file->name, ": its row is ", row->name, ", another row is ", cut);
    return row;
}
