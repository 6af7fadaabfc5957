/* SPDX-License-Identifier: MIT */
/* Works in the function WORK, -DWORK=name, so that a profile tells which program it is. */
static volatile unsigned long sum;

__attribute__((noinline)) static void WORK(void)
{
    for (unsigned long i = 0; i < 1000000; i++)
        sum += i;
}

int main(void)
{
    for (unsigned i = 0; i < 20; i++)
        WORK();
    return 0;
}
