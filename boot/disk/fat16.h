/* SPDX-License-Identifier: MIT */
/*
 * Reads files from a FAT16 volume: as much as a boot loader needs, and nothing
 * that it reads is believed.  Microsoft FAT specification 1.03.
 */
#ifndef BOOT_DISK_FAT16_H
#define BOOT_DISK_FAT16_H

#include <stdbool.h>
#include <stdint.h>

#define FAT16_SECTOR 512u

/* Sectors of the disk to `to`; false where the disk does not give them. */
typedef bool fat16_reader(void *to, uint32_t first, uint32_t count);

struct fat16 {
    fat16_reader *read;
    uint32_t table, root, data;  /* first sectors */
    uint32_t clusters;           /* numbered from 2 */
    uint32_t cluster_sectors;
    uint32_t cached;             /* which sector `sector` holds */
    uint8_t sector[FAT16_SECTOR];
};

struct fat16_file {
    uint32_t cluster; /* its first, 0 for none */
    uint32_t bytes;
};

enum fat16_answer { FAT16_OK, FAT16_ABSENT, FAT16_DAMAGED };

/* The volume that begins at this sector; false if no FAT16 volume does. */
bool fat16_mount(struct fat16 *volume, fat16_reader *read, uint32_t first);

/* Look a file up by its short names, in capitals: "EFI/BOOT/BOOTX64.EFI". */
enum fat16_answer fat16_find(struct fat16 *volume, const char *path, struct fat16_file *file);

/* The whole file to `to`, which has room for its length rounded up to sectors. */
bool fat16_read(struct fat16 *volume, const struct fat16_file *file, void *to);

#endif
