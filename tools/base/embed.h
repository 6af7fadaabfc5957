/* SPDX-License-Identifier: MIT */
/* Puts a file into the program, by the assembler: the Makefile names it too, no compiler tells what .incbin reads. */
#pragma once

/* The bytes of a file, named from the top folder: from `name` up to `name_end`. */
#define EMBED(name, file)                                                                                 \
    __asm__(".pushsection .rodata\n" #name ":\n.incbin \"" file "\"\n" #name "_end:\n.popsection\n");     \
    extern const char name[], name##_end[]
