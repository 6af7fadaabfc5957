/* SPDX-License-Identifier: MIT */
/*
 * The volume that the UEFI application was loaded from, and what is read from it.  UEFI specification 2.10,
 * section 13.  In the firmware's context, before its boot services end.
 */
#pragma once

#include <efi.h>
#include <efilib.h>

#include "kernel/boot_info.h"

#define WIDE_(text) L##text
#define WIDE(text)  WIDE_(text)

/* Its root folder, which the caller closes; NULL where there is none, as after a network boot. */
EFI_FILE_PROTOCOL *volume_open(EFI_BOOT_SERVICES *bs, const EFI_LOADED_IMAGE *self);

/*
 * Read cpuprobe.cfg into `room` of `size` bytes; *text: the words in it, "" where there is no volume or no file,
 * which is no error.  NULL, or an error message: a file that cannot be read as a whole, or is no plain text.
 */
CHAR16 *volume_read_config(EFI_FILE_PROTOCOL *root, char *room, unsigned size, const char **text);

/*
 * Read all files of the folder TASK_FILES_FOLDER of `root` to pages of their own, and list them in info->module[];
 * also those that cannot be read, for which the core says so.  No such folder: nothing.
 */
void task_files_read(EFI_BOOT_SERVICES *bs, EFI_FILE_PROTOCOL *root, struct boot_info *info);
