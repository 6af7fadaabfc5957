; SPDX-License-Identifier: MIT
;
; What makes hostile states before the flash image runs: it stands in bytes of the chip's tail that were never
; written, right before the reset vector, which tests/qemu/hostile.py leads here.  Behind it the image's own beginning
; runs as after reset but for the bit PE of CR0: its code segment has the base that reset gives it.
; Intel SDM 3A, 9.1 (reset), 3.4.5 (descriptors).

%include "boot/gdt.inc"
%include "tests/qemu/hostile_resident.inc"

bits 16
org 0

ENTRY_BYTES equ 256                     ; hostile.py has it too
RESET_BYTES equ 16
STACK_TOP   equ 0x8000
GDT_CODE16  equ 0xff009bff0000ffff      ; base 0xffff0000, limit 64 KiB
CODE32      equ 8
DATA32      equ 16
CODE16      equ 24

%define NEAR(label)  (0x10000 - RESET_BYTES - ENTRY_BYTES + (label))
%define FLASH(label) ((label) - RESET_BYTES - ENTRY_BYTES)

entry:
    cli
    cld
    o32 lgdt [cs:NEAR(gdtr)]
    mov eax, cr0
    or al, CR0_PE
    mov cr0, eax
    jmp dword CODE32:FLASH(protected)

bits 32
protected:
    mov eax, DATA32
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov esp, STACK_TOP
    mov esi, [dword FLASH(resident)]
    mov edi, RESIDENT_AT
    mov ecx, RESIDENT_BYTES / 4
    rep movsd
    call CODE32:RESIDENT_AT
    mov eax, [dword FLASH(image)]
    push dword CODE16
    push eax
    retf

align 8
gdt:
    dq 0
    dq GDT_CODE32
    dq GDT_DATA32
    dq GDT_CODE16
gdtr:
    dw $ - gdt - 1
    dd FLASH(gdt)

    times ENTRY_BYTES - 8 - ($ - $$) db 0xff
resident: dd 0                          ; where build/qemu/hostile_resident.bin is in flash
image:    dd 0                          ; where the reset vector led
