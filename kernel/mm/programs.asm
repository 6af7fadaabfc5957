; SPDX-License-Identifier: MIT
;
; Carries the user programs (kernel/tasks/), each a complete ELF file, and their table, rows of struct program
; (kernel/mm/programs.h).  The Makefile lists them in build/programs.inc, a line each.

bits 64

global program_table, program_table_end

%macro PROGRAM 2                        ; name, file
    [section .rodata]
    %defstr %%text %1
    %%name: db %%text, 0
    align 8, db 0
    %%begin: incbin %2
    %%end:
    [section .rodata.programs]
    dq %%name, %%begin, %%end
%endmacro

section .rodata progbits alloc noexec nowrite align=8
section .rodata.programs progbits alloc noexec nowrite align=8
program_table:
%include "build/programs.inc"
section .rodata.programs
program_table_end:
