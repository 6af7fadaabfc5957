; SPDX-License-Identifier: MIT
;
; Gives room to the names of the functions.  They are known only after the image was linked; then the Makefile puts in
; here what tools/build/embed-symbols has made.

bits 64

SYMBOLS_BYTES equ 49152 ; tools/build/embed-symbols takes the size from the section

global symbol_table

section .symbols progbits alloc noexec nowrite align=8
symbol_table:
    times SYMBOLS_BYTES db 0
