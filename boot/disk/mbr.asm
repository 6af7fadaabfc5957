; SPDX-License-Identifier: MIT
;
; The first sector of the disk image, up to the partition table: reads the loader
; from the sectors after it and jumps to it.  Phoenix, BIOS Enhanced Disk Drive
; Specification 1.1 (int 13h functions 41h and 42h).

%include "boot/disk/disk.inc"

MBR_BYTES equ 440                       ; then the disk's signature and the partitions

EDD_PRESENT equ 0x41
EDD_READ    equ 0x42
EDD_PACKET  equ 1 << 0                  ; interface bit for functions 42h to 44h
TELETYPE    equ 0x0e

UART_LSR equ 5
LSR_THRE equ 1 << 5

bits 16
org MBR_AT

    cli
    cld
    xor ax, ax
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov sp, MBR_AT
    jmp 0:.here                         ; some BIOSes enter at 07C0:0000
.here:
    sti
    push dx                             ; DL: the drive

    mov ah, EDD_PRESENT
    mov bx, 0x55aa
    int 0x13
    mov si, no_edd
    jc fail
    cmp bx, 0xaa55
    jne fail
    test cl, EDD_PACKET
    jz fail

    pop dx
    push dx
    mov ah, EDD_READ
    mov si, packet
    int 0x13
    mov si, no_read
    jc fail
    cmp dword [LOADER_AT], LOADER_MAGIC
    jne fail
    pop dx
    jmp LOADER_AT + 4

; Print the message at SI on the screen and on COM1, at the speed that is set there.
fail:
    lodsb
    test al, al
    jz .end
    push ax
    mov ah, TELETYPE
    mov bx, 7
    int 0x10
    mov dx, COM1 + UART_LSR
    xor cx, cx                          ; 65536 tries
.wait:
    in al, dx
    test al, LSR_THRE
    loopz .wait
    pop ax
    mov dx, COM1
    out dx, al
    jmp fail
.end:
    mov al, EXIT_FAILURE
    out DEBUG_EXIT, al
.halt:
    hlt
    jmp .halt

packet:
    db 16, 0
    dw LOADER_SECTORS
    dw LOADER_AT, 0
    dq 1

no_edd:
    db "cpuprobe: error: this BIOS cannot read the disk by block number (int 13h, 41h)", 13, 10, 0
no_read:
    db "cpuprobe: error: the sectors behind the first cannot be read, or are not cpuprobe's", 13, 10, 0

    times MBR_BYTES - ($ - $$) db 0
