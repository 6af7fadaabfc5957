; SPDX-License-Identifier: MIT
;
; A stage before the image that sets a graphics mode and hands a framebuffer over as a multiboot loader does: QEMU's
; -kernel, with the flat core as its -initrd.  The module's words are hexadecimal numbers: width, height and bits of
; the mode that is set; then what is told of it: address (low, high half), pitch, width, height, bits, and red, green
; and blue as shift + 256 * bits.  Multiboot Specification 0.6.96, 3.3; QEMU's docs/specs/standard-vga.

bits 32
%include "tests/qemu/core_module.inc"

org 0x1000000                           ; clear of the core, which goes to 1 MiB

MBI_FRAMEBUFFER equ 88
MBI_BYTES       equ 116
HAS_MODULES     equ 1 << 3
HAS_FRAMEBUFFER equ 1 << 12
TYPE_RGB        equ 1

DISPI_INDEX  equ 0x1ce
DISPI_DATA   equ 0x1cf
DISPI_WIDTH  equ 1
DISPI_HEIGHT equ 2
DISPI_BITS   equ 3
DISPI_ENABLE equ 4
DISPI_ON     equ 0x41                   ; with its linear framebuffer

NUMBERS equ 12

%macro DISPI 2 ; index, value in a register of 16 bits or a number; destroys eax, edx
    push %2
    mov dx, DISPI_INDEX
    mov ax, %1
    out dx, ax
    pop eax
    mov dx, DISPI_DATA
    out dx, ax
%endmacro

header:
    dd MB_MAGIC, MB_FLAGS, -(MB_MAGIC + MB_FLAGS)
    dd header, header, end, stack_top, entry

entry:                                  ; ebx = struct multiboot_info
    cli
    cld
    mov esp, stack_top
    mov ebp, [ebx + MBI_MODULES]
    mov esi, [ebp + MODULE_STRING]
    call skip_word                      ; the name of the file
    mov edi, numbers
.next:
    call take_number
    stosd
    cmp edi, numbers + 4 * NUMBERS
    jb .next

    DISPI DISPI_ENABLE, dword 0
    DISPI DISPI_WIDTH, dword [numbers]
    DISPI DISPI_HEIGHT, dword [numbers + 4]
    DISPI DISPI_BITS, dword [numbers + 8]
    DISPI DISPI_ENABLE, dword DISPI_ON

    PLACE_CORE

    mov esi, ebx                        ; the loader's information, and what is told of the screen
    mov edi, info
    mov ecx, MBI_FRAMEBUFFER
    rep movsb
    and dword [info], ~HAS_MODULES
    or dword [info], HAS_FRAMEBUFFER
    mov esi, numbers + 12
    mov ecx, 5                          ; address, pitch, width, height
    rep movsd
    lodsd
    mov ah, TYPE_RGB
    stosw
    mov ecx, 3
.colour:
    lodsd
    stosw
    loop .colour
    mov ebx, info
    mov eax, MB_LOADER
    jmp [ebp + CORE_ENTRY]

skip_word:                              ; past the next blank at esi, or to the end
    cmp byte [esi], 0
    je .end
    inc esi
    cmp byte [esi - 1], ' '
    jne skip_word
.end:
    ret

; The hexadecimal number at esi, in lower case, in eax; destroys ecx.
take_number:
    xor eax, eax
.next:
    movzx ecx, byte [esi]
    sub ecx, '0'
    js skip_word
    cmp ecx, 9
    jbe .digit
    sub ecx, 'a' - '0' - 10
.digit:
    shl eax, 4
    or eax, ecx
    inc esi
    jmp .next

align 4
numbers: times NUMBERS dd 0
info:    times MBI_BYTES db 0
stack:   times 512 db 0
stack_top:
end:
