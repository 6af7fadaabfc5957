/* SPDX-License-Identifier: MIT */
/* Files that the door brought: each entry of its list checked, their memory reserved. */
#include "kernel/mm/module_files.h"

#include <stddef.h>

#include "kernel/lib/string.h"
#include "kernel/mm/elf_loader.h"
#include "kernel/mm/free_regions.h"
#include "kernel/mm/page_alloc.h"
#include "probe/config/task_spec.h"

static struct module_file files[BOOT_MODULES]; /* constant after the start, as all below */
static char names[BOOT_MODULES][FILE_NAME_SIZE];
static uint32_t count;

const struct module_file *module_file_at(uint32_t index)
{
    return index < count ? &files[index] : NULL;
}

const struct module_file *module_file_find(const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (string_equal(files[i].name, name))
            return &files[i];
    return NULL;
}

/* The last part of the path that the line begins with; the arguments follow it. */
static struct span name_of(const char *line)
{
    struct span name = { line, 0 };

    while (name.at[name.length] != '\0' && name.at[name.length] != ' ') {
        if (name.at[name.length] == '/')
            name = (struct span){ name.at + name.length + 1, 0 };
        else
            name.length++;
    }
    return name;
}

static bool check_name(const struct boot_module *from, struct span name, struct refusal *why)
{
    if (from->line_cut)
        return REFUSE_WITH(why, "its name and arguments are longer than %1 characters",
                           REFUSAL_NUMBER(BOOT_MODULE_LINE - 1));
    if (!file_name_check(name))
        return REFUSE_WITH(why, "%1 is no name: 1 to %2 of letters, digits, and . _ + -", REFUSAL_QUOTED(name),
                           REFUSAL_NUMBER(FILE_NAME_SIZE - 1));
    for (uint32_t i = 0; i < count; i++)
        if (span_is(name, files[i].name))
            return REFUSE_WITH(why, "another one has the name %1", REFUSAL_QUOTED(name));
    return true;
}

/* Whether the door has loaded it. */
static bool check_loaded(const struct boot_module *from, struct span name, struct refusal *why)
{
    if (from->wrong == BOOT_MODULE_NO_MEMORY)
        return REFUSE_WITH(why, "%1 has %2 bytes, and there is no memory for them", REFUSAL_QUOTED(name),
                           REFUSAL_NUMBER(from->length));
    if (from->wrong != BOOT_MODULE_WHOLE)
        return REFUSE_WITH(why, "%1 cannot be read", REFUSAL_QUOTED(name));
    if (from->length == 0)
        return REFUSE_WITH(why, "%1 is empty", REFUSAL_QUOTED(name));
    return true;
}

/* Free memory is what the door's map says, without the image and without the files before this one. */
static bool reserve(const struct boot_module *from, struct refusal *why)
{
    if (from->base % PAGE_SIZE != 0)
        return REFUSE(why, "it does not begin on a page");
    if (!free_regions_reserve(from->base, from->length))
        return REFUSE(why, "it lies outside of the memory map, in the image or in another file");
    return true;
}

static const char *skip_blanks(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

static uint64_t hash_of(const void *bytes, uint64_t size)
{
    uint8_t id[ELF_BUILD_ID];

    return elf_build_id(bytes, size, id) ? 0 : elf_loaded_hash(bytes, size);
}

bool module_file_take(const struct boot_module *from, struct refusal *why)
{
    const struct span name = name_of(from->line);

    if (count == BOOT_MODULES)
        return REFUSE_WITH(why, "there are %1 already", REFUSAL_NUMBER(BOOT_MODULES));
    if (!check_name(from, name, why) || !check_loaded(from, name, why) || !reserve(from, why))
        return false;
    string_copy(names[count], name.at, name.length + 1);
    files[count] = (struct module_file){
        .name = names[count], .bytes = phys_to_virt(from->base), .size = from->length,
        .arguments = skip_blanks(name.at + name.length), .hash = hash_of(phys_to_virt(from->base), from->length),
    };
    count++;
    return true;
}
