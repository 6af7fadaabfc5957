/* SPDX-License-Identifier: MIT */
/* The C part of the Linux door: converts the zero page to a struct boot_info (boot/linux.h has the source). */
#include "boot/linux.h"

#include <stdbool.h>

#include "boot/loader_info.h"
#include "boot/text.h"

#define RSDP     "acpi_rsdp=" /* kexec tells it so where the zero page has no field for it */

static void take_regions(const struct linux_parameters *p, bool free)
{
    const unsigned regions = p->regions < LINUX_E820_MOST ? p->regions : LINUX_E820_MOST;

    for (unsigned i = 0; i < regions; i++)
        if ((p->region[i].type == LINUX_E820_FREE) == free)
            loader_info_region(p->region[i].base, p->region[i].length, free);
}

static void take_map(const struct linux_parameters *p)
{
    take_regions(p, true);
    take_regions(p, false);
    loader_info_close_map();
}

static uint64_t hexadecimal(const char *digits)
{
    uint64_t value = 0;

    if (text_starts_with(digits, "0x"))
        digits += 2;
    for (; *digits > ' '; digits++) {
        const char c = *digits | 0x20;

        value = value << 4 | (uint64_t)(c <= '9' ? c & 15 : c - 'a' + 10);
    }
    return value;
}

/* Words that loaders add for Linux. */
static bool is_loaders(const char *word)
{
    return text_starts_with(word, "BOOT_IMAGE=") || text_starts_with(word, "initrd=") || text_starts_with(word, RSDP);
}

/* The command line without those, which may be anywhere in it but not within quotes. */
static void take_words(struct boot_info *info, const char *line)
{
    static char words[LINUX_WORDS];
    unsigned n = 0;
    const bool grub = text_starts_with(line, "BOOT_IMAGE=");
    bool begins = true, quoted = false;

    while (*line != '\0' && n < sizeof words - 1) {
        if (begins && !quoted && is_loaders(line)) {
            if (text_starts_with(line, RSDP))
                info->rsdp = hexadecimal(line + sizeof RSDP - 1);
            while (*line != '\0' && *line != ' ')
                line++;
            continue;
        }
        begins = *line == ' ';
        if (*line == '\\' && n < sizeof words - 2)
            words[n++] = *line++;
        else
            quoted ^= *line == '"';
        if (*line != '\0')
            words[n++] = *line++;
    }
    words[n] = '\0';
    loader_info_words(words, grub);
}

/* One file, which a loader calls the initial RAM disk: tasks=file:initrd runs it. */
static void take_file(struct boot_info *info, const struct linux_parameters *p)
{
    struct boot_module *const m = &info->module[0];

    m->base = (uint64_t)p->initrd_high << 32 | p->initrd;
    m->length = (uint64_t)p->initrd_size_high << 32 | p->initrd_size;
    if (m->length == 0)
        return;
    info->modules = 1;
    loader_info_module_line(m, "initrd");
}

/*
 * Called by boot/linux.asm or boot/multiboot.asm at the linked address, once, interrupts off.  `address`: of the zero
 * page; it and the command line are below 4 GiB.
 */
struct boot_info *linux_fill(uint32_t address)
{
    const struct linux_parameters *p = loader_memory(address);
    struct boot_info *info = loader_info();

    loader_info_door("linux");
    info->rsdp = p->rsdp;
    info->has_vga_text = p->video == LINUX_VIDEO_TEXT || p->video == LINUX_VIDEO_VGAC;
    if (p->line != 0)
        take_words(info, loader_memory(p->line));
    take_map(p);
    take_file(info, p);
    return info;
}
