; SPDX-License-Identifier: MIT
;
; The beginning of the disk's loader, at 0x8000, and its calls to the BIOS: 32-bit C
; (boot/disk/main.c) calls a service in 16-bit code by bios_call.
; Intel SDM 3A, section 9.9 (switching modes).

%include "boot/gdt.inc"
%include "boot/disk/disk.inc"

GDT_CODE16 equ 0x00009b000000ffff       ; limit 64 KiB, which real mode requires
GDT_DATA16 equ 0x000093000000ffff
CODE32 equ 8
DATA32 equ 16
CODE16 equ 24
DATA16 equ 32

BIOS_STACK equ MBR_AT - 0x1000          ; below our own stack

struc registers                         ; struct bios_registers, boot/disk/bios.h
    .eax: resd 1
    .ebx: resd 1
    .ecx: resd 1
    .edx: resd 1
    .esi: resd 1
    .edi: resd 1
    .flags: resd 1
endstruc

extern disk_main
global bios_call, bios_registers

section .start progbits alloc exec write align=4
bits 16
    dd LOADER_MAGIC
    cli
    xor dh, dh
    push word 0                         ; disk_main's argument: the drive
    push dx
    lgdt [gdtr]
    mov eax, cr0
    or al, CR0_PE
    mov cr0, eax
    jmp CODE32:.protected
bits 32
.protected:
    mov eax, DATA32
    mov ds, eax
    mov es, eax
    mov ss, eax
    movzx esp, sp
    call disk_main                      ; does not return

; void bios_call(uint32_t vector): executes `int vector` with the registers in
; bios_registers, and stores the results there.  DS = ES = 0.
bios_call:
    mov al, [esp + 4]
    mov [.vector], al
    pushad
    mov [own_stack], esp
    mov esp, BIOS_STACK
    lidt [real_idtr]
    jmp CODE16:.protected16
bits 16
.protected16:
    mov ax, DATA16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov eax, cr0
    and al, ~CR0_PE
    mov cr0, eax
    jmp 0:.real
.real:
    xor ax, ax
    mov ds, ax
    mov es, ax
    mov fs, ax
    mov gs, ax
    mov ss, ax
    mov eax, [bios_registers + registers.eax]
    mov ebx, [bios_registers + registers.ebx]
    mov ecx, [bios_registers + registers.ecx]
    mov edx, [bios_registers + registers.edx]
    mov esi, [bios_registers + registers.esi]
    mov edi, [bios_registers + registers.edi]
    sti
    db 0xcd                             ; int; its vector was stored above
.vector:
    db 0
    cli
    cld
    push word 0
    pop ds
    mov [bios_registers + registers.eax], eax
    mov [bios_registers + registers.ebx], ebx
    mov [bios_registers + registers.ecx], ecx
    mov [bios_registers + registers.edx], edx
    pushfd
    pop dword [bios_registers + registers.flags]
    lgdt [gdtr]                         ; a BIOS may have loaded its own
    mov eax, cr0
    or al, CR0_PE
    mov cr0, eax
    jmp CODE32:.back
bits 32
.back:
    mov eax, DATA32
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov esp, [own_stack]
    popad
    ret

align 8
gdt:
    dq 0
    dq GDT_CODE32
    dq GDT_DATA32
    dq GDT_CODE16
    dq GDT_DATA16
gdtr:
    dw $ - gdt - 1
    dd gdt
real_idtr:
    dw 0x3ff
    dd 0
own_stack: dd 0
bios_registers: times registers_size db 0

section .note.GNU-stack noalloc noexec nowrite progbits
