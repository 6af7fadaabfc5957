; SPDX-License-Identifier: MIT
;
; A program that spins for ever with a chain of frame pointers that leads nowhere, by its argument:
;   0  RBP is 0: it has no caller
;   1  a frame whose caller is itself
;   2  RBP is odd
;   3  RBP is in the kernel's memory
;   4  RBP is no address at all
;   5  RSP is in the kernel's memory, and RBP above it
;   6  RBP is in pages that nobody has mapped, RSP below it
;   7  RBP is the last word of the stack: half of the frame is in the page above, which nobody has
;   8  more frames than any tick follows

bits 64

%include "kernel/tasks/runtime/dwarf_unit.inc"

CHAIN     equ 64
STACK_TOP equ 0x00007ffffffff000
KERNEL    equ 0xffff800000100000
NOWHERE   equ 0x0000700000000000

global main

section .text progbits alloc exec nowrite align=16
main:
    mov ebp, 0
    sub rsp, 2048
    lea rax, [rel .back]                ; a return address as good as any
    mov [rsp + 8], rax
    lea rdx, [rel .cases]
    mov ecx, edi
    movsxd rcx, dword [rdx + 4 * rcx]
    add rdx, rcx
    jmp rdx
.self:
    mov rbp, rsp
    mov [rbp], rbp
    jmp .spin
.odd:
    lea rbp, [rsp + 1]
    jmp .spin
.kernel:
    mov rbp, KERNEL
    jmp .spin
.wild:
    mov rbp, 1 << 63
    jmp .spin
.stack:
    mov rsp, KERNEL
    lea rbp, [rsp + 16]
    jmp .spin
.nowhere:
    mov esp, 4096
    mov rbp, NOWHERE
    jmp .spin
.edge:
    mov rbp, STACK_TOP - 8
    jmp .spin
.long:
    mov rbp, rsp
    mov rdx, rsp
    mov ecx, CHAIN
.frame:
    lea rsi, [rdx + 16]
    mov [rdx], rsi
    mov [rdx + 8], rax
    mov rdx, rsi
    dec ecx
    jnz .frame
.spin:
.back:
    jmp .spin
.cases:
    dd .spin - .cases, .self - .cases, .odd - .cases, .kernel - .cases, .wild - .cases
    dd .stack - .cases, .nowhere - .cases, .edge - .cases, .long - .cases
main_end:

UNIT "kernel/tasks/hostile/frames.asm", main, main_end - main
