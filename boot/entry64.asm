; SPDX-License-Identifier: MIT
;
; The head of the core image and its 64-bit entry: builds the first page tables for any
; load address, and continues at the addresses for which the image was linked.  Every
; door passes here (see kernel/boot_info.h).

bits 64
default rel

%include "build/offsets.inc"

LINKED_AT   equ 0x100000                ; linker.ld, IMAGE_LOAD
IMAGE_PTS   equ 4                       ; page tables for the image: up to 8 MiB

%include "boot/page.inc"

extern image_start, image_bytes, image_memory, entry64_offset
extern kernel_main
global entry64, enter_high, boot_pml4, boot_stack_top, direct_pds, image_pts, image_physical

section .head.core progbits alloc exec nowrite align=8
    dq CORE_HEAD_MAGIC
    dd entry64_offset                   ; linker.ld
    dd image_bytes
    dd image_memory
    dd 0

section .text progbits alloc exec nowrite align=16
align 16
entry64:                                ; rdi = struct boot_info, physical
    cli
    cld
    mov r12, rdi
    lea rsp, [boot_stack_top]
    call enter_high
    mov rdi, r12
    mov rax, DIRECT_BASE
    add rdi, rax
    xor ebp, ebp
    call kernel_main
.stop:
    hlt
    jmp .stop

; Build the tables and return at the linked address, on the linked stack.  Runs
; identity-mapped; uses rax, rbx, rcx, rdx, rsi, r8.
enter_high:
    lea rbx, [image_start]              ; physical address of the image
    lea rsi, [image_physical]
    mov [rsi], rbx

    ; 0 .. 4 GiB in 2 MiB pages: these tables serve the identity map and the direct map.
    lea rdx, [direct_pds]
    mov rax, PAGE_P | PAGE_W | PAGE_PS
    mov ecx, 4 * 512
.direct:
    mov [rdx], rax
    add rdx, 8
    add rax, 0x200000
    dec ecx
    jnz .direct
    lea rax, [direct_pds + PAGE_P + PAGE_W]
    lea rdx, [direct_pdpt]
    mov ecx, 4
.pdpt:
    mov [rdx], rax
    add rdx, 8
    add rax, 4096
    dec ecx
    jnz .pdpt

    ; The image at KERNEL_BASE + LINKED_AT, page by page.
    lea rdx, [image_pts + (LINKED_AT >> 12) * 8]
    lea rax, [rbx + PAGE_P + PAGE_W]
    mov ecx, image_memory
    shr ecx, 12
.image:
    mov [rdx], rax
    add rdx, 8
    add rax, 4096
    dec ecx
    jnz .image
    lea rax, [image_pts + PAGE_P + PAGE_W]
    lea rdx, [image_pd]
    mov ecx, IMAGE_PTS
.pd:
    mov [rdx], rax
    add rdx, 8
    add rax, 4096
    dec ecx
    jnz .pd
    lea rax, [image_pd + PAGE_P + PAGE_W]
    mov [image_pdpt + 510 * 8], rax

    lea rdx, [boot_pml4]
    lea rax, [direct_pdpt + PAGE_P + PAGE_W]
    mov [rdx], rax                      ; identity map: until paging_init
    mov [rdx + 256 * 8], rax            ; direct map
    lea rax, [image_pdpt + PAGE_P + PAGE_W]
    mov [rdx + 511 * 8], rax
    mov cr3, rdx

    ; r8: the distance from loaded to linked addresses.
    mov r8, image_start
    sub r8, rbx
    add rsp, r8
    add [rsp], r8                       ; return to the linked address
    ret

section .bss nobits alloc noexec write align=4096
boot_pml4:   resb 4096
direct_pdpt: resb 4096
direct_pds:  resb 4 * 4096
image_pdpt:  resb 4096
image_pd:    resb 4096
image_pts:   resb IMAGE_PTS * 4096
boot_stack:  resb 16384
boot_stack_top:
image_physical: resq 1
