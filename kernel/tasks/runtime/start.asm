; SPDX-License-Identifier: MIT
;
; The entry of a user program: calls main, then ends the task.

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
