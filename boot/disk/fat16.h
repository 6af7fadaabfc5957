/* SPDX-License-Identifier: MIT */
/*
 * Reads files from a FAT16 volume, as far as a boot loader needs it.  All numbers from
 * the disk are checked.  Microsoft FAT specification 1.03.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define FAT16_SECTOR 512u

/* Read sectors of the disk to `to`; false if they cannot be read. */
typedef bool fat16_reader(void *to, uint32_t first, uint32_t count);

struct fat16 {
    fat16_reader *read;
    uint32_t table, root, data;  /* first sectors */
    uint32_t clusters;           /* numbered from 2 */
    uint32_t cluster_sectors;
    uint32_t cached;             /* number of the sector in `sector` */
    uint8_t sector[FAT16_SECTOR];
};

struct fat16_file {
    uint32_t cluster; /* the first one, 0 for none */
    uint32_t bytes;
};

enum fat16_answer { FAT16_OK, FAT16_ABSENT, FAT16_DAMAGED };

/* Open the volume that begins at this sector; false if it is not a FAT16 volume. */
bool fat16_mount(struct fat16 *volume, fat16_reader *read, uint32_t first);

/* Find a file by its path of short names, in capitals: "EFI/BOOT/BOOTX64.EFI". */
enum fat16_answer fat16_find(struct fat16 *volume, const char *path, struct fat16_file *file);

/* Read the whole file to `to`, which has room for its length rounded up to sectors. */
bool fat16_read(struct fat16 *volume, const struct fat16_file *file, void *to);
