/* SPDX-License-Identifier: MIT */
/* A small disk with a volume of FAT16, made anew for each test. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "boot/disk/fat16.h"

#define FIRST    8u /* sector of the volume */
#define CLUSTER  2u /* sectors */
#define TABLE    (FIRST + 1)
#define TABLE_SECTORS 20u
#define ROOT     (TABLE + 2 * TABLE_SECTORS)
#define DATA     (ROOT + 2)
#define CLUSTERS 4100u
#define SECTORS  (DATA + CLUSTERS * CLUSTER)
#define END_OF_CHAIN 0xffffu

static uint8_t disk[SECTORS][FAT16_SECTOR];
static struct fat16 volume;
static unsigned reads; /* of the disk */

static bool read_disk(void *to, uint32_t first, uint32_t count)
{
    reads++;
    if (first >= SECTORS || count > SECTORS - first)
        return false;
    memcpy(to, disk[first], (size_t)count * FAT16_SECTOR);
    return true;
}

static void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void link_to(uint32_t cluster, uint32_t next)
{
    put16(&disk[TABLE][0] + cluster * 2, next);
}

static uint8_t *cluster_at(uint32_t cluster)
{
    return disk[DATA + (cluster - 2) * CLUSTER];
}

static void entry(uint8_t *folder, int index, const char *name, int attributes, uint32_t cluster, uint32_t bytes)
{
    uint8_t *e = folder + index * 32;

    memcpy(e, name, 11);
    e[11] = (uint8_t)attributes;
    put16(e + 26, cluster);
    put16(e + 28, bytes);
    put16(e + 30, bytes >> 16);
}

/* EFI/BOOT/BOOTX64.EFI of 5000 bytes in clusters 5, 6, 9, 7, 8 and CPUPROBE.CFG of 700 in 10. */
static int make(void **state)
{
    static const uint32_t chain[] = {5, 6, 9, 7, 8};
    uint8_t *boot = disk[FIRST];

    (void)state;
    memset(disk, 0, sizeof disk);
    put16(boot + 11, FAT16_SECTOR);
    boot[13] = CLUSTER;
    put16(boot + 14, 1);
    boot[16] = 2;
    put16(boot + 17, 32);
    put16(boot + 19, SECTORS - FIRST);
    put16(boot + 22, TABLE_SECTORS);
    put16(boot + 510, 0xaa55);
    entry(disk[ROOT], 0, "CPUPROBE   ", 0x08, 0, 0);
    entry(disk[ROOT], 1, "Acpuprobe.c", 0x0f, 0, 0);
    entry(disk[ROOT], 2, "\xe5PUPROBECFG", 0x20, 3, 9);
    entry(disk[ROOT], 3, "EFI        ", 0x10, 3, 0);
    entry(disk[ROOT + 1], 0, "CPUPROBECFG", 0x20, 10, 700);
    for (int i = 4; i < 16; i++)
        entry(disk[ROOT], i, "FILL    TXT", 0x20, 0, 0);
    entry(cluster_at(3), 0, "BOOT       ", 0x10, 4, 0);
    entry(cluster_at(4), 0, "BOOTX64 EFI", 0x20, chain[0], 5000);
    for (uint32_t c = 3; c <= 10; c++)
        link_to(c, END_OF_CHAIN);
    for (int i = 0; i < 4; i++)
        link_to(chain[i], chain[i + 1]);
    for (uint32_t i = 0; i < 5; i++)
        memset(cluster_at(chain[i]), 'a' + (int)i, CLUSTER * FAT16_SECTOR);
    memset(cluster_at(10), 'k', CLUSTER * FAT16_SECTOR);
    return 0;
}
