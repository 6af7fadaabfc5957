/* SPDX-License-Identifier: MIT */
/* The volume of the UEFI application, and cpuprobe.cfg on it. */
#include "boot/uefi/volume.h"

#include <stdbool.h>

#include "boot/config.h"

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
