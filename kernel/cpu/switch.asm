; SPDX-License-Identifier: MIT
;
; Switching kernel stacks between two tasks, and the first instructions of a
; new one.  System V AMD64 ABI: rbx, rbp, r12 to r15 belong to the caller.

bits 64
default rel

extern task_begin, frame_return
global switch_stacks, task_first

section .text progbits alloc exec nowrite align=16

; void switch_stacks(uint64_t *save, uint64_t load)
switch_stacks:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov [rdi], rsp
    mov rsp, rsi
.switched:                              ; the other task from here on
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret

; A new task comes here from its first switch: its stack holds a struct frame.
task_first:
    mov rdi, rsp
    call task_begin
    jmp frame_return
