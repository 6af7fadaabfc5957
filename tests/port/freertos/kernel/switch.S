/* SPDX-License-Identifier: MIT */
/* Leaves one stack for another: a switch of tasks, from a task or from its interrupt.  Interrupts are off. */
        .text
        .globl switch_stacks
switch_stacks:
        addi sp, sp, -128
        csrr t0, mepc
        csrr t1, mstatus
        .set at, 0
        .irp r, ra, t0, t1, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
        sd \r, at(sp)
        .set at, at + 8
        .endr
        sd sp, 0(a0)
        mv sp, a1
        .set at, 0
        .irp r, ra, t0, t1, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
        ld \r, at(sp)
        .set at, at + 8
        .endr
        csrw mepc, t0
        csrw mstatus, t1
        addi sp, sp, 128
        ret

        .globl begin_task
begin_task:
        csrsi mstatus, 8
        mv a0, s1
        jalr s0
1:      j 1b
