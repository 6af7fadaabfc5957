/* SPDX-License-Identifier: MIT */
/* A program that ends badly, in the way of its number WAY. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int deeper(int n)
{
    volatile char room[4096];

    room[0] = (char)n;
    return deeper(n + 1) + room[0];
}

static void jump(uint64_t address)
{
    ((void (*)(void))address)();
}

int main(void)
{
    switch (WAY) {
    case 0:
        return deeper(0); /* its stack runs away */
    case 1:
        jump(0xffffffff80100000u); /* the kernel's code */
        break;
    case 2:
        jump(0x800000000000u - 2); /* where SYSCALL would be the last instruction of its half */
        break;
    case 3:
        *(volatile int *)main = 1; /* its own code */
        break;
    case 4:
        __asm__ volatile("pushfq\n\torl $0x100, (%rsp)\n\tpopfq\n\tmov $39, %eax\n\tsyscall"); /* TF at SYSCALL */
        break;
    case 5:
        abort();
    default: /* SYSCALL with a stack of the kernel's; then with none */
        __asm__ volatile("mov $39, %%eax\n\tmov $0xffffc00000010000, %%rsp\n\tsyscall\n\t"
                         "xor %%esp, %%esp\n\tmov $39, %%eax\n\tsyscall\n\tpush %%rax" : : : "memory");
    }
    return 0;
}
