; SPDX-License-Identifier: MIT
;
; The file that a loader of Linux starts: the header of its boot protocol, the 16-bit entry for loaders that leave the
; machine in real mode, and the core behind them.  The Linux/x86 Boot Protocol 2.15; ACPI specification 6.5, section
; 15.1 (int 15h, E820h).

%include "boot/gdt.inc"
%include "boot/linux/zero_page.inc"

bits 16
org 0

SECTOR        equ 512
SETUP_SECTORS equ 7                     ; behind the first
PARAMETERS    equ (SETUP_SECTORS + 1) * SECTOR ; the zero page for the core, behind our own part
CORE_AT       equ 0x100000
STACK_TOP     equ 0x8000
CODE32        equ 0x10                  ; what the protocol wants
DATA32        equ 0x18
SMAP          equ 0x534d4150
VIDEO_80X25   equ 3
A20_TRIES     equ 1000

LOADED_HIGH   equ 1 << 0
XLF_KERNEL_64 equ 1 << 0
XLF_ABOVE_4G  equ 1 << 1
XLF_5LEVEL    equ 1 << 5                ; five levels of page tables may be on
XLF_5LEVEL_ON equ 1 << 6

    times 0x1f1 db 0
header:
    db SETUP_SECTORS
    dw 0                                ; flags of the root file system
    dd (core_bytes + 15) / 16
    dw 0                                ; size of a RAM disk
    dw 0xffff                           ; video mode: as it is
    dw 0                                ; root device
    dw 0xaa55
    db 0xeb, start - $ - 2              ; its second byte is also where the header ends
    db "HdrS"
    dw 0x020f                           ; version of the protocol
    dd 0                                ; no switch of ours to protected mode
    dw 0x1000
    dw version - SECTOR
    db 0                                ; the loader's number
    db LOADED_HIGH
    dw 0x8000                           ; how much a loader that loads low moves
    dd CORE_AT                          ; code32
    dd 0, 0                             ; RAM disk
    dd 0
    dw STACK_TOP - SECTOR               ; end of the heap, which is not used
    db 0, 0
    dd 0                                ; words
    dd 0x7fffffff                       ; a RAM disk ends before
    dd 4096                             ; alignment
    db 1                                ; runs at any address
    db 12                               ; 4 KiB
    dw XLF_KERNEL_64 | XLF_ABOVE_4G | XLF_5LEVEL | XLF_5LEVEL_ON
    dd WORDS_BYTES - 1
    dd 0
    dq 0
    dd 0, 0                             ; no compressed part
    dq 0                                ; no list of data
    dq CORE_AT                          ; where we like to be
    dd CORE_MEMORY
    dd 0, 0

start:                                  ; ds: where the first sector is, ss:sp: a stack
    cli
    cld
    push ds
    pop es
    mov di, PARAMETERS
    xor ax, ax
    mov cx, ZERO_PAGE_BYTES / 2
    rep stosw
    mov si, header
    mov di, PARAMETERS + zero_page.header
    mov cx, start - header
    rep movsb

    mov ah, 0x0f                        ; which video mode
    int 0x10
    mov [PARAMETERS + zero_page.video_mode], al
    cmp al, VIDEO_80X25
    jne .map
    mov byte [PARAMETERS + zero_page.video], VIDEO_TEXT
.map:
    mov di, PARAMETERS + zero_page.region
    xor ebx, ebx
.region:
    mov eax, 0xe820
    mov edx, SMAP
    mov ecx, 20
    int 0x15
    jc .mapped
    cmp eax, SMAP
    jne .mapped
    add di, 20
    inc byte [PARAMETERS + zero_page.regions]
    test ebx, ebx
    jz .mapped
    cmp byte [PARAMETERS + zero_page.regions], ZERO_PAGE_REGIONS
    jb .region
.mapped:

; Address line 20: the loader had it on, unless the BIOS moved the core to its place.
    call a20_is_on
    jne .protected
    mov ax, 0x2401
    int 0x15
    call a20_is_on
    jne .protected
    in al, 0x92
    or al, 2
    and al, ~1
    out 0x92, al
    call a20_is_on
    jne .protected
    mov si, sentence
.say:
    lodsb
    mov ah, 0x0e
    mov bx, 7
    test al, al
    jz .halt
    int 0x10
    jmp .say
.halt:
    hlt
    jmp .halt

.protected:
    cli                                 ; a BIOS may have let interrupts on
    xor ebx, ebx
    mov bx, ds
    shl ebx, 4
    lea eax, [ebx + gdt]
    mov [gdtr + 2], eax
    lea eax, [ebx + protected]
    mov [far_address], eax
    lea esi, [ebx + PARAMETERS]
    mov ecx, [PARAMETERS + zero_page.code32]
    lgdt [gdtr]
    mov eax, cr0
    or al, CR0_PE
    mov cr0, eax
    jmp dword far [far_address]

; ZF: it is off, for as long as it takes to be sure.
a20_is_on:
    push es
    mov ax, 0xffff
    mov es, ax
    mov cx, A20_TRIES
.try:
    push ds
    xor ax, ax
    mov ds, ax
    mov ax, [0x500]                     ; free memory behind the BIOS's own
    mov bx, [es:0x510]                  ; the word 1 MiB above it
    cmp ax, bx
    jne .on
    xor word [0x500], 0xffff
    mov bx, [es:0x510]
    cmp [0x500], bx
    mov [0x500], ax
.on:
    pop ds
    loopz .try
    pop es
    ret

bits 32
protected:
    mov eax, DATA32
    mov ds, eax
    mov es, eax
    mov fs, eax
    mov gs, eax
    mov ss, eax
    jmp ecx

align 8
gdt:
    dq 0, 0
    dq GDT_CODE32
    dq GDT_DATA32
gdtr:
    dw $ - gdt - 1
    dd 0
far_address:
    dd 0
    dw CODE32
version:
    db "cpuprobe", 0
sentence:
    db "cpuprobe: error: address line 20 cannot be switched on: half of the memory is out of reach", 13, 10, 0

    times PARAMETERS - ($ - $$) db 0
core:
    incbin "build/core.bin"
core_bytes equ $ - core
