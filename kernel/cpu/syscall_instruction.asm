; SPDX-License-Identifier: MIT
;
; The entry of the instruction SYSCALL, and that of the debug exception, which it makes necessary.
; Intel SDM 3A, 5.8.8; 2B, SYSCALL.
;
; SYSCALL leaves RSP as it was.  Until the second instruction here has been executed the code of ring 0 has a stack
; that the program chose, so that nothing may use it: interrupts are off (FMASK), and NMI, double fault, machine check
; and the debug exception have stacks of their own.

bits 64
default rel

%include "build/offsets.inc"
%include "kernel/cpu/registers.inc"

extern syscall_instruction, frame_return, exception_entry, tss
global syscall_instruction_entry, syscall_instruction_on_stack, debug_entry

section .bss align=8
task_rsp: resq 1                        ; RSP of the program that entered; interrupts off

section .text progbits alloc exec nowrite align=16

; rcx = RIP, r11 = RFLAGS of the program.  Builds a struct frame (kernel/cpu/frame.h).
align 16
syscall_instruction_entry:              ; interrupts off
    mov [task_rsp], rsp
    mov rsp, [tss + TSS_RSP0]
syscall_instruction_on_stack:
    push SEL_USER_DATA
    push qword [task_rsp]
    push r11
    push SEL_USER_CODE
    push rcx
    push 0                              ; error: frame_return clears in_interrupt by it
    push qword SYSCALL_VECTOR
    push rax
    push rdx
    push 0                              ; tsc and cell: syscall_instruction() reads the clock
    push 0
    push rbx
    push rcx
    PUSH_REST
    mov rdi, rsp
    call syscall_instruction
    jmp frame_return

; #DB, on a stack of its own: MOV SS of a program can put it off to the first instruction of an entry that has no
; stack yet.  From an outer ring the frame moves to the task's stack, where that of any other exception is.
align 16
debug_entry:
    test byte [rsp + 8], 3              ; cs
    jz .kernel
    push rax
    mov rax, [tss + TSS_RSP0]
    push qword [rsp + 5 * 8]
    pop qword [rax - 1 * 8]
    push qword [rsp + 4 * 8]
    pop qword [rax - 2 * 8]
    push qword [rsp + 3 * 8]
    pop qword [rax - 3 * 8]
    push qword [rsp + 2 * 8]
    pop qword [rax - 4 * 8]
    push qword [rsp + 1 * 8]
    pop qword [rax - 5 * 8]
    pop qword [rax - 6 * 8]
    lea rsp, [rax - 6 * 8]
    pop rax
.kernel:
    push rax
    lea rax, [syscall_instruction_entry]
    cmp [rsp + 8], rax                  ; rip
    pop rax
    je .stepped
    push qword 0
    push qword 1
    jmp exception_entry
; a program that single-steps: its trap may come behind SYSCALL, whose FMASK has cleared TF
.stepped:
    iretq
