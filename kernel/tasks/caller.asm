; SPDX-License-Identifier: MIT
;
; A program that mostly enters the kernel and the supervisor, and checks whether each
; return kept its registers and flags: it tests ticks between any two instructions of
; entry and exit.  Argument: microseconds to sleep in each round, 0 for none.  Reports
; the number of wrong returns, once in ROUNDS rounds.

bits 64

%include "build/tasks/offsets.inc"
%include "kernel/tasks/runtime/dwarf_unit.inc"

ROUNDS equ 4096

; INT %1 for %2 with rdi = %3: each register holds a different number and must keep it.
%macro KEEPS 3
    mov ebx, 1
    mov ecx, 2
    mov edx, 3
    mov esi, 0
    mov ebp, 5
%assign n 8
%rep 8
    mov r %+ n, n + 1
%assign n n + 1
%endrep
    mov edi, %3
    mov eax, %2
    stc
    int %1
    jnc %%wrong
    cmp rbx, 1
    jne %%wrong
    cmp rcx, 2
    jne %%wrong
    cmp rdx, 3
    jne %%wrong
    cmp rsi, 0
    jne %%wrong
    cmp rbp, 5
    jne %%wrong
%assign n 8
%rep 8
    cmp r %+ n, n + 1
    jne %%wrong
%assign n n + 1
%endrep
    cmp rdi, %3
    je %%right
%%wrong:
    inc qword [wrong]
%%right:
%endmacro

global main

section .text progbits alloc exec nowrite align=16
main:
    mov [doze], edi
.report:
    mov dword [rounds], ROUNDS
.round:
    KEEPS SYSCALL_VECTOR, SYS_CLOCK, 7
    KEEPS SUPERVISOR_VECTOR, SVC_WORK, 1
    KEEPS SUPERVISOR_VECTOR, SVC_SYNC, 1
    cmp dword [doze], 0
    je .next
    mov eax, SYS_SLEEP
    mov edi, [doze]
    xor esi, esi
    int SYSCALL_VECTOR
.next:
    dec dword [rounds]
    jnz .round
    mov eax, SYS_REPORT
    mov rdi, [wrong]
    int SYSCALL_VECTOR
    jmp .report
main_end:

section .bss
wrong:  resq 1
doze:   resd 1
rounds: resd 1

UNIT "kernel/tasks/caller.asm", main, main_end - main
