; SPDX-License-Identifier: MIT
;
; Room for the names of the functions, packed by gzip, and how many bytes they take so.  They are known only after the
; image was linked; then the Makefile puts in here what tools/build/embed-symbols has made.

bits 64

SYMBOLS_BYTES equ 20480 ; tools/build/embed-symbols takes the size from the section

global packed_symbols_bytes, packed_symbols

section .symbols progbits alloc noexec nowrite align=8
packed_symbols_bytes:
    dd 0
packed_symbols:
    times SYMBOLS_BYTES - 4 db 0
