; SPDX-License-Identifier: MIT
;
; The handler of an SMI, copied to where the processor starts it (kernel/load/smi.c).
; It waits until its length has passed, and counts.  Real mode with segments of 4 GiB
; from 0; RSM restores all registers (Intel SDM 3C, 31.5 and 31.6).

SMI_ENTRY equ 0x38000

global smi_handler, smi_handler_end

section .rodata progbits alloc noexec nowrite align=8
bits 16
align 8
smi_handler:
    xor ax, ax
    mov ds, ax
    rdtsc
    mov esi, eax                        ; when it began
    mov edi, edx
.wait:
    rdtsc
    sub eax, esi
    sbb edx, edi
    jnz .over                           ; 2^32 clock units and more
    cmp eax, [dword SMI_ENTRY + length - smi_handler]
    jb .wait
.over:
    add [dword SMI_ENTRY + total - smi_handler], eax
    adc [dword SMI_ENTRY + total - smi_handler + 4], edx
    inc dword [dword SMI_ENTRY + count - smi_handler]
    rsm
    align 8, db 0
length: dq 0
total:  dq 0
count:  dq 0
smi_handler_end:
