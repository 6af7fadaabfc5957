/* SPDX-License-Identifier: MIT */
/*
 * Functions of known work, one of them called on four ways: what a profile by callers must tell apart.  Arguments and
 * turns are those of PATHS in tests/qemu/programs.py.
 */
#define OWN __attribute__((noipa)) static

#define TURNS 12000

OWN void work(unsigned long units)
{
    for (; units != 0; units--)
        __asm__ volatile("");
}

OWN void left(void)
{
    work(1000);
}

OWN void right(void)
{
    work(2000);
}

OWN void both(void)
{
    work(500);
    left();
    left();
}

int main(void)
{
    for (unsigned turn = 0; turn < TURNS; turn++) {
        left();
        right();
        both();
    }
    return 0;
}
