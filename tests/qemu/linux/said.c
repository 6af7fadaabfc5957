/* SPDX-License-Identifier: MIT */
/* Says what it was given: its arguments, its standard input, the file that its first argument names. */
#include <stdio.h>

static void copy(const char *title, FILE *from)
{
    int c;

    printf("%s:", title);
    if (from == NULL)
        printf(" none");
    while (from != NULL && (c = getc(from)) != EOF)
        putchar(c);
    putchar('\n');
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("argument %d: %s\n", i, argv[i]);
    copy("standard input", stdin);
    if (argc > 1)
        copy(argv[1], fopen(argv[1], "r"));
    return argc;
}
