; SPDX-License-Identifier: MIT
;
; Room for the names of the functions.  They are known only after the image was linked;
; then the Makefile puts build/symbols.bin here.

bits 64

SYMBOLS_BYTES equ 36864 ; tools/build/embed-symbols takes the size from the section

global symbol_table

section .symbols progbits alloc noexec nowrite align=8
symbol_table:
    times SYMBOLS_BYTES db 0
