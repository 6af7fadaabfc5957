; SPDX-License-Identifier: MIT
;
; A program that checks whether it begins with data of another task: in registers, in
; the FPU and SSE, in segments, in its stack.  If so, it ends by UD2, a fault.  Else it
; writes its own values to all of these, and ends normally.

bits 64

%include "kernel/tasks/runtime/dwarf_unit.inc"

SEL_USER_DATA equ 0x33                  ; kernel/cpu/cpu.h
STACK_LOOKED  equ 1024                  ; bytes below RSP
FCW_RESET     equ 0x037f
MXCSR_RESET   equ 0x1f80
FLAGS_LEFT    equ 0x00244500            ; ID, AC, NT, DF, TF

global main

section .text progbits alloc exec nowrite align=16
main:
    or rax, rbx                         ; not RDI: it holds the argument
    or rax, rcx
    or rax, rdx
    or rax, rsi
    or rax, rbp
    or rax, r8
    or rax, r9
    or rax, r10
    or rax, r11
    or rax, r12
    or rax, r13
    or rax, r14
    or rax, r15
    jnz .stale
    lea rdi, [rsp - STACK_LOOKED]
    mov ecx, STACK_LOOKED / 8
    xor eax, eax
    repe scasq
    jne .stale
    pushfq
    pop rax
    test eax, FLAGS_LEFT
    jnz .stale
    mov eax, ds
    mov ecx, es
    or eax, ecx
    mov ecx, fs
    or eax, ecx
    mov ecx, gs
    or eax, ecx
    jnz .stale
    fxsave [rel state]                  ; its layout: Intel SDM 1, 10.5
    cmp dword [rel state], FCW_RESET    ; FCW, and FSW
    jne .stale
    cmp dword [rel state + 24], MXCSR_RESET
    jne .stale
    cmp dword [rel state + 4], 0        ; FTW, FOP
    jne .stale
    cmp qword [rel state + 8], 0        ; FIP
    jne .stale
    cmp qword [rel state + 16], 0       ; FDP
    jne .stale
    lea rdi, [rel state + 32]           ; ST0 to ST7, XMM0 to XMM15
    mov ecx, (8 + 16) * 16 / 8
    xor eax, eax
    repe scasq
    jne .stale
    jmp .mark
.stale:
    ud2
.mark:
    pop rbx                             ; the return address
    lea rdi, [rsp - STACK_LOOKED]
    mov ecx, STACK_LOOKED / 8
    mov rax, -1
    rep stosq
    push rbx
    mov rbx, rax
    mov rcx, rax
    mov rdx, rax
    mov rsi, rax
    mov rdi, rax
    mov rbp, rax
%assign n 8
%rep 8
    mov r %+ n, rax
%assign n n + 1
%endrep
    mov eax, SEL_USER_DATA
    mov ds, eax
    mov es, eax
    mov fs, eax
    mov gs, eax
%rep 8
    fld1
%endrep
%assign n 0
%rep 16
    pcmpeqd xmm %+ n, xmm %+ n
%assign n n + 1
%endrep
    mov dword [rel state], 0x0040       ; FCW: x87 exceptions are not masked
    fldcw [rel state]
    mov dword [rel state], 0x9fc0       ; MXCSR: flush to zero, denormals are zeros
    ldmxcsr [rel state]
    pushfq
    or dword [rsp], 0x00244400          ; ID, AC, NT, DF
    popfq
    ret
main_end:

section .bss
alignb 16
state: resb 512

UNIT "kernel/tasks/fresh.asm", main, main_end - main
