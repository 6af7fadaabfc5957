; SPDX-License-Identifier: MIT
;
; The flash door: an image with its own reset vector, which runs without firmware.  It
; is a multiboot loader (boot/multiboot.asm), so that the code of a 32-bit entry exists
; once.  Nothing here sets up a memory controller: emulators need none, and on a board
; the firmware has done it.
; Intel SDM 3A, section 9.1 (reset); Multiboot Specification 0.6.96.

%include "boot/gdt.inc"
%include "boot/multiboot.inc"

%ifndef CORE
%define CORE "build/core.bin"
%endif

bits 16

CONFIG_BYTES equ 512
FILES        equ 16                     ; kernel/boot_info.h, BOOT_MODULES
TAIL_BYTES   equ 2048                   ; configuration, list of files, code and reset vector
RESET_BYTES  equ 16
ERASED       equ 0xff                   ; value of flash bytes that were never written

; The size of the smallest flash chip that holds everything: a power of two, and at
; least 64 KiB, which QEMU requires.
LEAST     equ core_bytes + TAIL_BYTES - 1
SPREAD_1  equ LEAST | LEAST >> 1
SPREAD_2  equ SPREAD_1 | SPREAD_1 >> 2
SPREAD_4  equ SPREAD_2 | SPREAD_2 >> 4
SPREAD_8  equ SPREAD_4 | SPREAD_4 >> 8
SPREAD_16 equ SPREAD_8 | SPREAD_8 >> 16
ROM_BYTES equ (SPREAD_16 | 0xffff) + 1

; The chip ends at the end of the 32-bit address space.
%define FLASH(label) ((label) - rom_end)
%define NEAR(label)  (0x10000 + FLASH(label)) ; in the code segment after reset

INFO_AT   equ 0x1000                    ; in the first MiB, which the core does not use
REGION_AT equ 0x1100
MODULES_AT equ 0x1200
STACK_TOP equ 0x8000
MIB       equ 0x100000
FILES_AT  equ 16 * MIB                  ; where files go; a core ends before
FILES_SPARE equ 16 * MIB                ; memory that they leave for the image: boot/task_files.h, TASK_FILES_SPARE
MEMORY_TOP equ 2048 * MIB               ; memory above may have holes, and more is not needed

CR0_NW equ 1 << 29
CR0_CD equ 1 << 30

rom_start:
core:
    incbin CORE
core_bytes equ $ - core

    times ROM_BYTES - TAIL_BYTES - ($ - rom_start) db ERASED

; One line, ended by a zero, that tools/rom-config finds by its first word.  This word
; takes the place of the image's name, with which a multiboot command line begins.
config:
    db "cpuprobe-words: ", 0
    times CONFIG_BYTES - 1 - ($ - config) db ERASED
    db 0

; Files for tasks, before the chip that was made here: tools/rom-config puts them there, and finds this list by its
; first word.
    db "cpuprobe-files: "
files_before: dd 0                      ; bytes that were put before rom_start
files_count: dd 0
files_list: times FILES * mb_module_size db 0 ; addresses in flash

start:
    cli
    cld
    o32 lgdt [cs:NEAR(gdtr)]
    mov eax, cr0
    and eax, ~(CR0_CD | CR0_NW)         ; reset leaves the caches off
    or al, CR0_PE
    mov cr0, eax
    jmp dword 8:FLASH(protected)

bits 32
protected:
    mov eax, 16
    mov ds, eax
    mov es, eax
    mov ss, eax

; No firmware can tell the size of the memory.  A MiB is memory if its last word keeps a
; value that is written to it.
    mov ebx, MIB
.probe:
    lea eax, [ebx + MIB]
    mov [eax - 4], eax
    cmp [eax - 4], eax
    jne .probed
    mov ebx, eax
    cmp ebx, MEMORY_TOP
    jb .probe
.probed:

    mov esi, FLASH(core)
    mov edi, [esi + MB_HEADER_OFFSET + mb_header.load]
    mov ecx, [esi + MB_HEADER_OFFSET + mb_header.load_end]
    mov edx, [esi + MB_HEADER_OFFSET + mb_header.bss_end]
    mov ebp, [esi + MB_HEADER_OFFSET + mb_header.entry]
    sub ecx, edi
    shr ecx, 2
    rep movsd
    xor eax, eax
    mov ecx, edx
    sub ecx, edi
    shr ecx, 2
    rep stosd

; The core takes files from memory that is in its map.
    mov esp, STACK_TOP
    push ebp
    mov ebp, MODULES_AT
    mov edx, FLASH(files_list)
    mov eax, [dword FLASH(files_count)]
    mov edi, FILES_AT
.file:
    sub eax, 1
    jb .listed
    push eax
    mov esi, [edx + mb_module.begin]
    mov ecx, [edx + mb_module.end]
    sub ecx, esi
    mov eax, [edx + mb_module.line]
    mov [ebp + mb_module.line], eax
    lea eax, [edi + ecx + FILES_SPARE]
    cmp eax, ebx
    ja .no_memory
    mov [ebp + mb_module.begin], edi
    lea eax, [edi + ecx]
    mov [ebp + mb_module.end], eax
    mov dword [ebp + mb_module.reserved], MB_MODULE_WHOLE
    add ecx, 3
    shr ecx, 2
    rep movsd
    add edi, 4095
    and edi, ~4095
    jmp .next
.no_memory:
    mov dword [ebp + mb_module.begin], 0
    mov [ebp + mb_module.end], ecx
    mov dword [ebp + mb_module.reserved], MB_MODULE_NO_MEMORY
.next:
    pop eax
    add edx, mb_module_size
    add ebp, mb_module_size
    jmp .file
.listed:
    pop ebp
    xor eax, eax

    mov edi, REGION_AT
    mov dword [edi + mb_region.size], mb_region_size - 4
    mov dword [edi + mb_region.base], MIB
    mov [edi + mb_region.base + 4], eax
    sub ebx, MIB
    mov [edi + mb_region.length], ebx
    mov [edi + mb_region.length + 4], eax
    mov dword [edi + mb_region.type], MB_REGION_FREE
    mov ebx, INFO_AT
    mov dword [ebx + mb_info.flags], MB_HAS_COMMAND_LINE | MB_HAS_MODULES | MB_HAS_MEMORY_MAP | MB_HAS_LOADER_NAME
    mov eax, [dword FLASH(files_count)]
    mov [ebx + mb_info.modules], eax
    mov dword [ebx + mb_info.modules_at], MODULES_AT
    mov dword [ebx + mb_info.command_line], FLASH(config)
    mov dword [ebx + mb_info.map_length], mb_region_size
    mov [ebx + mb_info.map_at], edi
    mov dword [ebx + mb_info.loader_name], FLASH(name)
    mov eax, MB_LOADER
    jmp ebp

align 8
gdt:
    dq 0
    dq GDT_CODE32
    dq GDT_DATA32
gdtr:
    dw $ - gdt - 1
    dd FLASH(gdt)
name:
    db "cpuprobe-rom", 0                ; boot/multiboot.c knows it

    times ROM_BYTES - RESET_BYTES - ($ - rom_start) db ERASED
reset:                                  ; 0xfffffff0
    jmp near start
    times RESET_BYTES - ($ - reset) db ERASED
rom_end:
