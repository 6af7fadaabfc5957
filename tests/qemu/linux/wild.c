/* SPDX-License-Identifier: MIT */
/* A program that ends badly, in the way of its number WAY. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
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
    case 6: { /* SYSCALL as the last bytes before a page that is not there */
        char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        munmap(page + 4096, 4096);
        page[4094] = 0x0f;
        page[4095] = 0x05;
        mprotect(page, 4096, PROT_READ | PROT_EXEC);
        __asm__ volatile("mov $39, %%eax\n\tjmp *%0" : : "r"(page + 4094) : "rax");
        break;
    }
    case 7: /* what only the kernel may */
        __asm__ volatile("pushfq\n\torl $0x3000, (%rsp)\n\tpopfq\n\tcli");
        break;
    default: /* SYSCALL with a stack of the kernel's; then with none */
        __asm__ volatile("mov $39, %%eax\n\tmov $0xffffc00000010000, %%rsp\n\tsyscall\n\t"
                         "xor %%esp, %%esp\n\tmov $39, %%eax\n\tsyscall\n\tpush %%rax" : : : "memory");
    }
    return 0;
}
