; SPDX-License-Identifier: MIT
;
; A program of random bytes.  Its parent overwrites `bytes` before it runs
; (kernel/workload/workload_crashme.c): first the initial registers and flags, then the
; random code.  `bytes` is at the beginning of the code, so that the parent finds it.

bits 64

%include "build/tasks/offsets.inc"
%include "kernel/tasks/runtime/dwarf_unit.inc"

global main

section .text.startup progbits alloc exec nowrite align=16
bytes:  times CRASHME_BYTES db 0xcc

; In the order of pop: 15 registers and RSP, then flags, then MXCSR and FCW in one word.
section .text progbits alloc exec nowrite align=16
main:
    lea rax, [rel bytes]
    mov rcx, 18
.copy:                                  ; to the stack: code cannot be written
    push qword [rax + rcx * 8 - 8]
    loop .copy
    mov eax, [rsp + 17 * 8]
    and eax, 0xffff                     ; the valid bits of MXCSR: the others must be zero
    mov [rsp + 17 * 8], eax
    ldmxcsr [rsp + 17 * 8]
    fldcw [rsp + 17 * 8 + 4]
    movups xmm0, [rsp]
    movups xmm15, [rsp + 64]
    pop rax
    pop rbx
    pop rcx
    pop rdx
    pop rsi
    pop rdi
    pop rbp
    pop r8
    pop r9
    pop r10
    pop r11
    pop r12
    pop r13
    pop r14
    pop r15
    push qword [rsp + 8]
    popfq                               ; from here on each instruction may trap
    mov rsp, [rsp]
    jmp bytes + CRASHME_HEAD
main_end:

UNIT "kernel/tasks/hostile/crashme.asm", main, main_end - main
