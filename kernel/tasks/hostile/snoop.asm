; SPDX-License-Identifier: MIT
;
; Tests whether a task can read data of others.  It checks the registers and the stack
; with which it begins.  After each return from the kernel, from ring 1, and from other
; tasks that ran meanwhile (PROBE computes intervals in vector registers), it checks
; general and vector registers, x87 and MXCSR.  All must hold the task's own values.
; Reports the number of failed checks, once in ROUNDS rounds.

bits 64

%include "build/tasks/offsets.inc"
%include "kernel/tasks/runtime/dwarf_unit.inc"

ROUNDS equ 200
DOZE   equ 5000                         ; us: other tasks run
STACK  equ 2048                         ; bytes below the first address of the stack

; Count a failed check if the last comparison was not equal.
%macro EXPECT_EQUAL 0
    je %%right
    inc qword [wrong]
%%right:
%endmacro

; INT %1 for %2 with rdi = %3, rsi = 0: x87, MXCSR and vector registers must not change.
%macro KEEPS_ALL 3
    mov eax, %2
    mov edi, %3
    xor esi, esi
    fxsave64 [before]
    int %1
    fxsave64 [after]
    call compare
%endmacro

global main

section .text progbits alloc exec nowrite align=16
main:                                   ; rdi: the argument, 0; of the other registers _start has changed only RBP
    mov [argument], rdi
    or rax, rbx
    or rax, rcx
    or rax, rdx
    or rax, rsi
    or rax, rbp
%assign n 8
%rep 8
    or rax, r %+ n
%assign n n + 1
%endrep
    or rax, rdi
    test rax, rax
    EXPECT_EQUAL                        ; its initial registers are 0
    fxsave64 [before]
    mov ecx, 16 * 16 / 8                ; so are the sixteen vector registers
    lea rsi, [before + 160]
    call is_empty
    mov ecx, 8 * 16 / 8                 ; so are the x87 registers
    lea rsi, [before + 32]
    call is_empty
    mov ecx, STACK / 8                  ; so is the memory below the stack pointer
    lea rsi, [rsp - 8 - STACK]
    call is_empty
%assign n 0
%rep 16
    mov eax, n * 0x01010101 + 1
    movd xmm %+ n, eax
    pshufd xmm %+ n, xmm %+ n, 0
%assign n n + 1
%endrep
    fldpi
.report:
    mov dword [rounds], ROUNDS
.round:
    KEEPS_ALL SYSCALL_VECTOR, SYS_CLOCK, 0
    KEEPS_ALL SYSCALL_VECTOR, SYS_WORK, 10
    KEEPS_ALL SUPERVISOR_VECTOR, SVC_WORK, 10
    KEEPS_ALL SYSCALL_VECTOR, SYS_SLEEP, DOZE
    dec dword [rounds]
    jnz .round
    mov eax, SYS_REPORT
    mov rdi, [wrong]
    int SYSCALL_VECTOR
    jmp .report

; Whether rcx words at rsi are 0.
is_empty:
    xor eax, eax
.next:
    or rax, [rsi]
    add rsi, 8
    dec ecx
    jnz .next
    test rax, rax
    EXPECT_EQUAL
    ret

; Check that the task's x87, MXCSR and vector registers are unchanged.
compare:
    mov ecx, 416 / 8                    ; what FXSAVE writes
    lea rsi, [before]
    lea rdi, [after]
    cld
    repe cmpsq
    EXPECT_EQUAL
    ret
main_end:

section .bss
alignb 16
before:   resb 512
after:    resb 512
wrong:    resq 1
argument: resq 1
rounds:   resd 1

UNIT "kernel/tasks/hostile/snoop.asm", main, main_end - main
