; SPDX-License-Identifier: MIT
;
; A first sector that stays in memory below the disk's own one and hooks the BIOS's disk service: when the loader has
; read the last sector of the core's file, the service returns with hostile states, and with interrupts off.  So the
; BIOS need not serve anybody after them.  tests/qemu/hostile.py tells which sector that is.
; EDD specification 1.1 (int 13h, 42h); Intel SDM 3A, 9.9 (switching modes).

%include "boot/gdt.inc"
%include "boot/disk/disk.inc"
%include "tests/qemu/hostile_resident.inc"

bits 16
org 0

OWN_SEGMENT equ 0x5000                  ; free of BIOS and loader
OWN_AT      equ OWN_SEGMENT << 4
OWN_STACK   equ OWN_AT + 0x8000
MBR_LBA     equ 1 + LOADER_SECTORS      ; hostile.py puts there: the disk's own first sector, then the resident part
SECTOR      equ 512
MBR_BYTES   equ 440
DISK_VECTOR equ 0x13 * 4
EDD_READ    equ 0x42
PACKET_COUNT equ 2
PACKET_FIRST equ 8

GDT_CODE16 equ 0x00009b050000ffff       ; base OWN_AT, limit 64 KiB, which real mode requires
GDT_DATA16 equ 0x000093000000ffff
CODE32 equ 8
DATA32 equ 16
CODE16 equ 24
DATA16 equ 32

    cli
    cld
    xor ax, ax
    mov ds, ax
    mov ss, ax
    mov sp, MBR_AT
    mov ax, OWN_SEGMENT
    mov es, ax
    mov si, MBR_AT
    xor di, di
    mov cx, SECTOR / 2
    rep movsw
    jmp OWN_SEGMENT:.here
.here:
    mov ds, ax
    sti
    mov si, read_resident
    call read
    mov si, read_mbr
    call read
    cli
    xor ax, ax
    mov ds, ax
    mov es, ax
    mov eax, [DISK_VECTOR]
    mov [cs:service], eax
    mov word [DISK_VECTOR], hook
    mov word [DISK_VECTOR + 2], cs
    jmp 0:MBR_AT

read:                                   ; dl = drive
    push dx
    mov ah, EDD_READ
    int 0x13
    pop dx
    jc .fail
    ret
.fail:
    mov al, EXIT_FAILURE
    out DEBUG_EXIT, al
.halt:
    hlt
    jmp .halt

hook:
    cmp ah, EDD_READ
    je .read
    jmp far [cs:service]
.read:
    push eax
    mov eax, [si + PACKET_FIRST]
    mov [cs:first], eax
    movzx eax, word [si + PACKET_COUNT]
    add eax, [cs:first]
    mov [cs:behind], eax
    pop eax
    pushf
    call far [cs:service]
    jc .return
    push eax
    mov eax, [cs:last]
    cmp eax, [cs:behind]
    jae .other
    cmp eax, [cs:first]
    jb .other
    pop eax
    jmp make
.other:
    pop eax
    clc
.return:
    retf 2

make:
    cli
    pushad
    push ds
    push es
    mov [cs:stack], sp
    mov [cs:stack + 2], ss
    o32 lgdt [cs:gdtr]
    mov eax, cr0
    or al, CR0_PE
    mov cr0, eax
    jmp dword CODE32:OWN_AT + protected
bits 32
protected:
    mov eax, DATA32
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov esp, OWN_STACK
    call CODE32:RESIDENT_AT
    jmp CODE16:real16
bits 16
real16:
    mov ax, DATA16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov eax, cr0
    and al, ~CR0_PE
    mov cr0, eax
    jmp OWN_SEGMENT:.real
.real:
    lss sp, [cs:stack]
    pop es
    pop ds
    popad
    clc
    retf 2

align 8
gdt:
    dq 0
    dq GDT_CODE32
    dq GDT_DATA32
    dq GDT_CODE16
    dq GDT_DATA16
gdtr:
    dw $ - gdt - 1
    dd OWN_AT + gdt
read_mbr:
    db 16, 0
    dw 1, MBR_AT, 0
    dq MBR_LBA
read_resident:
    db 16, 0
    dw RESIDENT_BYTES / SECTOR, 0, RESIDENT_AT >> 4
    dq MBR_LBA + 1
service: dd 0
first:   dd 0                           ; of the read in hand
behind:  dd 0
stack:   dd 0

    times MBR_BYTES - 4 - ($ - $$) db 0
last:    dd 0                           ; the sector behind which the states are made
