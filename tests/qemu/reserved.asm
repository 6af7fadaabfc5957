; SPDX-License-Identifier: MIT
;
; A stage before the image whose map of memory is the second module, after the
; flat core as the first: QEMU's -kernel.  It fills all that the map does not call
; free with a pattern (tests/qemu/reserved.py) and starts the core with that map.
; Multiboot Specification 0.6.96.

bits 32
%include "tests/qemu/core_module.inc"

org 0x1000000                           ; clear of the core, which goes to 1 MiB

MBI_FLAGS   equ 0                       ; struct multiboot_info
MBI_MAP_LENGTH equ 44
MBI_MAP     equ 48
HAS_MODULES equ 1 << 3
HAS_MAP     equ 1 << 6
MODULE_BYTES equ 16
REGION_BASE equ 4                       ; struct of a region
REGION_LENGTH equ 12
REGION_TYPE equ 20
REGION_BYTES equ 24
REGION_FREE equ 1
PATTERN     equ 0x5aa5c33c              ; a word is its address with these bits turned

header:
    dd MB_MAGIC, MB_FLAGS, -(MB_MAGIC + MB_FLAGS)
    dd header, header, end, stack_top, entry

entry:                                  ; ebx = struct multiboot_info
    cli
    cld
    mov esp, stack_top
    mov ebp, [ebx + MBI_MODULES]
    mov eax, [ebp + MODULE_BYTES + MODULE_START]
    mov [ebx + MBI_MAP], eax
    mov ecx, [ebp + MODULE_BYTES + MODULE_END]
    sub ecx, eax
    mov [ebx + MBI_MAP_LENGTH], ecx
    and dword [ebx + MBI_FLAGS], ~HAS_MODULES
    or dword [ebx + MBI_FLAGS], HAS_MAP
    PLACE_CORE

    mov esi, [ebx + MBI_MAP]
    mov edx, esi
    add edx, [ebx + MBI_MAP_LENGTH]
.region:
    cmp esi, edx
    jae .start
    cmp dword [esi + REGION_TYPE], REGION_FREE
    je .next
    mov edi, [esi + REGION_BASE]
    mov ecx, [esi + REGION_LENGTH]
    cmp dword [esi + REGION_LENGTH + 4], 0 ; so long a one is for the map alone
    jne .next
    shr ecx, 2
    jz .next
.word:
    mov eax, edi
    xor eax, PATTERN
    stosd
    loop .word
.next:
    add esi, REGION_BYTES
    jmp .region
.start:
    mov eax, MB_LOADER
    jmp [ebp + CORE_ENTRY]

align 8
end:
stack_top equ end + 4096
