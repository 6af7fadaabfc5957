/* SPDX-License-Identifier: MIT */
/*
 * Reads the volume of the UEFI application by the firmware's file system: cpuprobe.cfg, and the files of one folder.
 * Names, lengths and what is read come from outside: each file is taken as a whole or listed with what went wrong.
 * UEFI specification 2.10, sections 7.2 and 13.5.
 */
#include "boot/uefi/volume.h"

#include <stdbool.h>

#include "boot/config.h"
#include "boot/task_files.h"

#define FOUR_GIB    0x100000000u
#define CHUNK       0x100000u /* bytes of a call: some firmware fails at more */
#define ENTRIES_MAX 65536 /* of a folder of FAT: a list that never ends is ended there */

EFI_FILE_PROTOCOL *volume_open(EFI_BOOT_SERVICES *bs, const EFI_LOADED_IMAGE *self)
{
    EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *volume;
    EFI_FILE_PROTOCOL *root;

    if (bs->HandleProtocol(self->DeviceHandle, &FileSystemProtocol, (void **)&volume) != EFI_SUCCESS ||
        volume->OpenVolume(volume, &root) != EFI_SUCCESS)
        return NULL;
    return root;
}

/* Open this file; *file is NULL where it does not exist.  False where that is unknown. */
static bool open_config(EFI_FILE_PROTOCOL *root, CHAR16 *name, EFI_FILE_PROTOCOL **file)
{
    const EFI_STATUS status = root->Open(root, file, name, EFI_FILE_MODE_READ, 0);

    if (status != EFI_SUCCESS)
        *file = NULL;
    return status == EFI_SUCCESS || status == EFI_NOT_FOUND;
}

/*
 * Find the file of words; some editors append .txt to its name.  *file is NULL where there is none.
 * NULL, or an error message.
 */
static CHAR16 *find_config(EFI_FILE_PROTOCOL *root, EFI_FILE_PROTOCOL **file)
{
    EFI_FILE_PROTOCOL *other;

    if (!open_config(root, L"\\cpuprobe.cfg", file) || !open_config(root, L"\\cpuprobe.cfg.txt", &other))
        return L"error: " WIDE(CONFIG_SAYS_LONG);
    if (other == NULL)
        return NULL;
    if (*file != NULL)
        return L"error: " WIDE(CONFIG_SAYS_BOTH);
    *file = other;
    return NULL;
}

CHAR16 *volume_read_config(EFI_FILE_PROTOCOL *root, char *room, unsigned size, const char **text)
{
    EFI_FILE_PROTOCOL *file;
    UINTN bytes = size;
    EFI_STATUS status;
    CHAR16 *wrong;

    *text = "";
    if (root == NULL)
        return NULL;
    wrong = find_config(root, &file);
    if (wrong != NULL || file == NULL)
        return wrong;
    status = file->Read(file, &bytes, room);
    file->Close(file);
    if (status != EFI_SUCCESS || bytes >= size)
        return L"error: " WIDE(CONFIG_SAYS_LONG);
    return config_text(room, (unsigned)bytes, text) == CONFIG_TEXT ? NULL : L"error: " WIDE(CONFIG_SAYS_UTF16);
}

/* One entry of a folder.  Too large for the firmware's stack. */
static union {
    EFI_FILE_INFO info;
    uint8_t room[sizeof(EFI_FILE_INFO) + sizeof(CHAR16) * TASK_FILES_LINE];
} entry;

/* An entry of the list; NULL where it is full, and that is counted. */
static struct boot_module *next_module(struct boot_info *info)
{
    if (info->modules == BOOT_MODULES) {
        info->modules_left++;
        return NULL;
    }
    return &info->module[info->modules++];
}

static void folder_failed(struct boot_info *info)
{
    static const uint16_t name[] = WIDE(TASK_FILES_FOLDER);
    struct boot_module *const m = next_module(info);

    if (m == NULL)
        return;
    task_files_line(m->line, name);
    m->wrong = BOOT_MODULE_UNREADABLE;
}

/* Pages that are free once the boot services have ended, so that the memory map tells them to the core. */
static EFI_PHYSICAL_ADDRESS take_pages(EFI_BOOT_SERVICES *bs, uint64_t bytes)
{
    EFI_PHYSICAL_ADDRESS address = FOUR_GIB - 1;

    return bs->AllocatePages(AllocateMaxAddress, EfiBootServicesData, EFI_SIZE_TO_PAGES(bytes), &address) ==
           EFI_SUCCESS ? address : 0;
}

/* Room for a file where the image keeps enough; 0 if there is none. */
static EFI_PHYSICAL_ADDRESS room_for(EFI_BOOT_SERVICES *bs, uint64_t bytes)
{
    const EFI_PHYSICAL_ADDRESS room = take_pages(bs, bytes), spare = room == 0 ? 0 : take_pages(bs, TASK_FILES_SPARE);

    if (spare != 0)
        bs->FreePages(spare, EFI_SIZE_TO_PAGES(TASK_FILES_SPARE));
    else if (room != 0)
        bs->FreePages(room, EFI_SIZE_TO_PAGES(bytes));
    return spare != 0 ? room : 0;
}

static bool read_bytes(EFI_FILE_PROTOCOL *file, uint8_t *to, uint64_t bytes)
{
    while (bytes > 0) {
        UINTN part = bytes < CHUNK ? bytes : CHUNK;
        const UINTN asked = part;

        if (file->Read(file, &part, to) != EFI_SUCCESS || part == 0 || part > asked)
            return false;
        to += part;
        bytes -= part;
    }
    return true;
}

static enum boot_module_wrong read_file(EFI_BOOT_SERVICES *bs, EFI_FILE_PROTOCOL *folder, struct boot_module *m)
{
    EFI_FILE_PROTOCOL *file;
    bool whole;

    m->length = entry.info.FileSize;
    if (m->length == 0)
        return BOOT_MODULE_WHOLE; /* the core refuses it */
    m->base = room_for(bs, m->length);
    if (m->base == 0)
        return BOOT_MODULE_NO_MEMORY;
    if (folder->Open(folder, &file, entry.info.FileName, EFI_FILE_MODE_READ, 0) != EFI_SUCCESS)
        return BOOT_MODULE_UNREADABLE;
    whole = read_bytes(file, (uint8_t *)m->base, m->length);
    file->Close(file);
    return whole ? BOOT_MODULE_WHOLE : BOOT_MODULE_UNREADABLE;
}

/* Whether `file` is a folder; false too where the firmware does not say it. */
static bool is_folder(EFI_FILE_PROTOCOL *file)
{
    UINTN bytes = sizeof entry;

    return file->GetInfo(file, &GenericFileInfo, &bytes, &entry) == EFI_SUCCESS &&
           entry.info.Attribute & EFI_FILE_DIRECTORY;
}

/* Read the next entry of the folder; false at its end, and where it cannot be read, which *failed tells. */
static bool next_entry(EFI_FILE_PROTOCOL *folder, bool *failed)
{
    UINTN bytes = sizeof entry - sizeof(CHAR16);
    const EFI_STATUS status = folder->Read(folder, &bytes, &entry);

    *failed = status != EFI_SUCCESS || (bytes != 0 && bytes <= SIZE_OF_EFI_FILE_INFO) ||
              bytes > sizeof entry - sizeof(CHAR16);
    if (*failed || bytes == 0)
        return false;
    entry.info.FileName[(bytes - SIZE_OF_EFI_FILE_INFO) / sizeof(CHAR16)] = 0;
    return true;
}

static void take_entry(EFI_BOOT_SERVICES *bs, EFI_FILE_PROTOCOL *folder, struct boot_info *info)
{
    char line[TASK_FILES_LINE];
    struct boot_module *m;

    if (entry.info.Attribute & EFI_FILE_DIRECTORY || !task_files_line(line, entry.info.FileName))
        return;
    m = next_module(info);
    if (m == NULL)
        return;
    bs->CopyMem(m->line, line, sizeof line);
    m->wrong = read_file(bs, folder, m);
}

void task_files_read(EFI_BOOT_SERVICES *bs, EFI_FILE_PROTOCOL *root, struct boot_info *info)
{
    EFI_FILE_PROTOCOL *folder;
    const EFI_STATUS status = root->Open(root, &folder, L"\\" WIDE(TASK_FILES_FOLDER), EFI_FILE_MODE_READ, 0);
    bool failed = status != EFI_SUCCESS;

    if (status == EFI_NOT_FOUND)
        return;
    if (!failed) {
        bool more = is_folder(folder);

        for (int i = 0; more && i < ENTRIES_MAX; i++) {
            more = next_entry(folder, &failed);
            if (more)
                take_entry(bs, folder, info);
        }
        folder->Close(folder);
    }
    if (failed)
        folder_failed(info);
}
