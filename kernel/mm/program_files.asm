; SPDX-License-Identifier: MIT
;
; The user programs (kernel/tasks/), each a complete ELF file, as one flat file: their number, a row each as struct
; program has it (kernel/mm/programs.h), with offsets from here for addresses, and what these lead to.  The Makefile
; lists the programs in build/programs.inc, a line each.

bits 64

section .text align=8
section .files follows=.text align=8

section .text
files:
    dq (files_end - .rows) / 24
.rows:
%macro PROGRAM 2                        ; name, file
    section .files
    %defstr %%text %1
    %%name: db %%text, 0
    align 8, db 0
    %%begin: incbin %2
    %%end:
    section .text
    dq %%name - files, %%begin - files, %%end - files
%endmacro
%include "build/programs.inc"
files_end:
