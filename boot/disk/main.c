/* SPDX-License-Identifier: MIT */
/*
 * The disk door under a BIOS: finds the EFI system partition, reads from it the
 * files that the UEFI door uses too (cpuprobe.cfg, those for tasks, and the application that contains
 * the core), and enters the core by the multiboot protocol.  ACPI
 * specification 6.5, section 15.1 (int 15h, E820h); EDD specification 1.1 (int 13h).
 */
#include "boot/config.h"
#include "boot/disk/bios.h"
#include "boot/disk/fat16.h"
#include "boot/disk/task_files.h"
#include "boot/multiboot.h"
#include "boot/task_files.h"
#include "drivers/io.h"
#include "kernel/boot_info.h"
#include "uart/uart16550.h"

#define COM1_DIVISOR 1 /* 115200 */
#define DEBUG_EXIT   0xf4 /* QEMU's isa-debug-exit; on a board no device answers */
#define EXIT_FAILURE 0x11

#define INT_VIDEO    0x10
#define TELETYPE     0x0e07 /* on page 0 */
#define INT_DISK     0x13
#define DISK_READ    0x4200 /* extended read, with a packet */
#define INT_SYSTEM   0x15
#define SYSTEM_A20   0x2401
#define SYSTEM_E820  0xe820
#define SMAP         0x534d4150u /* "SMAP" */
#define SYSTEM_CONTROL     0x92 /* port */
#define SYSTEM_CONTROL_A20 0x02
#define SYSTEM_CONTROL_RESET 0x01
#define A20_TRIES    1000

#define PARTITIONS      4
#define PARTITION_TABLE 446
#define PARTITION_BYTES 16
#define PARTITION_TYPE  4
#define PARTITION_FIRST 8
#define TYPE_ESP        0xef

#define BOUNCE         ((uint8_t *)0x20000) /* a BIOS can reach it; aligned to 64 KiB for its DMA */
#define BOUNCE_SECTORS 64u

#define CORE_AT   0x100000u
#define FILE_AT   0x900000u /* after the 8 MiB that a core may need */
#define FILE_ROOM 0x600000u /* up to 15 MiB, where some boards have a hole */
#define CORE_STEP 4u        /* alignment of a multiboot header */
#define REGIONS   64

struct packet {
    uint8_t bytes, zero;
    uint16_t count, offset, segment;
    uint64_t first;
};

static const struct uart com1 = { .base = 0x3f8 };

static uint32_t drive;
static struct packet packet;
static struct fat16 volume;
static char config[CONFIG_SIZE + FAT16_SECTOR];
static char words[BOOT_WORDS + sizeof MULTIBOOT_OWN_LOADER]; /* the image's name, then the words */
static struct multiboot_region region[REGIONS];
static struct multiboot_info info;

extern char bss_start[], bss_end[];

static void put(char c)
{
    bios_registers = (struct bios_registers){ .eax = (TELETYPE & 0xff00) | (uint8_t)c, .ebx = TELETYPE & 0xff };
    bios_call(INT_VIDEO);
    uart_send(&com1, (uint8_t)c);
}

static void say(const char *text)
{
    while (*text != '\0')
        put(*text++);
}

/* Print the error message on the screen and on COM1, and stop: no later code can print it. */
static _Noreturn void fail(const char *sentence)
{
    uart_init(&com1, COM1_DIVISOR);
    say("cpuprobe: error: ");
    say(sentence);
    say("\r\n");
    outb(DEBUG_EXIT, EXIT_FAILURE);
    for (;;)
        __asm__ volatile("hlt");
}

/* ---- Disk ---- */

static bool read_bounce(uint32_t first, uint32_t count)
{
    packet = (struct packet){ .bytes = sizeof packet, .count = (uint16_t)count,
                              .segment = (uint16_t)((uint32_t)BOUNCE >> 4), .first = first };
    bios_registers = (struct bios_registers){ .eax = DISK_READ, .edx = drive, .esi = (uint32_t)&packet };
    bios_call(INT_DISK);
    return !(bios_registers.flags & BIOS_CARRY);
}

static bool read_disk(void *to, uint32_t first, uint32_t count)
{
    uint32_t *out = to;

    while (count > 0) {
        const uint32_t *in = (const uint32_t *)BOUNCE;
        uint32_t part = count < BOUNCE_SECTORS ? count : BOUNCE_SECTORS;

        if (!read_bounce(first, part))
            return false;
        for (uint32_t i = 0; i < part * FAT16_SECTOR / sizeof *out; i++)
            *out++ = in[i];
        first += part;
        count -= part;
    }
    return true;
}

static void mount(void)
{
    static uint8_t table[FAT16_SECTOR];

    if (!read_disk(table, 0, 1))
        fail("the first sector of the disk cannot be read");
    for (int i = 0; i < PARTITIONS; i++) {
        const uint8_t *p = table + PARTITION_TABLE + i * PARTITION_BYTES;

        if (p[PARTITION_TYPE] == TYPE_ESP) {
            const uint8_t *f = p + PARTITION_FIRST;

            if (!fat16_mount(&volume, read_disk,
                             f[0] | (uint32_t)f[1] << 8 | (uint32_t)f[2] << 16 | (uint32_t)f[3] << 24))
                fail("the EFI system partition holds no FAT16 file system");
            return;
        }
    }
    fail("the disk has no EFI system partition");
}

/* ---- Words ---- */

/* Find cpuprobe.cfg, or cpuprobe.cfg.txt, which an editor may have made, by its usual short name. */
static enum fat16_answer find_config(struct fat16_file *file)
{
    struct fat16_file other;
    const enum fat16_answer answer = fat16_find(&volume, "CPUPROBE.CFG", file);
    const enum fat16_answer long_named = fat16_find(&volume, "CPUPRO~1.TXT", &other);

    if (answer == FAT16_OK && long_named == FAT16_OK)
        fail(CONFIG_SAYS_BOTH);
    if (answer != FAT16_ABSENT)
        return answer;
    *file = other;
    return long_named;
}

static void read_words(void)
{
    struct config_line line = { .text = words, .room = sizeof words };
    struct fat16_file file;
    const enum fat16_answer answer = find_config(&file);
    const char *text;

    config_add(&line, MULTIBOOT_OWN_LOADER);
    if (answer == FAT16_ABSENT)
        return;
    if (answer != FAT16_OK || file.bytes >= CONFIG_SIZE || !fat16_read(&volume, &file, config))
        fail(CONFIG_SAYS_LONG);
    if (config_text(config, file.bytes, &text) != CONFIG_TEXT)
        fail(CONFIG_SAYS_UTF16);
    if (!config_add(&line, text))
        fail(CONFIG_SAYS_WORDS);
}

/* ---- Memory ---- */

static void read_map(void)
{
    uint32_t next = 0, count = 0;

    do {
        struct multiboot_region *r = &region[count];

        r->size = sizeof *r - sizeof r->size;
        bios_registers = (struct bios_registers){ .eax = SYSTEM_E820, .ebx = next, .ecx = r->size,
                                                  .edx = SMAP, .edi = (uint32_t)&r->base };
        bios_call(INT_SYSTEM);
        if (bios_registers.flags & BIOS_CARRY || bios_registers.eax != SMAP)
            break;
        next = bios_registers.ebx;
        count++;
    } while (next != 0 && count < REGIONS);
    info.map_length = count * sizeof *region;
    info.map_at = (uint32_t)region;
}

static bool is_memory(uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < info.map_length / sizeof *region; i++)
        if (region[i].type == MULTIBOOT_REGION_FREE && region[i].base <= from &&
            region[i].base + region[i].length >= to)
            return true;
    return false;
}

/* Whether address line 20 is on: then a word and the word 1 MiB above it are different memory. */
static bool a20_is_on(void)
{
    volatile uint32_t *low = &bios_registers.edi;
    volatile uint32_t *high = (volatile uint32_t *)((uint32_t)low + CORE_AT);

    for (uint32_t i = 0; i < A20_TRIES; i++) {
        *low = i;
        *high = ~i;
        if (*low == i)
            return true;
    }
    return false;
}

static void open_a20(void)
{
    if (a20_is_on())
        return;
    bios_registers = (struct bios_registers){ .eax = SYSTEM_A20 };
    bios_call(INT_SYSTEM);
    if (a20_is_on())
        return;
    outb(SYSTEM_CONTROL, (inb(SYSTEM_CONTROL) | SYSTEM_CONTROL_A20) & ~SYSTEM_CONTROL_RESET);
    if (!a20_is_on())
        fail("address line 20 cannot be switched on: half of the memory is out of reach");
}

/* ---- Core ---- */

static bool is_core(const struct multiboot_header *h, uint32_t room)
{
    return h->magic == MULTIBOOT_MAGIC && h->magic + h->flags + h->checksum == 0 &&
           h->header_at == CORE_AT + MULTIBOOT_HEADER_OFFSET && h->load == CORE_AT && h->load_end > CORE_AT &&
           h->load_end - CORE_AT <= room && h->bss_end >= h->load_end && h->bss_end <= FILE_AT &&
           h->entry >= CORE_AT && h->entry < h->load_end;
}

static void enter(const struct multiboot_header *h)
{
    const uint32_t *in = (const uint32_t *)((uint32_t)h - MULTIBOOT_HEADER_OFFSET);
    uint32_t *out = (uint32_t *)CORE_AT, *data_end = (uint32_t *)h->load_end, *end = (uint32_t *)h->bss_end;
    uint32_t entry = h->entry;

    while (out < data_end)
        *out++ = *in++;
    while (out < end)
        *out++ = 0;
    info.flags |= MULTIBOOT_HAS_COMMAND_LINE | MULTIBOOT_HAS_MEMORY_MAP | MULTIBOOT_HAS_LOADER_NAME;
    info.command_line = (uint32_t)words;
    info.loader_name = (uint32_t)(MULTIBOOT_OWN_LOADER "disk");
    __asm__ volatile("jmp *%0" : : "r"(entry), "a"(MULTIBOOT_LOADER), "b"(&info) : "memory");
    __builtin_unreachable();
}

static void load(void)
{
    struct fat16_file file;

    if (fat16_find(&volume, "EFI/BOOT/BOOTX64.EFI", &file) != FAT16_OK)
        fail("EFI/BOOT/BOOTX64.EFI is not on the disk");
    if (file.bytes > FILE_ROOM || !is_memory(CORE_AT, FILE_AT + FILE_ROOM))
        fail("there is no room between 1 and 15 MiB to load EFI/BOOT/BOOTX64.EFI");
    if (!fat16_read(&volume, &file, (void *)FILE_AT))
        fail("EFI/BOOT/BOOTX64.EFI cannot be read");
    for (uint32_t at = MULTIBOOT_HEADER_OFFSET; at + sizeof(struct multiboot_header) <= file.bytes; at += CORE_STEP) {
        const struct multiboot_header *h = (const void *)(FILE_AT + at);

        if (is_core(h, file.bytes - at + MULTIBOOT_HEADER_OFFSET))
            enter(h);
    }
    fail("EFI/BOOT/BOOTX64.EFI is not cpuprobe's");
}

/* Called by boot/disk/start.asm, once, interrupts off, in flat 32-bit mode. */
_Noreturn void disk_main(uint32_t booted_from)
{
    for (char *at = bss_start; at < bss_end; at++)
        *at = 0;
    drive = booted_from;
    read_map();
    open_a20();
    mount();
    read_words();
    if (task_files_wanted(words))
        task_files_read(&volume, &info);
    load();
    __builtin_unreachable();
}
