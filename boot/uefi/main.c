/* SPDX-License-Identifier: MIT */
/*
 * The UEFI door: an application that reads the configuration words and the files that they name, places the core
 * below 4 GiB, ends the boot services and jumps to the core.  UEFI specification 2.10, chapters 4
 * (system table), 7 (memory services, ExitBootServices), 9 (loaded image), 13
 * (files).  All of it runs in the firmware's context, identity-mapped.
 */
#include <efi.h>
#include <efilib.h>
#include <stdbool.h>

#include "boot/config.h"
#include "boot/memory_map.h"
#include "boot/task_files.h"
#include "boot/uefi/graphics.h"
#include "boot/uefi/volume.h"
#include "kernel/boot_info.h"
#include "uart/uart16550.h"

static const struct uart com1 = { .base = 0x3f8 };
#define FIRMWARES_DIVISOR 96u /* of COM1: the firmware's is not known; that of 1200 bit/s bounds the wait */
#define FOUR_GIB    0x100000000u
#define CORE_ALIGN  0x200000u
#define MAP_SIZE    65536 /* room for some 1300 descriptors of the memory map */
#define READ_TIME   3000000 /* us that a message stays on the screen */
#define EXIT_TRIES  4

/* Labels of core.asm, not pointers. */
extern const uint8_t core_image[], core_image_end[];

/* Set once, by efi_main, before anything else runs. */
static EFI_SYSTEM_TABLE *st;
static EFI_BOOT_SERVICES *bs;

/* Too large for the firmware's stack; used before the boot services end. */
static char config[CONFIG_SIZE];

static void say(CHAR16 *sentence)
{
    if (st->ConOut == NULL)
        return;
    st->ConOut->OutputString(st->ConOut, L"cpuprobe: ");
    st->ConOut->OutputString(st->ConOut, sentence);
    st->ConOut->OutputString(st->ConOut, L"\r\n");
}

static void send(CHAR16 *text)
{
    while (*text != 0 && uart_send(&com1, (uint8_t)*text))
        text++;
}

/*
 * The firmware's console need not be on the serial line: what ends the image is sent there too, at the rate that the
 * firmware has set.
 */
static void say_on_line(CHAR16 *sentence)
{
    if (!uart_present(&com1, FIRMWARES_DIVISOR))
        return;
    send(L"\r\ncpuprobe: ");
    send(sentence);
    send(L"\r\n");
}

/* Tell why the image cannot start, and leave time to read it on a screen. */
static EFI_STATUS fail(CHAR16 *sentence)
{
    say(sentence);
    say_on_line(sentence);
    bs->Stall(READ_TIME);
    return EFI_LOAD_ERROR;
}

/* ---- Words ---- */

/* The load options without the program's name, which a shell puts first. */
static const char *after_own_name(const char *options)
{
    const char *p = options;

    while (*p != '\0' && !config_is_blank(*p))
        p++;
    if (p - options < 4 || p[-4] != '.' || (p[-3] | 0x20) != 'e' || (p[-2] | 0x20) != 'f' ||
        (p[-1] | 0x20) != 'i')
        return options;
    return p;
}

/*
 * Copy the load options to `text` if they are words.  Firmware may pass binary data of
 * its own instead: only printable characters with a '=' among them are accepted.
 */
static bool read_options(const EFI_LOADED_IMAGE *self, char *text, unsigned size)
{
    const CHAR16 *options = self->LoadOptions;
    unsigned count = self->LoadOptionsSize / sizeof *options, i;
    bool equals = false;

    if (options == NULL)
        return false;
    for (i = 0; i < count && options[i] != 0; i++) {
        if (i + 1 >= size || options[i] >= 0x7f || (options[i] < ' ' && !config_is_blank((char)options[i])))
            return false;
        equals = equals || options[i] == '=';
        text[i] = (char)options[i];
    }
    text[i] = '\0';
    return equals;
}

/* Fill info->words; NULL, or an error message. */
static CHAR16 *gather_words(const EFI_LOADED_IMAGE *self, EFI_FILE_PROTOCOL *root, struct boot_info *info)
{
    static char options[BOOT_WORDS * 2];
    struct config_line line = { .text = info->words, .room = BOOT_WORDS };
    const char *text;
    CHAR16 *const wrong = volume_read_config(root, config, sizeof config, &text);

    if (wrong != NULL)
        return wrong;
    /* Later words override earlier ones: the options of this boot come after the file. */
    if (!config_add(&line, text) ||
        (read_options(self, options, sizeof options) &&
         !config_add(&line, after_own_name(options))))
        return L"error: " WIDE(CONFIG_SAYS_WORDS);
    return NULL;
}

/* What the volume has for this run: words, and files; NULL, or an error message. */
static CHAR16 *gather(EFI_HANDLE image, struct boot_info *info)
{
    EFI_FILE_PROTOCOL *root;
    EFI_LOADED_IMAGE *self;
    CHAR16 *wrong;

    if (bs->HandleProtocol(image, &LoadedImageProtocol, (void **)&self) != EFI_SUCCESS)
        return L"error: the firmware does not say where the image was loaded from";
    root = volume_open(bs, self);
    wrong = gather_words(self, root, info);
    if (wrong == NULL && root != NULL && task_files_wanted(info->words))
        task_files_read(bs, root, info);
    if (root != NULL)
        root->Close(root);
    return wrong;
}

/* ---- Machine ---- */

static bool same_guid(const EFI_GUID *a, const EFI_GUID *b)
{
    const uint64_t *x = (const uint64_t *)a, *y = (const uint64_t *)b;

    return x[0] == y[0] && x[1] == y[1];
}

static uint64_t find_rsdp(void)
{
    static const EFI_GUID acpi1 = ACPI_TABLE_GUID, acpi2 = ACPI_20_TABLE_GUID;
    uint64_t rsdp = 0;

    for (UINTN i = 0; i < st->NumberOfTableEntries; i++) {
        const EFI_CONFIGURATION_TABLE *table = &st->ConfigurationTable[i];

        if (same_guid(&table->VendorGuid, &acpi2))
            return (uint64_t)table->VendorTable;
        if (same_guid(&table->VendorGuid, &acpi1))
            rsdp = (uint64_t)table->VendorTable;
    }
    return rsdp;
}

/* Zeroed pages below 4 GiB, or NULL. */
static void *take_pages(EFI_MEMORY_TYPE type, uint64_t bytes)
{
    EFI_PHYSICAL_ADDRESS address = FOUR_GIB - 1;

    if (bs->AllocatePages(AllocateMaxAddress, type, EFI_SIZE_TO_PAGES(bytes), &address) != EFI_SUCCESS)
        return NULL;
    bs->SetMem((void *)address, bytes, 0);
    return (void *)address;
}

/*
 * Place the core; NULL if there is no room.  In pages of type code, because firmware may
 * forbid execution in data pages until the core uses its own page tables.
 */
static uint8_t *place_core(const struct core_head *head)
{
    uint64_t room = (uint64_t)take_pages(EfiLoaderCode, (uint64_t)head->memory + CORE_ALIGN);
    uint8_t *core = (uint8_t *)((room + CORE_ALIGN - 1) & ~(uint64_t)(CORE_ALIGN - 1));

    if (room == 0)
        return NULL;
    bs->CopyMem(core, (void *)core_image, head->bytes);
    return core;
}

/* ---- Memory map ---- */

/* The firmware's own code and data are free once its boot services have ended. */
static bool is_free(UINT32 type)
{
    return type == EfiConventionalMemory || type == EfiBootServicesCode || type == EfiBootServicesData;
}

/* Those descriptors whose memory is free, or those whose memory is not. */
static void take_regions(struct boot_info *info, const uint8_t *map, UINTN size, UINTN step, bool free)
{
    for (UINTN at = 0; at + step <= size; at += step) {
        const EFI_MEMORY_DESCRIPTOR *d = (const EFI_MEMORY_DESCRIPTOR *)(map + at);
        const uint64_t length = d->NumberOfPages < UINT64_MAX / EFI_PAGE_SIZE ? d->NumberOfPages * EFI_PAGE_SIZE
                                                                              : UINT64_MAX;

        if (is_free(d->Type) != free)
            continue;
        if (free)
            memory_map_free(info, d->PhysicalStart, length);
        else
            memory_map_reserve(info, d->PhysicalStart, length);
    }
}

static void read_map(struct boot_info *info, const uint8_t *map, UINTN size, UINTN step)
{
    if (step < sizeof(EFI_MEMORY_DESCRIPTOR))
        return;
    take_regions(info, map, size, step, true);
    take_regions(info, map, size, step, false);
}

/*
 * End the boot services.  A timer event between the map and the call invalidates the
 * map's key, so both are tried a few times; nothing else may be called in between.
 */
static bool end_services(EFI_HANDLE image, struct boot_info *info, uint8_t *map)
{
    for (int i = 0; i < EXIT_TRIES; i++) {
        UINTN size = MAP_SIZE, key, step;
        UINT32 version;

        if (bs->GetMemoryMap(&size, (EFI_MEMORY_DESCRIPTOR *)map, &key, &step, &version) != EFI_SUCCESS)
            return false;
        if (bs->ExitBootServices(image, key) == EFI_SUCCESS) {
            read_map(info, map, size, step);
            return true;
        }
    }
    return false;
}

/* The core's tables have four levels, and CR4.LA57 cannot be cleared in long mode. */
static BOOLEAN has_five_levels(void)
{
    UINT64 cr4;

    __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
    return cr4 >> 12 & 1;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
    static const char door[] = "uefi";
    const struct core_head *head = (const struct core_head *)(core_image + CORE_HEAD_OFFSET);
    struct boot_info *info;
    uint8_t *core, *map;
    CHAR16 *wrong;

    st = table;
    bs = table->BootServices;
    if (head->magic != CORE_HEAD_MAGIC || head->bytes != core_image_end - core_image)
        return fail(L"error: the core image inside this file is damaged");
    info = take_pages(EfiLoaderData, sizeof *info);
    map = take_pages(EfiLoaderData, MAP_SIZE);
    core = place_core(head);
    if (info == NULL || map == NULL || core == NULL)
        return fail(L"error: no free memory below 4 GiB for the image");

    wrong = gather(image, info);
    if (wrong != NULL)
        return fail(wrong);
    bs->CopyMem(info->door, (void *)door, sizeof door);
    info->magic = BOOT_INFO_MAGIC;
    info->image = (uint64_t)core;
    info->rsdp = find_rsdp();
    graphics_find(bs, &info->framebuffer);
    if (!uart_present(&com1, FIRMWARES_DIVISOR))
        say(L"no UART answers at COM1 (port 3F8): nothing will come by that serial line");

    if (has_five_levels())
        return fail(L"error: the firmware runs with 5-level paging; switch that off in its setup");
    if (!end_services(image, info, map))
        return fail(L"error: the firmware does not end its boot services");
    __asm__ volatile("cli");
    ((void (*)(struct boot_info *))(core + head->entry64))(info);
    __builtin_unreachable();
}
