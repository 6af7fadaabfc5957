/* SPDX-License-Identifier: MIT */
/*
 * A program without a library whose call stack is as long to follow as one can be: the words of four frames are in
 * two pages each, further frames in one more, and the instruction at which it spins makes a walk look at all the code
 * that it may.
 */
__asm__(".bss\n"
        ".balign 4096\n"
        "pages: .skip 4096 * 10\n"
        ".text\n"
        "function: push %rbp\n"
        "spin: jmp spin\n"
        "call function\n"
        "back: nop\n"
        ".globl _start\n"
        "_start: lea pages+2048(%rip), %rsp\n"
        "lea back(%rip), %rax\n"
        "mov %rax, (%rsp)\n"
        "lea pages+4096+4088(%rip), %rbp\n"
        "mov %rbp, %rdx\n"
        "mov $3, %ecx\n"
        "spread: lea 8192(%rdx), %rsi\n"
        "mov %rsi, (%rdx)\n"
        "mov %rax, 8(%rdx)\n"
        "mov %rsi, %rdx\n"
        "dec %ecx\n"
        "jnz spread\n"
        "lea 4096+8(%rdx), %rsi\n"
        "mov %rsi, (%rdx)\n"
        "mov %rax, 8(%rdx)\n"
        "mov %rsi, %rdx\n"
        "mov $18, %ecx\n"
        "near: lea 16(%rdx), %rsi\n"
        "mov %rsi, (%rdx)\n"
        "mov %rax, 8(%rdx)\n"
        "mov %rsi, %rdx\n"
        "dec %ecx\n"
        "jnz near\n"
        "jmp spin\n");
