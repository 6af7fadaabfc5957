/* SPDX-License-Identifier: MIT */
/* Puts a file into the program: as the assembler for WebAssembly has it, which wants a type and a size of each. */
#pragma once

#define EMBED(name, file)                                                                                   \
    __asm__(".section .rodata." #name ",\"\",@\n.globl " #name "\n.type " #name ",@object\n" #name ":\n"    \
            ".incbin \"" file "\"\n.size " #name ", " #name "_end-" #name "\n"                              \
            ".globl " #name "_end\n.type " #name "_end,@object\n" #name "_end:\n.size " #name "_end, 0\n"); \
    extern const char name[], name##_end[]
