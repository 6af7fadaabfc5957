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

/* An entry of a folder, as far as others than fat16.c read it */
#define FAT16_ENTRY_BYTES      32u
#define FAT16_ENTRY_ATTRIBUTES 11
#define FAT16_VOLUME_LABEL     0x08 /* also set in the entries of a long name */
#define FAT16_FOLDER           0x10
#define FAT16_NAME_BYTES       11u

struct fat16_folder { /* where a walk through a folder is */
    uint32_t cluster;        /* 0: the root, which has no clusters */
    uint32_t first, sectors; /* of the part of it that is read */
    uint32_t entry;          /* in that part, the next one */
    uint32_t left;           /* entries before it is too long to be one */
};

enum fat16_answer { FAT16_OK, FAT16_ABSENT, FAT16_DAMAGED };

/* Open the volume that begins at this sector; false if it is not a FAT16 volume. */
bool fat16_mount(struct fat16 *volume, fat16_reader *read, uint32_t first);

/* Find a file by its path of short names, in capitals: "EFI/BOOT/BOOTX64.EFI". */
enum fat16_answer fat16_find(struct fat16 *volume, const char *path, struct fat16_file *file);

/* Begin a walk through the folder of this path. */
enum fat16_answer fat16_open(struct fat16 *volume, const char *path, struct fat16_folder *folder);

/*
 * The next entry of the folder, its FAT16_ENTRY_BYTES as they are on the disk, until the volume is read again;
 * FAT16_ABSENT at its end.
 */
enum fat16_answer fat16_entry(struct fat16 *volume, struct fat16_folder *folder, const uint8_t **entry);

/* The file of an entry. */
struct fat16_file fat16_file_of(const uint8_t *entry);

/* Read the whole file to `to`, which has room for its length rounded up to sectors. */
bool fat16_read(struct fat16 *volume, const struct fat16_file *file, void *to);

#define FAT16_LONG_NAME 261 /* units of UTF-16 of the longest name, and a 0 */

struct fat16_named {
    struct fat16_file file;
    bool folder;
    uint16_t name[FAT16_LONG_NAME]; /* ended by 0 */
};

/* The next file or folder of a walk; FAT16_ABSENT at its end. */
enum fat16_answer fat16_next(struct fat16 *volume, struct fat16_folder *folder, struct fat16_named *next);
