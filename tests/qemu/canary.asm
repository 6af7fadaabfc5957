; SPDX-License-Identifier: MIT
;
; The smallest image that QEMU can boot: says one line on COM1 and leaves through the debug-exit port.  Where it fails
; QEMU is broken, or the way in or out of it, and no other test would tell anything.  Multiboot Specification 0.6.96.

MB_MAGIC   equ 0x1badb002
MB_FLAGS   equ 1 << 16                  ; address fields
LOAD       equ 0x100000

COM1_DATA  equ 0x3f8
COM1_LSR   equ 0x3fd
LSR_THRE   equ 1 << 5
TRIES      equ 100000                   ; bound of the wait for the transmitter
DEBUG_EXIT equ 0xf4
SUCCESS    equ 0x10                     ; the status that tools/boot calls a complete run
FAILURE    equ 0x11

org LOAD
bits 32

header:
    dd MB_MAGIC
    dd MB_FLAGS
    dd -(MB_MAGIC + MB_FLAGS)
    dd header
    dd LOAD
    dd end                              ; end of what is loaded
    dd end                              ; and of bss: there is none
    dd entry

entry:
    cli
    cld
    mov esi, line
.next:
    lodsb
    test al, al
    jz .said
    mov ah, al
    mov edx, COM1_LSR
    mov ecx, TRIES
.wait:
    in al, dx
    test al, LSR_THRE
    jnz .send
    loop .wait
    mov al, FAILURE
    jmp .leave
.send:
    mov al, ah
    mov edx, COM1_DATA
    out dx, al
    jmp .next
.said:
    mov al, SUCCESS
.leave:
    out DEBUG_EXIT, al
.halt:
    hlt
    jmp .halt

line:
    db "canary: alive", 13, 10, 0
end:
