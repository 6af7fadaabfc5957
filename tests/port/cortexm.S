/* SPDX-License-Identifier: MIT */
/* The table of vectors, with which a Cortex-M begins; and the stub of SysTick, which finds where it interrupted. */
        .syntax unified
        .section .head, "ax"
        .globl _start
_start: .word stack, kernel_main + 1
        .rept 13
        .word stop + 1
        .endr
        .word timer_stub + 1

        .text
        .thumb
stop:   b stop

/* The processor saved eight words, the seventh is the address, and returns by what is in LR. */
timer_stub:
        ldr r0, [sp, #24]
        b systick_interrupt

        .bss
        .balign 8
        .skip 16384
stack:
