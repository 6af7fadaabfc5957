; SPDX-License-Identifier: MIT
;
; The hostile states for the doors that no multiboot loader enters: a far procedure at its first byte, which
; hostile_rom.asm, hostile_mbr.asm and hostile_uefi.c call, 32-bit, on a stack of theirs; it keeps no register
; but esp.  tests/qemu/hostile.py puts the words behind the mark.

%include "tests/qemu/hostile_resident.inc"

bits 32
org RESIDENT_AT

    jmp start
    db "hostile states: "
words: times 256 db 0

start:
    mov esi, words
    call make_states
    retf

%include "tests/qemu/hostile_states.inc"

    times RESIDENT_BYTES - ($ - $$) db 0
