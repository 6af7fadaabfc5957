/* SPDX-License-Identifier: MIT */
/* Reads the files of one folder of the disk; each is taken as a whole, or listed with what went wrong. */
#include "boot/disk/task_files.h"

#include "boot/disk/fat16.h"
#include "boot/task_files.h"
#include "kernel/boot_info.h"

#define FOLDER   "TASKS" /* TASK_FILES_FOLDER as its entry has it */
#define FILES_AT 0x1000000u /* behind what the loader itself uses, and a hole that some boards have */
#define PAGE     4096u

static struct multiboot_module module[BOOT_MODULES];
static char line[BOOT_MODULES][TASK_FILES_LINE];
static struct fat16_named named;
static uint64_t next_free = FILES_AT;

/* An entry of the list with this name; NULL where it is full, and that is counted. */
static struct multiboot_module *next_module(struct multiboot_info *info, const char *name)
{
    const uint32_t i = info->modules++;

    if (i >= BOOT_MODULES)
        return NULL;
    for (uint32_t n = 0; n < TASK_FILES_LINE; n++)
        line[i][n] = name[n];
    module[i].line = (uint32_t)line[i];
    return &module[i];
}

/* Where so many bytes have room in a region, before what the image needs; 0 if they have none. */
static uint32_t room_in(const struct multiboot_region *r, uint32_t bytes)
{
    const uint64_t limit = 1ull << 32, end = r->base + r->length < limit ? r->base + r->length : limit;
    const uint64_t first = r->base > next_free ? (r->base + PAGE - 1) & ~(uint64_t)(PAGE - 1) : next_free;
    const uint64_t past = (first + bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);

    if (r->type != MULTIBOOT_REGION_FREE || r->base + r->length < r->base || first >= limit ||
        past + TASK_FILES_SPARE > end)
        return 0;
    next_free = past;
    return (uint32_t)first;
}

static uint32_t room_for(const struct multiboot_info *info, uint32_t bytes)
{
    const struct multiboot_region *const region = (const void *)info->map_at;
    uint32_t at = 0;

    for (uint32_t i = 0; at == 0 && i < info->map_length / sizeof *region; i++)
        at = room_in(&region[i], bytes);
    return at;
}

static enum boot_module_wrong read_file(struct fat16 *v, const struct multiboot_info *info,
                                        struct multiboot_module *m)
{
    const uint32_t bytes = named.file.bytes;

    if (bytes == 0)
        return BOOT_MODULE_WHOLE; /* the core refuses it */
    m->begin = room_for(info, bytes);
    m->end = m->begin + bytes;
    if (m->begin == 0)
        return BOOT_MODULE_NO_MEMORY;
    return fat16_read(v, &named.file, (void *)m->begin) ? BOOT_MODULE_WHOLE : BOOT_MODULE_UNREADABLE;
}

static void take_named(struct fat16 *v, struct multiboot_info *info)
{
    char name[TASK_FILES_LINE];
    struct multiboot_module *m;

    if (named.folder || !task_files_line(name, named.name))
        return;
    m = next_module(info, name);
    if (m != NULL)
        m->reserved = read_file(v, info, m);
}

static void folder_failed(struct multiboot_info *info)
{
    static const char name[TASK_FILES_LINE] = TASK_FILES_FOLDER;
    struct multiboot_module *const m = next_module(info, name);

    if (m != NULL)
        m->reserved = BOOT_MODULE_UNREADABLE;
}

void task_files_read(struct fat16 *v, struct multiboot_info *info)
{
    struct fat16_folder folder;
    enum fat16_answer answer = fat16_open(v, FOLDER, &folder);

    while (answer == FAT16_OK && (answer = fat16_next(v, &folder, &named)) == FAT16_OK)
        take_named(v, info);
    if (answer == FAT16_DAMAGED)
        folder_failed(info);
    if (info->modules == 0)
        return;
    info->flags |= MULTIBOOT_HAS_MODULES;
    info->modules_at = (uint32_t)module;
}
