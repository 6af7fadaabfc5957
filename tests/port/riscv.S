/* SPDX-License-Identifier: MIT */
/* Entered in machine mode; and the stub of the timer's interrupt. */
        .section .head, "ax"
        .globl _start
_start: la sp, stack
        call kernel_main

        .text
        .balign 4
        .globl timer_stub
timer_stub:
        addi sp, sp, -128
        .set at, 0
        .irp r, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7
        sd \r, at(sp)
        .set at, at + 8
        .endr
        csrr a0, mepc
        call timer_interrupt
        .set at, 0
        .irp r, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7
        ld \r, at(sp)
        .set at, at + 8
        .endr
        addi sp, sp, 128
        mret

        .bss
        .balign 16
        .skip 16384
stack:
