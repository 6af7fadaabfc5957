/* SPDX-License-Identifier: MIT */
/* Puts the parts of long names together, which stand before the entry that they name. */
#include "boot/disk/fat16_names.h"

#define DELETED        0xe5
#define KANJI_E5       0x05 /* stands for a first byte DELETED */
#define ENTRY_CASE     12   /* what Windows NT keeps there: letters of the name, of its extension, are small ones */
#define NAME_IS_SMALL  0x08
#define EXTENSION_IS_SMALL 0x10
#define STEM_BYTES     8u

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
