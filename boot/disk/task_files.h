/* SPDX-License-Identifier: MIT */
/* The files for tasks on the disk, as modules of multiboot. */
#pragma once

#include "boot/disk/fat16.h"
#include "boot/multiboot.h"

/*
 * Read all files of the folder TASK_FILES_FOLDER to memory above 16 MiB that info's map calls free, and list them in
 * *info; also those that cannot be read, with the reason in `reserved` (enum boot_module_wrong).  No such
 * folder: nothing.  Once.
 */
void task_files_read(struct fat16 *volume, struct multiboot_info *info);
