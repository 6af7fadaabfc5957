; SPDX-License-Identifier: MIT
;
; The one RDMSR whose exception is caught (kernel/cpu/cpu.c).

bits 64
default rel

global msr_guard_rdmsr, msr_guard_read, msr_guard_refused

section .text progbits alloc exec nowrite align=16

; uint64_t msr_guard_rdmsr(uint32_t msr, uint64_t *value): 1, or 0 where it is refused
align 16
msr_guard_rdmsr:
    mov ecx, edi
msr_guard_read:
    rdmsr
    shl rdx, 32
    or rax, rdx
    mov [rsi], rax
    mov eax, 1
    ret
msr_guard_refused:
    xor eax, eax
    ret
