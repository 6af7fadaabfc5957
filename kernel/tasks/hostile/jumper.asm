; SPDX-License-Identifier: MIT
;
; A program that jumps into the kernel with chosen register values: argument bits 0 to
; 31 are the address, bits 32 to 63 the value of all registers including RSP, both
; sign-extended.  It never continues: the jump is a page fault.

bits 64

%include "kernel/tasks/runtime/dwarf_unit.inc"

global main

section .text progbits alloc exec nowrite align=16
main:
    movsxd rax, edi
    mov [rel target], rax
    sar rdi, 32
    mov rax, rdi
    mov rbx, rdi
    mov rcx, rdi
    mov rdx, rdi
    mov rsi, rdi
    mov rbp, rdi
    mov r8, rdi
    mov r9, rdi
    mov r10, rdi
    mov r11, rdi
    mov r12, rdi
    mov r13, rdi
    mov r14, rdi
    mov r15, rdi
    mov rsp, rdi
    jmp [rel target]
main_end:

section .bss
target: resq 1

UNIT "kernel/tasks/hostile/jumper.asm", main, main_end - main
