; SPDX-License-Identifier: MIT
;
; The programs that kernel/tick/entry_cost.c times, of a few instructions each, which run in any
; ring and at any address; and the switch to them and back.

bits 64
default rel

%include "build/offsets.inc"

global stage_enter, stage_return, stage_programs, stage_programs_end
global stage_nothing, stage_interrupt, stage_tick_exit, stage_plain_exit, stage_syscall, stage_service
global stage_instruction

; One instruction between two readings of the clock, their low halves in r8d and r9d.
; It finds esi in eax.
%macro TIMED 1+
    rdtsc
    mov r8d, eax
    mov eax, esi
    %1
    rdtsc
    mov r9d, eax
    int STAGE_RETURN_VECTOR
%endmacro

section .text progbits alloc exec nowrite align=16

align 16
stage_programs:
stage_nothing:
    TIMED nop
stage_interrupt:
    TIMED int EMPTY_VECTOR
stage_tick_exit:
    TIMED int TICK_EXIT_VECTOR
stage_plain_exit:
    TIMED int PLAIN_EXIT_VECTOR
stage_syscall:
    TIMED int SYSCALL_VECTOR
stage_service:
    TIMED int SUPERVISOR_VECTOR
stage_instruction:
    TIMED syscall
stage_programs_end:

; void stage_enter(const struct cpu_frame *to, uint64_t number, uint32_t times[2]): IRETQ to the
; frame, with esi = number; returns when the program executes INT STAGE_RETURN_VECTOR.
align 16
stage_enter:                            ; interrupts off, there too
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    push rdx
    mov [left_at], rsp
    push qword [rdi + 32]
    push qword [rdi + 24]
    push qword [rdi + 16]
    push qword [rdi + 8]
    push qword [rdi]
    xor edi, edi
    iretq

; The gate of STAGE_RETURN_VECTOR.
align 16
stage_return:
    mov rsp, [left_at]
    mov eax, SEL_KERNEL_DATA            ; after an entry from an outer ring SS is the null selector
    mov ss, eax
    pop rdx
    mov [rdx], r8d
    mov [rdx + 4], r9d
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret

section .bss
align 8
left_at: resq 1
