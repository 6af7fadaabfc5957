/* SPDX-License-Identifier: MIT */
/* Counts primes whose digits from right to left are a prime, too: the example of README.md. */
#include <stdio.h>
static int prime(int n) { for (int d = 2; d * d <= n; d++) if (n % d == 0) return 0; return n > 1; }
static int reversed(int n) { int r = 0; for (; n; n /= 10) r = 10 * r + n % 10; return r; }
int main(void)
{
    int found = 0;
    for (int n = 0; n < 200000; n++)
        found += prime(n) && prime(reversed(n));
    printf("%d primes are primes from right to left, too\n", found);
}
