/* SPDX-License-Identifier: MIT */
/* Reads names, finds addresses by name and names by address. */
#include "tools/hwmon/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/alloc.h"
#include "tools/base/sorted.h"
#include "tools/symbols/elf_file.h"

static void add(struct names *n, uint64_t address, uint64_t size, const char *text, bool code)
{
    APPEND(n->name, n->count, (struct name){ address, size, strdup(text), code });
}

/* ---- ELF ---- */

static void add_symbol(struct names *n, const struct elf_table *t, const struct elf_symbol *s)
{
    if (s->name == NULL || s->name[0] == '\0' || s->section == SHN_UNDEF || s->type == STT_FILE ||
        s->type == STT_SECTION)
        return;
    add(n, s->value, s->size, s->name, s->section < t->sections && elf_file_is_code(&t->section[s->section]));
}

bool names_add_elf(struct names *n, const char *path)
{
    struct elf_file file;
    struct elf_symbols symbols;
    const char *why;
    bool has;

    if (!elf_file_open(&file, path, &why)) {
        elf_file_refuse(path, why);
        return false;
    }
    has = elf_symbols_read(&symbols, &file.table);
    if (!has)
        fprintf(stderr, "hwmon: %s has no symbols\n", path);
    for (size_t i = 0; i < symbols.count; i++) {
        const struct elf_symbol one = elf_symbols_at(&symbols, i);

        add_symbol(n, &file.table, &one);
    }
    elf_symbols_free(&symbols);
    if (n->build == NULL)
        n->build = elf_file_build(&file);
    elf_file_close(&file);
    return has;
}

/* ---- tables ---- */

static bool add_line(struct names *n, const char *line)
{
    unsigned long long address;
    char kind, text[256];

    if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0')
        return true;
    if (sscanf(line, "%llx %c %255s", &address, &kind, text) != 3)
        return false;
    add(n, address, 0, text, tolower((unsigned char)kind) == 't' || tolower((unsigned char)kind) == 'w');
    return true;
}

bool names_add_table(struct names *n, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];
    unsigned number = 0;
    bool valid = file != NULL;

    if (!valid)
        fprintf(stderr, "hwmon: %s: %s\n", path, strerror(errno));
    while (valid && fgets(line, sizeof line, file) != NULL) {
        number++;
        valid = add_line(n, line);
        if (!valid)
            fprintf(stderr, "hwmon: %s:%u is not \"ADDRESS KIND NAME\", as nm prints it\n", path, number);
    }
    if (file != NULL)
        fclose(file);
    return valid;
}

/* Of two names of one address the one with a size comes first. */
static int compare(const void *a, const void *b)
{
    const struct name *one = a, *other = b;

    if (one->address != other->address)
        return one->address > other->address ? 1 : -1;
    return (one->size == 0) - (other->size == 0);
}

void names_sort(struct names *n)
{
    if (n->count != 0)
        qsort(n->name, n->count, sizeof n->name[0], compare);
}

/* ---- by name ---- */

/* Whether `name` is `text`; not `exactly`: or that and what a compiler appended. */
static bool is_named(const char *name, const char *text, size_t length, bool exactly)
{
    static const char *const tails[] = { ".lto_priv.", ".isra.", ".constprop.", ".part." };

    if (strncmp(name, text, length) != 0)
        return false;
    if (exactly || name[length] == '\0')
        return name[length] == '\0';
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++)
        if (strncmp(name + length, tails[i], strlen(tails[i])) == 0)
            return true;
    return false;
}

static const struct name *find(const struct names *n, const char *text, size_t length)
{
    for (unsigned exactly = 2; exactly-- != 0;)
        for (size_t i = 0; i < n->count; i++)
            if (is_named(n->name[i].text, text, length, exactly))
                return &n->name[i];
    return NULL;
}

static bool number(const char *text, uint64_t *value)
{
    char *end;

    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return *end == '\0' && errno == 0;
}

bool names_address(const struct names *n, const char *text, uint64_t *address)
{
    const char *const plus = strchr(text, '+');
    const size_t length = plus != NULL ? (size_t)(plus - text) : strlen(text);
    const struct name *name;
    uint64_t offset = 0;

    if (number(text, address))
        return true;
    if (length == 0 || (plus != NULL && !number(plus + 1, &offset)))
        return false;
    name = find(n, text, length);
    if (name != NULL)
        *address = name->address + offset;
    return name != NULL;
}

/* ---- by address ---- */

const struct name *names_code_at(const struct names *n, uint64_t address)
{
    size_t low = SORTED_ABOVE(n->name, n->count, address, address);

    while (low != 0)
        if (n->name[--low].code && address < names_end(n, low))
            return &n->name[low];
        else if (n->name[low].code)
            return NULL;
    return NULL;
}

uint64_t names_end(const struct names *n, size_t i)
{
    if (n->name[i].size != 0)
        return n->name[i].address + n->name[i].size;
    for (size_t next = i + 1; next < n->count; next++)
        if (n->name[next].code && n->name[next].address != n->name[i].address)
            return n->name[next].address;
    return UINT64_MAX;
}

/* A guest's table of entry stubs. */

#define VECTORS 256u
#define MOST    4096u /* bytes of a stub */

const char *stubs_set(struct stubs *s, const struct names *names, const char *text)
{
    const char *const colon = strrchr(text, ':');
    char address[256] = "", *end;

    if (colon == NULL || (size_t)(colon - text) >= sizeof address)
        return "it is not ADDRESS:BYTES";
    memcpy(address, text, (size_t)(colon - text));
    s->bytes = strtoull(colon + 1, &end, 0);
    if (*end != '\0' || s->bytes == 0 || s->bytes > MOST)
        return "a stub has 1 to 4096 bytes";
    return names_address(names, address, &s->first) ? NULL : "no file has this name, and it is no address";
}

unsigned stubs_vector(const struct stubs *s, uint64_t address)
{
    const uint64_t at = address - s->first;

    return s->bytes != 0 && at % s->bytes == 0 && at / s->bytes < VECTORS ? (unsigned)(at / s->bytes) + 1 : 0;
}
