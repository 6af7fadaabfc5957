/* SPDX-License-Identifier: MIT */
/* Reads boot sector, table, folders, their names and files of FAT16.  Microsoft FAT specification 1.03. */
#include "boot/disk/fat16.h"

/* Offsets in the boot sector */
#define BOOT_SECTOR_BYTES    11
#define BOOT_CLUSTER_SECTORS 13
#define BOOT_RESERVED        14
#define BOOT_TABLES          16
#define BOOT_ROOT_ENTRIES    17
#define BOOT_SECTORS_16      19
#define BOOT_TABLE_SECTORS   22
#define BOOT_SECTORS_32      32
#define BOOT_SIGNATURE       510
#define SIGNATURE            0xaa55u

/* Only the number of clusters decides whether a FAT is a FAT16. */
#define CLUSTERS_MIN 4085u
#define CLUSTERS_MAX 65524u
#define FIRST_CLUSTER 2u

#define ENTRY_CLUSTER    26
#define ENTRY_SIZE       28
#define ENTRIES          (FAT16_SECTOR / FAT16_ENTRY_BYTES)
#define ENTRIES_MAX      65536u /* of a folder */
#define ENTRY_END        0x00
#define STEM_BYTES       8u

#define NOTHING UINT32_MAX /* cached: no sector */

static uint32_t le16(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8;
}

static uint32_t le32(const uint8_t *at)
{
    return le16(at) | le16(at + 2) << 16;
}

/* One sector through the cache; NULL if it cannot be read. */
static const uint8_t *sector_at(struct fat16 *v, uint32_t sector)
{
    if (v->cached != sector) {
        v->cached = NOTHING;
        if (!v->read(v->sector, sector, 1))
            return 0;
        v->cached = sector;
    }
    return v->sector;
}

bool fat16_mount(struct fat16 *v, fat16_reader *read, uint32_t first)
{
    uint32_t sectors, root_sectors, meta;
    const uint8_t *boot;

    v->read = read;
    v->cached = NOTHING;
    boot = sector_at(v, first);
    if (!boot || le16(boot + BOOT_SIGNATURE) != SIGNATURE ||
        le16(boot + BOOT_SECTOR_BYTES) != FAT16_SECTOR || boot[BOOT_CLUSTER_SECTORS] == 0)
        return false;
    sectors = le16(boot + BOOT_SECTORS_16);
    if (sectors == 0)
        sectors = le32(boot + BOOT_SECTORS_32);
    root_sectors = (le16(boot + BOOT_ROOT_ENTRIES) + ENTRIES - 1) / ENTRIES;
    v->table = first + le16(boot + BOOT_RESERVED);
    v->root = v->table + boot[BOOT_TABLES] * le16(boot + BOOT_TABLE_SECTORS);
    v->data = v->root + root_sectors;
    v->cluster_sectors = boot[BOOT_CLUSTER_SECTORS];
    meta = v->data - first;
    if (meta >= sectors || first + sectors < first)
        return false;
    v->clusters = (sectors - meta) / v->cluster_sectors;
    return v->clusters >= CLUSTERS_MIN && v->clusters <= CLUSTERS_MAX;
}

static bool is_cluster(const struct fat16 *v, uint32_t cluster)
{
    return cluster >= FIRST_CLUSTER && cluster < v->clusters + FIRST_CLUSTER;
}

static uint32_t sector_of(const struct fat16 *v, uint32_t cluster)
{
    return v->data + (cluster - FIRST_CLUSTER) * v->cluster_sectors;
}

/* The next cluster; at the end, or if the table cannot be read, a number for which is_cluster() is false. */
static uint32_t next_cluster(struct fat16 *v, uint32_t cluster)
{
    const uint8_t *table = sector_at(v, v->table + cluster * 2 / FAT16_SECTOR);

    return table ? le16(table + cluster * 2 % FAT16_SECTOR) : 0;
}

/* Convert the first part of a path to the form of a folder entry: "BOOTX64 EFI". */
static void spell(const char *step, uint8_t name[FAT16_NAME_BYTES])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < FAT16_NAME_BYTES; i++)
        name[i] = ' ';
    for (; *step != '\0' && *step != '/' && n < FAT16_NAME_BYTES; step++) {
        if (*step == '.')
            n = STEM_BYTES;
        else
            name[n++] = (uint8_t)*step;
    }
}

static void folder_at(const struct fat16 *v, uint32_t cluster, struct fat16_folder *folder)
{
    const bool root = cluster == 0;

    *folder = (struct fat16_folder){ .cluster = cluster, .first = root ? v->root : sector_of(v, cluster),
                                     .sectors = root ? v->data - v->root : v->cluster_sectors, .left = ENTRIES_MAX };
}

/* Go to the folder's next cluster; the root has none. */
static bool next_part(struct fat16 *v, struct fat16_folder *folder)
{
    if (folder->cluster != 0)
        folder->cluster = next_cluster(v, folder->cluster);
    if (!is_cluster(v, folder->cluster))
        return false;
    folder->first = sector_of(v, folder->cluster);
    folder->entry = 0;
    return true;
}

/* The bound also ends a cyclic chain. */
enum fat16_answer fat16_entry(struct fat16 *v, struct fat16_folder *folder, const uint8_t **entry)
{
    const uint8_t *sector;

    if (folder->entry == folder->sectors * ENTRIES && !next_part(v, folder))
        return FAT16_ABSENT;
    sector = folder->left > 0 ? sector_at(v, folder->first + folder->entry / ENTRIES) : 0;
    if (!sector)
        return FAT16_DAMAGED;
    *entry = sector + folder->entry % ENTRIES * FAT16_ENTRY_BYTES;
    folder->entry++;
    folder->left--;
    return (*entry)[0] == ENTRY_END ? FAT16_ABSENT : FAT16_OK;
}

struct fat16_file fat16_file_of(const uint8_t *entry)
{
    return (struct fat16_file){ .cluster = le16(entry + ENTRY_CLUSTER), .bytes = le32(entry + ENTRY_SIZE) };
}

static bool has_name(const uint8_t *entry, const uint8_t *name)
{
    uint32_t same = 0;

    while (same < FAT16_NAME_BYTES && entry[same] == name[same])
        same++;
    return same == FAT16_NAME_BYTES && !(entry[FAT16_ENTRY_ATTRIBUTES] & FAT16_VOLUME_LABEL);
}

struct entry {
    struct fat16_file file;
    bool folder;
};

/* Search a folder; `cluster` 0: the root. */
static enum fat16_answer search(struct fat16 *v, uint32_t cluster, const uint8_t *name, struct entry *found)
{
    struct fat16_folder folder;
    enum fat16_answer answer;
    const uint8_t *entry;

    folder_at(v, cluster, &folder);
    while ((answer = fat16_entry(v, &folder, &entry)) == FAT16_OK)
        if (has_name(entry, name)) {
            *found = (struct entry){ fat16_file_of(entry), entry[FAT16_ENTRY_ATTRIBUTES] & FAT16_FOLDER };
            return FAT16_OK;
        }
    return answer;
}

/* What a path names: a file, or a folder with its cluster. */
static enum fat16_answer resolve(struct fat16 *v, const char *path, bool folder, struct fat16_file *file)
{
    struct entry found = { .folder = true };
    uint8_t name[FAT16_NAME_BYTES];

    for (;;) {
        enum fat16_answer answer;
        bool last;

        spell(path, name);
        while (*path != '\0' && *path != '/')
            path++;
        last = *path == '\0';
        answer = search(v, found.file.cluster, name, &found);
        if (answer != FAT16_OK)
            return answer;
        if (found.folder != (!last || folder))
            return FAT16_ABSENT;
        if (found.folder && !is_cluster(v, found.file.cluster))
            return FAT16_DAMAGED;
        if (last) {
            *file = found.file;
            return FAT16_OK;
        }
        path++;
    }
}

enum fat16_answer fat16_find(struct fat16 *v, const char *path, struct fat16_file *file)
{
    return resolve(v, path, false, file);
}

enum fat16_answer fat16_open(struct fat16 *v, const char *path, struct fat16_folder *folder)
{
    struct fat16_file found;
    const enum fat16_answer answer = resolve(v, path, true, &found);

    if (answer == FAT16_OK)
        folder_at(v, found.cluster, folder);
    return answer;
}

/* Consecutive sectors are read in one call: in a BIOS the call takes the time, not the bytes. */
bool fat16_read(struct fat16 *v, const struct fat16_file *file, void *to)
{
    uint32_t left = file->bytes / FAT16_SECTOR + (file->bytes % FAT16_SECTOR != 0);
    uint32_t cluster = file->cluster;
    uint8_t *at = to;

    if (left > v->clusters * v->cluster_sectors)
        return false;
    while (left > 0) {
        uint32_t first = cluster, sectors = 0;

        do {
            if (!is_cluster(v, cluster))
                return false;
            sectors += v->cluster_sectors;
            cluster = next_cluster(v, cluster);
        } while (sectors < left && cluster == first + sectors / v->cluster_sectors);
        if (sectors > left)
            sectors = left;
        if (!v->read(at, sector_of(v, first), sectors))
            return false;
        at += sectors * FAT16_SECTOR;
        left -= sectors;
    }
    return true;
}

/* Names.  The parts of a long one stand before the entry that they name. */
#define DELETED        0xe5
#define KANJI_E5       0x05 /* stands for a first byte DELETED */
#define ENTRY_CASE     12   /* what Windows NT keeps there: letters of the name, of its extension, are small ones */
#define NAME_IS_SMALL  0x08
#define EXTENSION_IS_SMALL 0x10

/* An entry that is part of a long name */
#define LONG_ATTRIBUTES      0x0f
#define LONG_ATTRIBUTES_MASK 0x3f
#define LONG_SUM       13
#define LONG_LAST      0x40 /* of its number: it comes first */
#define LONG_NUMBER    0x3f
#define LONG_PARTS     20u
#define PART_UNITS     13u

static const uint8_t unit_at[PART_UNITS] = { 1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30 };

struct long_name {
    uint32_t missing; /* parts; 0: it is complete */
    uint32_t sum;     /* of the short name that it belongs to */
};

#define NO_LONG_NAME ((struct long_name){ .missing = LONG_PARTS + 1 })

/* Take a part; they come in order, the last one first. */
static void take_part(struct long_name *l, const uint8_t *entry, uint16_t *name)
{
    const uint32_t number = entry[0] & LONG_NUMBER;

    if (entry[0] & LONG_LAST) {
        *l = (struct long_name){ .missing = number, .sum = entry[LONG_SUM] };
        if (number <= LONG_PARTS)
            name[number * PART_UNITS] = 0;
    }
    if (number == 0 || number > LONG_PARTS || number != l->missing || l->sum != entry[LONG_SUM]) {
        *l = NO_LONG_NAME;
        return;
    }
    l->missing = number - 1;
    for (uint32_t i = 0; i < PART_UNITS; i++)
        name[l->missing * PART_UNITS + i] = (uint16_t)(entry[unit_at[i]] | entry[unit_at[i] + 1] << 8);
}

static uint32_t sum_of(const uint8_t *entry)
{
    uint8_t sum = 0;

    for (uint32_t i = 0; i < FAT16_NAME_BYTES; i++)
        sum = (uint8_t)((sum >> 1 | sum << 7) + entry[i]);
    return sum;
}

/* Append the part of a short name from `from` up to `to`, without the blanks that fill it. */
static uint32_t put_short(const uint8_t *entry, uint32_t from, uint32_t to, bool small, uint16_t *name, uint32_t n)
{
    while (to > from && entry[to - 1] == ' ')
        to--;
    for (; from < to; from++) {
        const uint8_t c = from == 0 && entry[0] == KANJI_E5 ? DELETED : entry[from];

        name[n++] = small && c >= 'A' && c <= 'Z' ? (uint16_t)(c - 'A' + 'a') : c;
    }
    return n;
}

static void short_name(const uint8_t *entry, uint16_t *name)
{
    const uint32_t stem = put_short(entry, 0, STEM_BYTES, entry[ENTRY_CASE] & NAME_IS_SMALL, name, 0);
    const uint32_t end = put_short(entry, STEM_BYTES, FAT16_NAME_BYTES, entry[ENTRY_CASE] & EXTENSION_IS_SMALL, name,
                                   stem + 1);

    name[stem] = end > stem + 1 ? '.' : 0;
    name[end] = 0;
}

enum fat16_answer fat16_next(struct fat16 *v, struct fat16_folder *folder, struct fat16_named *next)
{
    struct long_name l = NO_LONG_NAME;
    enum fat16_answer answer;
    const uint8_t *entry;

    while ((answer = fat16_entry(v, folder, &entry)) == FAT16_OK) {
        const uint8_t attributes = entry[FAT16_ENTRY_ATTRIBUTES];

        if (entry[0] != DELETED && (attributes & LONG_ATTRIBUTES_MASK) == LONG_ATTRIBUTES) {
            take_part(&l, entry, next->name);
        } else if (entry[0] == DELETED || attributes & FAT16_VOLUME_LABEL) {
            l = NO_LONG_NAME;
        } else {
            if (l.missing != 0 || l.sum != sum_of(entry))
                short_name(entry, next->name);
            next->file = fat16_file_of(entry);
            next->folder = attributes & FAT16_FOLDER;
            return FAT16_OK;
        }
    }
    return answer;
}
