; SPDX-License-Identifier: MIT
;
; Where a user program begins: main, then the end of the task.

bits 64

%include "build/offsets.inc"

extern main
global _start

section .text progbits alloc exec nowrite align=16
_start:
    and rsp, -16
    xor ebp, ebp
    call main
    mov edi, eax
    mov eax, SYS_EXIT
    int SYSCALL_VECTOR
