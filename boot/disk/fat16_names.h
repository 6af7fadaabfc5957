/* SPDX-License-Identifier: MIT */
/*
 * The files of a folder of FAT16 under the names that people gave them: long ones, and short ones with their case, as
 * UEFI firmware has them.  Microsoft FAT specification 1.03, section 7.
 */
#pragma once

#include "boot/disk/fat16.h"

#define FAT16_LONG_NAME 261 /* units of UTF-16 of the longest name, and a 0 */

struct fat16_named {
    struct fat16_file file;
    bool folder;
    uint16_t name[FAT16_LONG_NAME]; /* ended by 0 */
};

/* The next file or folder of a walk; FAT16_ABSENT at its end. */
enum fat16_answer fat16_next(struct fat16 *volume, struct fat16_folder *folder, struct fat16_named *next);
