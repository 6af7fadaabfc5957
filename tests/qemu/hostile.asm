; SPDX-License-Identifier: MIT
;
; A stage before the image that leaves the machine as bad firmware might (hostile_states.inc): QEMU's
; -kernel, with the flat core as its -initrd.  The module's words are the states,
; for build/uncured.bin what to leave out (tests/qemu/uncured.h), and the door:
; "linux" enters the core by Linux's 32-bit boot protocol, else multiboot does.
; Multiboot Specification 0.6.96.

bits 32
%include "tests/qemu/core_module.inc"
%include "boot/linux/zero_page.inc"

org 0x1000000                           ; clear of the core, which goes to 1 MiB

WORDS_SIZE equ 256
ZERO_PAGE  equ 0x5000

MBI_LINE      equ 16                    ; struct multiboot_info
MBI_MAP_LENGTH equ 44
MBI_MAP       equ 48
REGION_BASE   equ 4                     ; struct of a region: its size comes first
REGION_BYTES  equ 24

header:
    dd MB_MAGIC, MB_FLAGS, -(MB_MAGIC + MB_FLAGS)
    dd header, header, end, stack_top, entry

entry:                                  ; ebx = struct multiboot_info
    cli
    cld
    mov esp, stack_top
    mov ebp, [ebx + MBI_MODULES]
    mov esi, [ebp + MODULE_STRING]
.name:                                  ; of the file
    lodsb
    cmp al, ' '
    ja .name
    mov edi, words
    mov ecx, WORDS_SIZE - 1
.copy:
    lodsb
    stosb
    test al, al
    loopnz .copy

    PLACE_CORE
    call make_zero_page
    mov esi, words
    call make_states
    cmp dword [esi], "linu"
    je .linux
    mov eax, MB_LOADER
    jmp [ebp + CORE_ENTRY]
.linux:                                 ; its entry is the first byte
    mov esi, ZERO_PAGE
    mov eax, ebp
    xor ebp, ebp
    xor edi, edi
    xor ebx, ebx
    jmp eax

; What Linux's protocol has in place of the struct at ebx: the words behind the name of the file, the map of memory, a
; screen of text.
make_zero_page:
    mov edi, ZERO_PAGE
    mov ecx, ZERO_PAGE_BYTES / 4
    xor eax, eax
    rep stosd
    mov byte [ZERO_PAGE + zero_page.video], VIDEO_TEXT
    mov esi, [ebx + MBI_LINE]
.name:
    lodsb
    cmp al, ' '
    ja .name
    mov [ZERO_PAGE + zero_page.line], esi
    mov esi, [ebx + MBI_MAP]
    mov edx, esi
    add edx, [ebx + MBI_MAP_LENGTH]
    mov edi, ZERO_PAGE + zero_page.region
.region:
    cmp esi, edx
    jae .end
    add esi, REGION_BASE
    mov ecx, REGION_BYTES - REGION_BASE
    rep movsb
    inc byte [ZERO_PAGE + zero_page.regions]
    jmp .region
.end:
    ret

%include "tests/qemu/hostile_states.inc"

words: times WORDS_SIZE db 0
end:
stack_top equ end + 4096
