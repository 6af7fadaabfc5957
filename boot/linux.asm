; SPDX-License-Identifier: MIT
;
; The Linux door: the 32-bit and the 64-bit entry of Linux's boot protocol, at the first byte of the core image and
; 512 bytes behind it.  Such loaders do not zero the bss.  The Linux/x86 Boot Protocol 2.15, sections "32-bit Boot
; Protocol" and "64-bit Boot Protocol"; boot/linux/setup.asm is the part in front of the core, with the header.

%include "boot/gdt.inc"
%include "boot/linux/zero_page.inc"
%include "boot/physical.inc"

extern load_data_end, load_bss_end, image_start, image_bytes, image_memory
extern enter_long, boot_stack_top

LINKED_AT equ 0x100000                  ; linker.ld, IMAGE_LOAD
CODE32    equ 8
DATA32    equ 16
CR0_PG    equ 1 << 31
CR4_PCIDE equ 1 << 17

section .head.linux32 progbits alloc exec nowrite align=4096
bits 32
    jmp linux32

section .head.linux64 progbits alloc exec nowrite align=16
bits 64
    jmp linux64

section .text progbits alloc exec nowrite align=16
bits 32
; esi: the zero page.  It has a field of four bytes that is free for us: the stack until we know where we are.
linux32:
    cli
    cld
    lea esp, [esi + zero_page.scratch + 4]
    call .here
.here:
    pop ebp
    sub ebp, PHYS(.here)
    lea edi, [ebp + load_data_end]
    lea ecx, [ebp + load_bss_end]
    sub ecx, edi
    shr ecx, 2
    xor eax, eax
    rep stosd
    mov edi, LINUX_LOADER
    jmp enter_long

bits 64
default rel
; rsi: the zero page, anywhere, as are the words: both are copied to where our own tables reach.
linux64:
    cli
    cld
    lea rbx, [image_start]
    mov rax, rbx
    shr rax, 32
    jnz .stop                           ; nothing here runs above 4 GiB, and no message can be printed
    mov ecx, image_bytes
    lea rdi, [rbx + rcx]
    neg ecx
    add ecx, image_memory
    shr ecx, 3
    xor eax, eax
    rep stosq
    lea rdi, [parameters]
    mov rbp, rdi
    mov ecx, ZERO_PAGE_BYTES / 8
    rep movsq
    mov eax, [rbp + zero_page.line_high]
    shl rax, 32
    mov esi, [rbp + zero_page.line]
    or rsi, rax
    jz .copied
    lea rdi, [words]
    mov [rbp + zero_page.line], edi
    mov ecx, WORDS_BYTES - 1
.copy:
    lodsb
    stosb
    test al, al
    loopnz .copy
.copied:
; Back to 32 bits without paging, because only there five levels of page tables can be left.
    mov rax, cr4
    and eax, ~CR4_PCIDE                 ; with it, paging could not be switched off
    mov cr4, rax
    lea rsp, [boot_stack_top]
    lea rax, [gdt]
    sub rsp, 16
    mov word [rsp], GDT_BYTES - 1
    mov [rsp + 2], rax
    lgdt [rsp]
    lea rax, [.unpaged]
    push CODE32
    push rax
    retfq
.stop:
    hlt
    jmp .stop

bits 32
.unpaged:
    mov eax, DATA32
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov eax, cr0
    and eax, ~CR0_PG
    mov cr0, eax
    mov esi, ebp
    mov edi, LINUX_LOADER
    lea ebp, [ebx - LINKED_AT]
    jmp enter_long

section .rodata progbits alloc noexec nowrite align=8
gdt:
    dq 0
    dq GDT_CODE32
    dq GDT_DATA32
GDT_BYTES equ $ - gdt

section .bss nobits alloc noexec write align=16
parameters: resb ZERO_PAGE_BYTES
words:      resb WORDS_BYTES
