/* SPDX-License-Identifier: MIT */
/*
 * The multiboot 1 protocol for C: the loader's side and the image's.  Multiboot
 * Specification 0.6.96, sections 3.1 to 3.3; boot/multiboot.inc is the same for
 * the assembler.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define MULTIBOOT_MAGIC  0x1badb002u
#define MULTIBOOT_LOADER 0x2badb002u /* what the loader leaves in EAX */
#define MULTIBOOT_HEADER_OFFSET 0x10 /* of our image's header, behind Linux's 32-bit entry */

struct multiboot_header {
    uint32_t magic, flags, checksum; /* their sum is 0 */
    uint32_t header_at, load, load_end, bss_end, entry;
};

#define MULTIBOOT_HAS_COMMAND_LINE (1u << 2)
#define MULTIBOOT_HAS_MODULES      (1u << 3)
#define MULTIBOOT_HAS_MEMORY_MAP   (1u << 6)
#define MULTIBOOT_HAS_LOADER_NAME  (1u << 9)
#define MULTIBOOT_HAS_FRAMEBUFFER  (1u << 12)

struct multiboot_info { /* the part that is used */
    uint32_t flags, memory[2], boot_device, command_line;
    uint32_t modules, modules_at, symbols[4], map_length, map_at;
    uint32_t drives[2], config_table, loader_name, apm, vbe[4];
    uint64_t framebuffer;
    uint32_t framebuffer_pitch, framebuffer_width, framebuffer_height;
    uint8_t framebuffer_bits, framebuffer_type;
    struct { uint8_t shift, bits; } framebuffer_colour[3]; /* red, green, blue; of MULTIBOOT_RGB alone */
} __attribute__((packed));

enum multiboot_framebuffer { MULTIBOOT_INDEXED, MULTIBOOT_RGB, MULTIBOOT_TEXT };

struct multiboot_module {
    uint32_t begin, end, line;
    uint32_t reserved; /* 0; of our own loaders enum boot_module_wrong, with the length as `end` where `begin` is 0 */
};

#define MULTIBOOT_REGION_FREE 1

struct multiboot_region {
    uint32_t size; /* of the fields that follow */
    uint64_t base, length;
    uint32_t type;
} __attribute__((packed));

/* The loader name of our own loaders: this prefix, then the name of the door. */
#define MULTIBOOT_OWN_LOADER "cpuprobe-"

_Static_assert(offsetof(struct multiboot_info, loader_name) == 64, "as the specification draws it");
_Static_assert(offsetof(struct multiboot_info, framebuffer_colour) == 110, "as the specification draws it");
_Static_assert(sizeof(struct multiboot_region) == 24, "as the specification draws it");
