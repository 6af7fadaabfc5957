/* SPDX-License-Identifier: MIT */
/* The files for tasks on the UEFI application's volume. */
#pragma once

#include <efi.h>

#include "kernel/boot_info.h"

/*
 * Read all files of the folder TASK_FILES_FOLDER of `root` to pages of their own, and list them in info->module[];
 * also those that cannot be read, for which the core says so.  No such folder: nothing.  In the firmware's context,
 * before its boot services end.
 */
void task_files_read(EFI_BOOT_SERVICES *bs, EFI_FILE_PROTOCOL *root, struct boot_info *info);
