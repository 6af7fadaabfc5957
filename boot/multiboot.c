/* SPDX-License-Identifier: MIT */
/*
 * The C part of the multiboot 1 door: converts the loader's information to a struct
 * boot_info.  Our own loaders, in flash and on disk, use this door too.
 * Multiboot Specification 0.6.96, section 3.3.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/loader_info.h"
#include "boot/multiboot.h"
#include "boot/text.h"
#include "kernel/boot_info.h"

/* Those entries that are free, or those that are not.  An entry too short to be one ends the map. */
static void take_regions(const struct multiboot_info *mb, bool free)
{
    const char *at = loader_memory(mb->map_at);
    const char *end = at + mb->map_length;

    while (at + sizeof(struct multiboot_region) <= end) {
        const struct multiboot_region *r = (const void *)at;

        if (r->size < sizeof *r - sizeof r->size)
            return;
        if ((r->type == MULTIBOOT_REGION_FREE) == free)
            loader_info_region(r->base, r->length, free);
        at += r->size + sizeof r->size;
    }
}

static void take_memory_map(const struct multiboot_info *mb)
{
    take_regions(mb, true);
    take_regions(mb, false);
    loader_info_close_map();
}

/*
 * The words follow the first blank, because QEMU and GRUB put the image's name before
 * them.  If the first word contains a "=", the loader has passed no name.
 */
static const char *after_name(const char *line)
{
    const char *blank = line;

    while (*blank != '\0' && *blank != ' ' && *blank != '=')
        blank++;
    return *blank == '=' ? line : blank;
}

/* `own`: the loader is ours, and says what went wrong. */
static void take_modules(struct boot_info *info, const struct multiboot_info *mb, bool own)
{
    const struct multiboot_module *from = loader_memory(mb->modules_at);

    info->modules = mb->modules < BOOT_MODULES ? mb->modules : BOOT_MODULES;
    info->modules_left = mb->modules - info->modules;
    for (uint32_t i = 0; i < info->modules; i++) {
        info->module[i].base = from[i].begin;
        info->module[i].length = from[i].end > from[i].begin ? from[i].end - from[i].begin : 0;
        info->module[i].wrong = own ? from[i].reserved : BOOT_MODULE_WHOLE;
        if (from[i].line != 0)
            loader_info_module_line(&info->module[i], loader_memory(from[i].line));
    }
}

/* Our own loaders have their own door names: "cpuprobe-rom" is the door "rom".  NULL: a loader of others. */
static const char *own_door(const struct multiboot_info *mb)
{
    static const char own[] = MULTIBOOT_OWN_LOADER;
    const char *name = loader_memory(mb->loader_name);

    return mb->flags & MULTIBOOT_HAS_LOADER_NAME && text_starts_with(name, own) ? name + sizeof own - 1 : NULL;
}

static bool is_grub(const struct multiboot_info *mb)
{
    return mb->flags & MULTIBOOT_HAS_LOADER_NAME && text_starts_with(loader_memory(mb->loader_name), "GRUB ");
}

static struct framebuffer_colour colour(const struct multiboot_info *mb, unsigned number)
{
    return (struct framebuffer_colour){ mb->framebuffer_colour[number].shift, mb->framebuffer_colour[number].bits };
}

/* A loader that tells of the screen has left it in that mode; one that does not has left the firmware's text. */
static void take_screen(struct boot_info *info, const struct multiboot_info *mb)
{
    info->has_vga_text = mb->framebuffer_type == MULTIBOOT_TEXT;
    if (mb->framebuffer_type != MULTIBOOT_RGB)
        return;
    info->framebuffer = (struct framebuffer_layout){
        .base = mb->framebuffer, .width = mb->framebuffer_width, .height = mb->framebuffer_height,
        .pitch = mb->framebuffer_pitch, .bits = mb->framebuffer_bits,
        .red = colour(mb, 0), .green = colour(mb, 1), .blue = colour(mb, 2),
    };
}

/*
 * Called by boot/multiboot.asm at the linked address, once, interrupts off.
 * `magic` is what the loader left in EAX, `address` in EBX.
 */
struct boot_info *multiboot_fill(uint32_t magic, uint32_t address)
{
    const struct multiboot_info *mb = loader_memory(address);
    struct boot_info *info = loader_info();
    const char *own = NULL;

    if (magic == MULTIBOOT_LOADER)
        own = own_door(mb);
    loader_info_door(own != NULL ? own : "multiboot");
    /* without firmware, nothing has set a text mode */
    info->has_vga_text = own == NULL || !text_starts_with(own, "rom");
    if (magic != MULTIBOOT_LOADER)
        return info;
    if (mb->flags & MULTIBOOT_HAS_COMMAND_LINE)
        loader_info_words(after_name(loader_memory(mb->command_line)), is_grub(mb));
    if (mb->flags & MULTIBOOT_HAS_MEMORY_MAP)
        take_memory_map(mb);
    if (mb->flags & MULTIBOOT_HAS_MODULES)
        take_modules(info, mb, own != NULL);
    if (mb->flags & MULTIBOOT_HAS_FRAMEBUFFER)
        take_screen(info, mb);
    return info;
}
