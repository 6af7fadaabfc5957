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
    const uint8_t *bytes;
};

static void add_code(struct disassembly *d, uint64_t start, const Elf_Data *data)
{
    if (!data || !data->d_buf || !data->d_size)
        return;
    d->code = xrealloc_array(d->code, d->codes + 1, sizeof(*d->code));
    start += d->symbols->base;
    d->code[d->codes++] = (struct code){start, elf_file_end(start, data->d_size, UINT64_MAX), data->d_buf};
}

static void add_sections(struct disassembly *d, Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &header) && elf_file_is_code(&header) &&
            header.sh_type != SHT_NOBITS)
            add_code(d, header.sh_addr, elf_rawdata(section, NULL));
}

/* Only for files without sections: the segments of debug files describe bytes that the file lacks. */
static void add_segments(struct disassembly *d, Elf *elf)
{
    GElf_Phdr segment;
    size_t sections, count;

    if (elf_getshdrnum(elf, &sections) || sections || elf_getphdrnum(elf, &count))
        return;
    for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &segment); i++)
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_X)
            add_code(d, segment.p_vaddr,
                     elf_getdata_rawchunk(elf, (int64_t)segment.p_offset, segment.p_filesz,
                                          ELF_T_BYTE));
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
static const struct decoder *decoder_of(Elf *elf)
{
    GElf_Ehdr header;

    if (!gelf_getehdr(elf, &header) || header.e_ident[EI_DATA] != ELFDATA2LSB)
        return NULL;
    for (size_t i = 0; i < sizeof(decoders) / sizeof(*decoders); i++)
        if (decoders[i].machine == header.e_machine)
            return &decoders[i];
    return NULL;
}

bool disassembly_open(struct disassembly *d, const struct symbols *s)
{
    const struct decoder *decoder = decoder_of(s->file.elf);

    *d = (struct disassembly){.symbols = s};
    if (!decoder)
        return false;
    add_sections(d, s->file.elf);
    add_segments(d, s->file.elf);
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
