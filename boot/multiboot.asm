; SPDX-License-Identifier: MIT
;
; The multiboot 1 door (GRUB, QEMU -kernel): the header; and what each 32-bit entry needs, a check that the
; CPU has long mode and the machine memory, and the switch to it.  Multiboot Specification 0.6.96.

%include "boot/multiboot.inc"
%include "boot/page.inc"

CR4_PAE      equ 1 << 5
CR4_LA57     equ 1 << 12
CR0_PG       equ 1 << 31
MSR_EFER     equ 0xc0000080
EFER_LME     equ 1 << 8
EFLAGS_ID    equ 1 << 21
CPUID_EXT_LM equ 1 << 29

COM1       equ 0x3f8
UART_DLL   equ 0
UART_DLM   equ 1
UART_LCR   equ 3
UART_LSR   equ 5
LCR_8N1    equ 0x03
LCR_DLAB   equ 0x80
LSR_THRE   equ 1 << 5
TRIES      equ 100000                   ; bound of each wait for the transmitter
VGA_TEXT   equ 0xb8000
VGA_WHITE  equ 0x07

DEBUG_EXIT equ 0xf4                     ; QEMU's isa-debug-exit; on a board no device answers
EXIT_FAILURE equ 0x11
MEMORY_MARK equ 0x5aa5c33c              ; any value that no bus without memory answers

extern load_start, load_data_end, load_bss_end
extern enter_high, boot_stack_top, multiboot_fill, linux_fill, kernel_main
global enter_long

%include "boot/physical.inc"

section .head.multiboot progbits alloc exec nowrite align=4
header:
    dd MB_MAGIC
    dd MB_FLAGS
    dd -(MB_MAGIC + MB_FLAGS)
    dd PHYS(header)
    dd load_start
    dd load_data_end
    dd load_bss_end
    dd PHYS(multiboot_entry)

section .text progbits alloc exec nowrite align=16
bits 32
global multiboot_entry
multiboot_entry:
    cli
    cld
    mov edi, eax                        ; loader's magic
    mov esi, ebx                        ; struct multiboot_info, physical
    xor ebp, ebp

; From 32-bit code without paging, interrupts off, the image's bss zeroed.
; edi: MB_LOADER, or LINUX_LOADER; esi: what the loader left, physical; ebp: how far the image is loaded
; from where multiboot puts it.
enter_long:
    lea esp, [ebp + PHYS(boot_stack_top)]

    lea edx, [ebp + load_bss_end - 4]   ; the image's last word, whatever the loader's map says
    mov dword [edx], MEMORY_MARK
    cmp dword [edx], MEMORY_MARK
    jne no_memory
    mov dword [edx], 0                  ; it is bss
    cmp dword [edx], 0
    jne no_memory

    pushfd                              ; the CPU has CPUID if the flag ID can be changed
    pop eax
    mov ecx, eax
    xor eax, EFLAGS_ID
    push eax
    popfd
    pushfd
    pop eax
    xor eax, ecx
    test eax, EFLAGS_ID
    jz no_long_mode
    mov eax, 0x80000000
    cpuid
    cmp eax, 0x80000001
    jb no_long_mode
    mov eax, 0x80000001
    cpuid
    test edx, CPUID_EXT_LM
    jz no_long_mode

    ; Map 4 GiB one to one: enough for the first 64-bit code, wherever the image is.
    lea eax, [ebp + PHYS(first_pdpt) + PAGE_P + PAGE_W]
    mov [ebp + PHYS(first_pml4)], eax
    lea edx, [ebp + PHYS(first_pdpt)]
    lea eax, [ebp + PHYS(first_pds) + PAGE_P + PAGE_W]
    mov ecx, 4
.pdpt:
    mov [edx], eax
    add edx, 8
    add eax, 4096
    dec ecx
    jnz .pdpt
    lea edx, [ebp + PHYS(first_pds)]
    mov eax, PAGE_P | PAGE_W | PAGE_PS
    mov ecx, 4 * 512
.fill:
    mov [edx], eax
    add edx, 8
    add eax, 0x200000
    dec ecx
    jnz .fill

    mov eax, cr4
    or eax, CR4_PAE
    and eax, ~CR4_LA57                  ; our tables have four levels; kernel/cpu writes the rest
    mov cr4, eax
    lea eax, [ebp + PHYS(first_pml4)]
    mov cr3, eax
    mov ecx, MSR_EFER
    rdmsr
    or eax, EFER_LME
    wrmsr
    mov eax, cr0
    or eax, CR0_PG
    mov cr0, eax
    lea eax, [ebp + PHYS(first_gdt)]
    sub esp, 16                         ; the stack stays aligned for C
    mov word [esp], FIRST_GDT_BYTES - 1
    mov [esp + 2], eax
    lgdt [esp]
    lea eax, [ebp + PHYS(long_mode)]
    push dword 8
    push eax
    retf

; Nothing else can run: print the error message on COM1 and the VGA screen.
no_memory:
    lea esi, [ebp + PHYS(needs_memory)]
    jmp refuse
no_long_mode:
    lea esi, [ebp + PHYS(needs_long_mode)]
refuse:
    mov edx, COM1 + UART_LCR            ; 115200 8N1: no code has set it up before
    mov al, LCR_DLAB | LCR_8N1
    out dx, al
    mov edx, COM1 + UART_DLL
    mov al, 1
    out dx, al
    mov edx, COM1 + UART_DLM
    xor eax, eax
    out dx, al
    mov edx, COM1 + UART_LCR
    mov al, LCR_8N1
    out dx, al
    mov edi, VGA_TEXT
.next:
    mov bl, [esi]
    test bl, bl
    jz .end
    inc esi
    mov edx, COM1 + UART_LSR
    mov ecx, TRIES
.wait:
    in al, dx
    test al, LSR_THRE
    jnz .send
    dec ecx
    jnz .wait
.send:
    mov edx, COM1
    mov al, bl
    out dx, al
    cmp bl, ' '
    jb .next
    mov ah, VGA_WHITE
    mov al, bl
    mov [edi], ax
    add edi, 2
    jmp .next
.end:
    mov al, EXIT_FAILURE
    out DEBUG_EXIT, al
.halt:
    hlt
    jmp .halt

bits 64
long_mode:
    xor eax, eax
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov esp, esp                        ; clears the high half, which is undefined until now
    mov r12d, edi
    mov r13d, esi
    call enter_high
    mov edi, r12d
    mov esi, r13d
    cmp edi, LINUX_LOADER
    je .linux
    call multiboot_fill                 ; returns struct boot_info *
    jmp .filled
.linux:
    mov edi, esi
    call linux_fill
.filled:
    mov rdi, rax
    xor ebp, ebp
    call kernel_main
.stop:
    hlt
    jmp .stop

section .rodata progbits alloc noexec nowrite align=8
first_gdt:
    dq 0
    dq 0x00af9b000000ffff               ; 64-bit code
FIRST_GDT_BYTES equ $ - first_gdt
needs_long_mode:
    db "cpuprobe: error: this CPU has no 64-bit mode (long mode); cpuprobe needs one.", 13, 10, 0
needs_memory:
    db "cpuprobe: error: there is no memory where the image ends; cpuprobe needs 16 MiB.", 13, 10, 0

section .bss nobits alloc noexec write align=4096
first_pml4: resb 4096
first_pdpt: resb 4096
first_pds:  resb 4 * 4096
