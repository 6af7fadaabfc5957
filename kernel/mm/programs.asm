; SPDX-License-Identifier: MIT
;
; The user programs (kernel/tasks/), each a complete ELF file.  The Makefile lists them
; in build/programs.inc, a line each.

bits 64

global program_table, program_table_end

%macro PROGRAM 2                        ; name, file
    [section .rodata]
    %defstr %%text %1
    %%name: db %%text, 0
    align 8
    %%begin: incbin %2
    %%end:
    align 8
    [section .rodata.programs]
    dq %%name, %%begin, %%end
%endmacro

section .rodata.programs progbits alloc noexec nowrite align=8
program_table:
%include "build/programs.inc"
section .rodata.programs
program_table_end:
