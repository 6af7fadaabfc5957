/* SPDX-License-Identifier: MIT */
/*
 * The C part of the Linux door: converts what a loader of Linux leaves, the "zero page", to a struct boot_info.  The
 * Linux/x86 Boot Protocol 2.15, sections "The Real-Mode Kernel Header" and "The zero page".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/loader_info.h"
#include "boot/text.h"

#define LINUX_WORDS      2048 /* longest command line that is looked at, its end included */

#define LINUX_VIDEO_TEXT 0x01 /* a VGA in text mode, as loaders write it */
#define LINUX_VIDEO_VGAC 0x22 /* the same, as Linux writes it */
#define LINUX_E820_MOST  128
#define LINUX_E820_FREE  1

/* The zero page: the fields that are used. */
struct linux_region {
    uint64_t base, length;
    uint32_t type;
} __attribute__((packed));

struct linux_parameters {
    uint8_t screen_a[0x0f], video;
    uint8_t a[0x70 - 0x10];
    uint64_t rsdp;
    uint8_t b[0xc0 - 0x78];
    uint32_t initrd_high, initrd_size_high, line_high;
    uint8_t c[0x1e8 - 0xcc], regions;
    uint8_t d[0x218 - 0x1e9];
    uint32_t initrd, initrd_size;
    uint8_t e[0x228 - 0x220];
    uint32_t line;
    uint8_t f[0x2d0 - 0x22c];
    struct linux_region region[LINUX_E820_MOST];
} __attribute__((packed));

_Static_assert(offsetof(struct linux_parameters, rsdp) == 0x70, "as the protocol draws it");
_Static_assert(offsetof(struct linux_parameters, line_high) == 0xc8, "as the protocol draws it");
_Static_assert(offsetof(struct linux_parameters, initrd) == 0x218, "as the protocol draws it");
_Static_assert(offsetof(struct linux_parameters, region) == 0x2d0, "as the protocol draws it");

#define RSDP "acpi_rsdp=" /* kexec tells it so where the zero page has no field for it */

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
