/* SPDX-License-Identifier: MIT */
/* Decodes by Capstone.  For any bytes, each step takes at least one of them and none of the next function. */
#include "tools/symbols/disassembly.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/base/alloc.h"
#include "tools/symbols/elf_file.h"

/* How far an address may be from its function's start: decoding from there takes time. */
#define REACH (1 << 20)

struct code {
    uint64_t start, end;
    uint8_t *bytes;
};

static void add_code(struct disassembly *d, uint64_t start, uint64_t offset, uint64_t length)
{
    uint8_t *const bytes = length ? elf_table_bytes(&d->symbols->file.table, offset, length) : NULL;

    if (!bytes)
        return;
    start += d->symbols->base;
    APPEND(d->code, d->codes, (struct code){start, elf_file_end(start, length, UINT64_MAX), bytes});
}

static void add_sections(struct disassembly *d, const struct elf_table *t)
{
    for (size_t i = 1; i < t->sections; i++)
        if (elf_file_is_code(&t->section[i]) && t->section[i].type != SHT_NOBITS)
            add_code(d, t->section[i].address, t->section[i].offset, t->section[i].size);
}

/* Only for files without sections: the segments of debug files describe bytes that the file lacks. */
static void add_segments(struct disassembly *d, const struct elf_table *t)
{
    for (size_t i = 0; i < t->segments && !t->sections; i++)
        if (t->segment[i].type == PT_LOAD && t->segment[i].flags & PF_X)
            add_code(d, t->segment[i].address, t->segment[i].offset, t->segment[i].bytes);
}

static void map_code(struct disassembly *d)
{
    struct range *range = xrealloc_array(NULL, d->codes, sizeof(*range));

    for (size_t i = 0; i < d->codes; i++)
        range[i] = (struct range){d->code[i].start, d->code[i].end, i};
    range_map_build(&d->by_address, range, d->codes);
    free(range);
}

/* Capstone's names of CPUs that the image and ports run on, little-endian.  Version 4 does not know RISC-V. */
static const struct decoder {
    unsigned machine; /* e_machine */
    cs_arch arch;
    cs_mode mode;
} decoders[] = {
    {EM_X86_64, CS_ARCH_X86, CS_MODE_64},
    {EM_386, CS_ARCH_X86, CS_MODE_32},
    {EM_ARM, CS_ARCH_ARM, CS_MODE_ARM},
    {EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM},
};

/* NULL: none. */
static const struct decoder *decoder_of(const struct elf_table *t)
{
    if (t->high_first)
        return NULL;
    for (size_t i = 0; i < sizeof(decoders) / sizeof(*decoders); i++)
        if (decoders[i].machine == t->machine)
            return &decoders[i];
    return NULL;
}

bool disassembly_open(struct disassembly *d, const struct symbols *s)
{
    const struct decoder *decoder = decoder_of(&s->file.table);

    *d = (struct disassembly){.symbols = s};
    if (!decoder)
        return false;
    add_sections(d, &s->file.table);
    add_segments(d, &s->file.table);
    if (!d->codes)
        return false;
    if (cs_open(decoder->arch, decoder->mode, &d->handle) || !(d->decoded = cs_malloc(d->handle)))
        out_of_memory();
    map_code(d);
    return true;
}

void disassembly_close(struct disassembly *d)
{
    cs_free(d->decoded, 1);
    cs_close(&d->handle);
    range_map_free(&d->by_address);
    for (size_t i = 0; i < d->codes; i++)
        free(d->code[i].bytes);
    free(d->code);
}

/* Decode at `at`, not beyond `limit`; returns the length, 0 if there is no code. */
static unsigned decode(struct disassembly *d, uint64_t at, uint64_t limit, bool *known)
{
    size_t found = range_map_find(&d->by_address, at, NULL);
    const struct code *code = found == RANGE_NONE ? NULL : &d->code[found];
    uint64_t end = code && code->end < limit ? code->end : limit;
    const uint8_t *bytes;
    size_t size;

    if (!code || at >= end)
        return 0;
    bytes = code->bytes + (at - code->start);
    size = end - at;
    *known = cs_disasm_iter(d->handle, &bytes, &size, &at, d->decoded);
    return *known ? d->decoded->size : 1;
}

static uint8_t byte_at(const struct disassembly *d, uint64_t address)
{
    const struct code *code = &d->code[range_map_find(&d->by_address, address, NULL)];

    return code->bytes[address - code->start];
}

static void fill(const struct disassembly *d, uint64_t start, unsigned length, bool known,
                 struct instruction *to)
{
    *to = (struct instruction){.start = start, .length = length};
    if (known)
        snprintf(to->text, sizeof(to->text), "%s%s%s", d->decoded->mnemonic,
                 *d->decoded->op_str ? " " : "", d->decoded->op_str);
    else
        snprintf(to->text, sizeof(to->text), ".byte 0x%02x", byte_at(d, start));
}

bool disassembly_find(struct disassembly *d, uint64_t address, struct instruction *to)
{
    const struct symbol *f = symbols_find(d->symbols, address);
    uint64_t at;
    unsigned length;
    bool known = false;

    if (!f || address - f->start >= REACH)
        return false;
    at = d->within == f && d->last.start <= address ? d->last.start : f->start;
    while ((length = decode(d, at, f->end, &known)) && address - at >= length)
        at += length;
    if (!length)
        return false;
    fill(d, at, length, known, to);
    d->last = *to;
    d->within = f;
    return true;
}

bool disassembly_next(struct disassembly *d, struct instruction *i)
{
    uint64_t at = i->start + i->length, limit;
    size_t found = range_map_find(&d->symbols->by_address, at, &limit);
    bool known = false;
    unsigned length;

    if (found != RANGE_NONE)
        limit = d->symbols->symbol[found].end;
    length = decode(d, at, limit, &known);
    if (length)
        fill(d, at, length, known, i);
    return length;
}
