/* SPDX-License-Identifier: MIT */
/*
 * The C part of the multiboot 1 door: converts the loader's information to a struct
 * boot_info.  Our own loaders, in flash and on disk, use this door too.
 * Multiboot Specification 0.6.96, section 3.3.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/multiboot.h"
#include "boot/text.h"
#include "kernel/boot_info.h"

extern char image_start[], image_end[];
extern uint64_t image_physical;

static struct boot_info info;

static const void *physical(uint64_t address)
{
    return (const void *)(DIRECT_BASE + address);
}

static void add_region(uint64_t base, uint64_t end)
{
    const uint64_t limit = 1ull << 32;

    if (end > limit)
        end = limit;
    base = (base + 4095) & ~4095ull;
    end &= ~4095ull;
    if (base >= end || info.regions == BOOT_REGIONS)
        return;
    info.region[info.regions].base = base;
    info.region[info.regions].length = end - base;
    info.regions++;
}

/* Add a free region without the image and without the first MiB, which holds the loader's data. */
static void take_region(uint64_t base, uint64_t end)
{
    const uint64_t image = image_physical;
    const uint64_t past = image + (uint64_t)(image_end - image_start);

    if (base < 0x100000)
        base = 0x100000;
    if (end <= image || base >= past) {
        add_region(base, end);
        return;
    }
    add_region(base, image);
    add_region(past, end);
}

static void take_memory_map(const struct multiboot_info *mb)
{
    const char *at = physical(mb->map_at);
    const char *end = at + mb->map_length;

    while (at + sizeof(struct multiboot_region) <= end) {
        const struct multiboot_region *r = (const void *)at;

        if (r->type == MULTIBOOT_REGION_FREE && r->base < (1ull << 32))
            take_region(r->base, r->base + r->length);
        at += r->size + sizeof r->size;
    }
}

/* GRUB 2 puts a backslash before a quote or a backslash of a word. */
static bool is_escape(const char *at)
{
    return at[0] == '\\' && (at[1] == '\\' || at[1] == '"' || at[1] == '\'');
}

/*
 * The words follow the first blank, because QEMU and GRUB put the image's name before
 * them.  If the first word contains a "=", the loader has passed no name.
 */
static void take_words(const char *line, bool escaped)
{
    const char *blank = line;
    size_t n = 0;

    while (*blank != '\0' && *blank != ' ' && *blank != '=')
        blank++;
    if (*blank != '=')
        line = blank;
    while (*line != '\0' && n < BOOT_WORDS - 1) {
        if (escaped && is_escape(line))
            line++;
        info.words[n++] = *line++;
    }
    info.words[n] = '\0';
    info.words_cut = *line != '\0';
}

/* Copied, because the loader's text may lie in memory that is free. */
static void take_line(struct boot_module *m, const char *line)
{
    size_t n = 0;

    while (line[n] != '\0' && n < BOOT_MODULE_LINE - 1) {
        m->line[n] = line[n];
        n++;
    }
    m->line_cut = line[n] != '\0';
}

/* `own`: the loader is ours, and says what went wrong. */
static void take_modules(const struct multiboot_info *mb, bool own)
{
    const struct multiboot_module *from = physical(mb->modules_at);

    info.modules = mb->modules < BOOT_MODULES ? mb->modules : BOOT_MODULES;
    info.modules_left = mb->modules - info.modules;
    for (uint32_t i = 0; i < info.modules; i++) {
        info.module[i].base = from[i].begin;
        info.module[i].length = from[i].end > from[i].begin ? from[i].end - from[i].begin : 0;
        info.module[i].wrong = own ? from[i].reserved : BOOT_MODULE_WHOLE;
        if (from[i].line != 0)
            take_line(&info.module[i], physical(from[i].line));
    }
}

/* Our own loaders have their own door names: "cpuprobe-rom" is the door "rom".  NULL: a loader of others. */
static const char *own_door(const struct multiboot_info *mb)
{
    static const char own[] = MULTIBOOT_OWN_LOADER;
    const char *name = physical(mb->loader_name);

    return mb->flags & MULTIBOOT_HAS_LOADER_NAME && text_starts_with(name, own) ? name + sizeof own - 1 : NULL;
}

static bool is_grub(const struct multiboot_info *mb)
{
    return mb->flags & MULTIBOOT_HAS_LOADER_NAME && text_starts_with(physical(mb->loader_name), "GRUB ");
}

static void take_door(const char *door)
{
    for (size_t i = 0; i < sizeof info.door - 1 && door[i] != '\0'; i++)
        info.door[i] = door[i];
    info.has_vga_text = !text_starts_with(door, "rom"); /* without firmware, nothing has set a text mode */
}

/*
 * Called by boot/multiboot.asm at the linked address, once, interrupts off.
 * `magic` is what the loader left in EAX, `address` in EBX.
 */
struct boot_info *multiboot_fill(uint32_t magic, uint32_t address)
{
    const struct multiboot_info *mb = physical(address);
    const char *door;

    info.magic = BOOT_INFO_MAGIC;
    info.image = image_physical;
    if (magic != MULTIBOOT_LOADER) {
        take_door("multiboot");
        return &info;
    }
    door = own_door(mb);
    take_door(door != NULL ? door : "multiboot");
    if (mb->flags & MULTIBOOT_HAS_COMMAND_LINE)
        take_words(physical(mb->command_line), is_grub(mb));
    if (mb->flags & MULTIBOOT_HAS_MEMORY_MAP)
        take_memory_map(mb);
    if (mb->flags & MULTIBOOT_HAS_MODULES)
        take_modules(mb, door != NULL);
    return &info;
}
