/* SPDX-License-Identifier: MIT */
/* The first process of a Linux that starts another kernel: /image with the command line in /words. */
#include <fcntl.h>
#include <linux/kexec.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORDS 2048

int main(void)
{
    char words[WORDS] = "";
    const int image = open("/image", O_RDONLY), line = open("/words", O_RDONLY);

    if (image < 0 || line < 0 || read(line, words, sizeof words - 1) < 0)
        perror("/image, /words");
    else if (syscall(SYS_kexec_file_load, image, -1, strlen(words) + 1, words, KEXEC_FILE_NO_INITRAMFS))
        perror("kexec_file_load");
    else
        syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2, LINUX_REBOOT_CMD_KEXEC, NULL);
    perror("it goes on");
    sleep(1);
    return 1;
}
