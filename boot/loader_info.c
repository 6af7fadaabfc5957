/* SPDX-License-Identifier: MIT */
/* Regions, words and names of the struct boot_info that the core fills itself. */
#include "boot/loader_info.h"

#include <stddef.h>

#include "boot/memory_map.h"

extern char image_start[], image_end[];
extern uint64_t image_physical;

static struct boot_info info;

struct boot_info *loader_info(void)
{
    info.magic = BOOT_INFO_MAGIC;
    info.image = image_physical;
    return &info;
}

void loader_info_region(uint64_t base, uint64_t length, bool free)
{
    if (free)
        memory_map_free(&info, base, length);
    else
        memory_map_reserve(&info, base, length);
}

void loader_info_close_map(void)
{
    memory_map_reserve(&info, image_physical, (uint64_t)(image_end - image_start));
}

static bool is_escape(const char *at)
{
    return at[0] == '\\' && (at[1] == '\\' || at[1] == '"' || at[1] == '\'');
}

/* Whether the argument in GRUB's quotes that begins here has quotes of its own. */
static bool has_own_quotes(const char *at)
{
    for (; *at != '\0' && *at != '"'; at++)
        if (is_escape(at) && *++at == '"')
            return true;
    return false;
}

static void add(struct boot_info *to, size_t *n, char c)
{
    if (*n < BOOT_WORDS - 1)
        to->words[(*n)++] = c;
    else
        to->words_cut = true;
}

/*
 * GRUB 2 takes an argument's quotes away, writes its own around one with blanks, and a backslash before the quotes
 * within: "note=two words" is note="two words" again.
 */
static void take_grubs(struct boot_info *to, const char *line)
{
    bool within = false, open = false; /* GRUB's quotes; those that we put instead */
    size_t n = 0;

    for (; *line != '\0'; line++) {
        const bool escaped = is_escape(line);

        line += escaped;
        if (*line == '"' && !escaped) {
            if (open)
                add(to, &n, '"');
            within = !within;
            open = false;
            continue;
        }
        add(to, &n, *line);
        if (within && !open && *line == '=' && !has_own_quotes(line)) {
            add(to, &n, '"');
            open = true;
        }
    }
    to->words[n] = '\0';
}

void loader_info_words(const char *line, bool grub)
{
    size_t n = 0;

    if (grub) {
        take_grubs(&info, line);
        return;
    }
    while (*line != '\0')
        add(&info, &n, *line++);
    info.words[n] = '\0';
}

void loader_info_module_line(struct boot_module *m, const char *line)
{
    size_t n = 0;

    while (line[n] != '\0' && n < BOOT_MODULE_LINE - 1) {
        m->line[n] = line[n];
        n++;
    }
    m->line_cut = line[n] != '\0';
}

void loader_info_door(const char *name)
{
    for (size_t i = 0; i < sizeof info.door - 1 && name[i] != '\0'; i++)
        info.door[i] = name[i];
}
