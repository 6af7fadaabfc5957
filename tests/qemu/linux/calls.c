/* SPDX-License-Identifier: MIT */
/*
 * A program for Linux that asks much of a kernel: answers of its calls, what it finds at its start, what bad
 * arguments give.  It prints a line for each answer that is wrong, then how many were right.  Exit status 7.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define TOP 0x7ffffffff000ul /* no page of a program lies here or above */

static unsigned right;

static void is(const char *what, long got, long wanted)
{
    if (got == wanted)
        right++;
    else
        printf("WRONG %s: %ld, not %ld\n", what, got, wanted);
}

static void is_true(const char *what, int value)
{
    is(what, value != 0, 1);
}

/* The answer of a call as the kernel gives it. */
#define RAW(...) (errno = 0, syscall(__VA_ARGS__) == -1 ? -errno : 0)

static void start(void)
{
    const Elf64_Phdr *table = (void *)getauxval(AT_PHDR);
    const uint64_t *random = (void *)getauxval(AT_RANDOM);
    const Elf64_auxv_t *words;
    char **end = environ;

    while (*end != NULL)
        end++;
    words = (const void *)(end + 1);
    while (words->a_type != AT_HWCAP) /* the library has another value of it */
        words++;
    is("AT_PAGESZ", (long)getauxval(AT_PAGESZ), 4096);
    is("AT_PHENT", (long)getauxval(AT_PHENT), sizeof *table);
    is("AT_SECURE", (long)getauxval(AT_SECURE), 0);
    is("AT_SYSINFO_EHDR", (long)getauxval(AT_SYSINFO_EHDR), 0);
    is_true("AT_PHDR", table != NULL && table[0].p_type <= PT_GNU_RELRO);
    is_true("AT_HWCAP has SSE2", words->a_un.a_val >> 26 & 1);
    is_true("AT_RANDOM", random[0] != 0 && random[0] != random[1]);
    printf("random %016lx%016lx\n", random[0], random[1]);
}

static void files(void)
{
    char text[64];
    struct stat s;
    struct iovec v[2] = { { text, 2 }, { text + 2, 3 } };
    const int fd = open("/any/where/data", O_RDONLY);

    is_true("open", fd > 2);
    is("fstat", fstat(fd, &s), 0);
    is_true("a file", S_ISREG(s.st_mode) && s.st_size == 8);
    is("stat", stat("data", &s), 0);
    is("readv", readv(fd, v, 2), 5);
    is("what it read", memcmp(text, "one\nt", 5), 0);
    is("lseek", lseek(fd, -2, SEEK_END), 6);
    is("read", read(fd, text, 64), 2);
    is("read at the end", read(fd, text, 64), 0);
    is("pread", pread(fd, text, 3, 4), 3);
    is("ioctl", RAW(SYS_ioctl, fd, 0x5401, text), -ENOTTY);
    is("read into nowhere", RAW(SYS_pread64, fd, 8, 4, 0), -EFAULT);
    is("read into the kernel", RAW(SYS_pread64, fd, 0xffffffff80100000ul, 4, 0), -EFAULT);
    is("write to a file", RAW(SYS_write, fd, "x", 1), -EBADF);
    is("write from nowhere", RAW(SYS_write, 1, 8, 4), -EFAULT);
    is("open to write", RAW(SYS_open, "data", O_WRONLY, 0), -EROFS);
    is("open nothing", RAW(SYS_open, "nothing", O_RDONLY, 0), -ENOENT);
    is("open nowhere", RAW(SYS_open, 1, O_RDONLY, 0), -EFAULT);
    is("close", close(fd), 0);
    is("close again", RAW(SYS_close, fd), -EBADF);
    is("readlink", readlink("/proc/self/exe", text, 64) > 0, 1);
}

/* The one folder, and what is under /dev. */
static void paths(void)
{
    DIR *folder = opendir("/");
    const struct dirent *entry;
    struct stat s;
    int found = 0;
    const int null = open("/dev/null", O_RDWR);
    char byte;

    is_true("opendir", folder != NULL);
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        found += strcmp(entry->d_name, "data") == 0 && entry->d_type == DT_REG;
    is("the folder lists a file once", found, 1);
    rewinddir(folder);
    is_true("and again", (entry = readdir(folder)) != NULL && strcmp(entry->d_name, ".") == 0);
    is("read a folder", RAW(SYS_read, dirfd(folder), &byte, 1), -EISDIR);
    is("entries of a file", RAW(SYS_getdents64, 1, &byte, 1), -ENOTDIR);
    lseek(dirfd(folder), 0, SEEK_SET);
    is("no room for an entry", RAW(SYS_getdents64, dirfd(folder), &byte, 1), -EINVAL);
    is_true("stat of the folder", stat(".", &s) == 0 && S_ISDIR(s.st_mode));
    is("a file is no folder", RAW(SYS_open, "data", O_DIRECTORY, 0), -ENOTDIR);
    is("chdir", chdir("/") | chdir("..") | RAW(SYS_chdir, "data"), -ENOTDIR);
    is_true("/dev/null", null > 2 && write(null, "x", 1) == 1 && read(null, &byte, 1) == 0);
    is_true("/dev/stdout", write(open("/dev/stdout", O_WRONLY), "by its name\n", 12) == 12);
    is("an empty path", RAW(SYS_open, "", O_RDONLY, 0), -ENOENT);
    closedir(folder);
    close(null);
}

static void waits(void)
{
    struct timeval wait = { 0, 20000 };
    struct timespec before, after;
    fd_set in, out;

    clock_gettime(CLOCK_MONOTONIC, &before);
    is("select of nothing", select(0, NULL, NULL, NULL, &wait), 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    is_true("it waits too", (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000 >= 19);
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(0, &in);
    FD_SET(1, &in);
    FD_SET(1, &out);
    is("select", select(2, &in, &out, NULL, NULL), 2);
    is_true("what is ready", FD_ISSET(0, &in) && !FD_ISSET(1, &in) && FD_ISSET(1, &out));
    FD_SET(14, &in);
    is("select of none", RAW(SYS_select, 15, &in, NULL, NULL, NULL), -EBADF);
    is("select of too many", RAW(SYS_select, 1025, NULL, NULL, NULL, NULL), -EINVAL);
}

static void descriptors(void)
{
    struct pollfd p[3] = { { 1, POLLOUT, 0 }, { 14, POLLIN, 0 }, { -1, POLLIN, 0 } };
    const int copy = dup(1);
    char byte;

    struct timespec before, after;

    clock_gettime(CLOCK_MONOTONIC, &before);
    is("poll of nothing", poll(NULL, 0, 20), 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    is_true("it waits", (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000 >= 19);
    waits();
    is("poll", poll(p, 3, -1), 2);
    is("poll of output", p[0].revents, POLLOUT);
    is("poll of none", p[1].revents, POLLNVAL);
    is("dup", copy > 2 && dprintf(copy, "by a copy\n") == 10, 1);
    is("F_GETFL", fcntl(1, F_GETFL) & O_ACCMODE, O_WRONLY);
    is("nothing to read", read(0, &byte, 1), 0);
    is("seek in a pipe", RAW(SYS_lseek, 1, 0, SEEK_SET), -ESPIPE);
    is("a file too far", RAW(SYS_fcntl, 1, F_DUPFD, 1000000), -EINVAL);
}

static void memory(void)
{
    char *a = mmap(NULL, 3 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *heap = sbrk(1 << 16);

    is_true("mmap", a != MAP_FAILED && a[0] == 0 && a[12287] == 0);
    memset(a, 5, 3 << 12);
    is("munmap of the middle", munmap(a + 4096, 4096), 0);
    is("the rest", a[4095] + a[8192], 10);
    is("mprotect over a hole", RAW(SYS_mprotect, a, 3 << 12, PROT_READ), -ENOMEM);
    is_true("a hole is filled",
            mmap(a + 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == a + 4096);
    is("it is zero", a[4096], 0);
    is("write to what is read only", RAW(SYS_getrandom, a + 4096, 8, 0), -EFAULT);
    is("mprotect", mprotect(a + 4096, 4096, PROT_READ | PROT_WRITE), 0);
    is("write", RAW(SYS_getrandom, a + 4096, 8, 0), 0);
    is_true("heap", heap != (void *)-1 && heap[65535] == 0);
    is("brk to nowhere", syscall(SYS_brk, -4096), (long)sbrk(0));
    is("writable code",
       RAW(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), -EACCES);
    is("a page at the top", RAW(SYS_mmap, TOP, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
       -ENOMEM);
    is("a page at 0", RAW(SYS_mmap, 0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), -ENOMEM);
    is("the kernel's", RAW(SYS_munmap, 0xffff800000000000ul, 4096), -EINVAL);
    is("too much", RAW(SYS_mmap, 0, 1ul << 36, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), -ENOMEM);
    is_true("a lot of nothing",
            mmap(NULL, 1ul << 36, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
}

/* Grown in its place or moved, what was written stays, and what is new is zero. */
static void moved(void)
{
    char *a = mmap(NULL, 8 << 12, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *b;

    memset(a, 7, 8 << 12);
    is_true("mremap to less", mremap(a, 8 << 12, 2 << 12, 0) == a);
    is("what is behind is gone", RAW(SYS_mprotect, a + (2 << 12), 4096, PROT_READ), -ENOMEM);
    is_true("mremap to more", mremap(a, 2 << 12, 4 << 12, 0) == a && a[8191] == 7 && a[8192] == 0);
    mmap(a + (4 << 12), 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    is("no room to grow", RAW(SYS_mremap, a, 4 << 12, 64 << 12, 0), -ENOMEM);
    b = mremap(a, 4 << 12, 64 << 12, MREMAP_MAYMOVE);
    is_true("it moves", b != MAP_FAILED && b != a && b[0] == 7 && b[8191] == 7 && b[8192] == 0 &&
                        b[(64 << 12) - 1] == 0);
    is("the old place is free", RAW(SYS_mprotect, a, 4096, PROT_READ), -ENOMEM);
    is("mremap of nothing", RAW(SYS_mremap, a, 4096, 8192, MREMAP_MAYMOVE), -EFAULT);
    is("mremap of the kernel's", RAW(SYS_mremap, 0xffff800000000000ul, 4096, 8192, MREMAP_MAYMOVE), -EINVAL);
    is("mremap to too much", RAW(SYS_mremap, b, 4096, 1ul << 36, MREMAP_MAYMOVE), -ENOMEM);
}

/* mov eax, N; ret */
static int run_code(char *page, int n)
{
    const char code[] = { (char)0xb8, (char)n, 0, 0, 0, (char)0xc3 };

    is("code can be written", mprotect(page, 4096, PROT_READ | PROT_WRITE), 0);
    memcpy(page, code, sizeof code);
    is("and executed", mprotect(page, 4096, PROT_READ | PROT_EXEC), 0);
    return ((int (*)(void))page)();
}

static void code(void)
{
    char *page = mmap((void *)0x200000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                      0);

    is("code", run_code(page, 41), 41);
    is("other code", run_code(page, 42), 42);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int called;

static void count(void)
{
    called++;
}

/* Of signals only those end a program that it does not ignore. */
static void ignored(void)
{
    signal(SIGUSR1, SIG_IGN);
    is("an ignored signal", raise(SIGUSR1), 0);
    is_true("it was ignored", signal(SIGUSR1, SIG_DFL) == SIG_IGN);
    is("SIGCHLD", raise(SIGCHLD), 0);
    is("SIGKILL cannot be", signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL, 1);
}

static void machine(void)
{
    struct sysinfo info;
    struct rusage usage;
    struct tms ticks;
    cpu_set_t set;

    is_true("sysinfo", sysinfo(&info) == 0 && info.mem_unit == 1 && info.totalram > 16 << 20);
    is_true("getrusage", getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_utime.tv_usec > 0 &&
                         usage.ru_stime.tv_usec > 0);
    is_true("of children", getrusage(RUSAGE_CHILDREN, &usage) == 0 && usage.ru_utime.tv_usec == 0);
    is("of nobody", RAW(SYS_getrusage, 7, &usage), -EINVAL);
    is_true("times", times(&ticks) != -1 && ticks.tms_utime >= 0);
    is_true("one processor", sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1);
    is("a set too small", RAW(SYS_sched_getaffinity, 0, 4, &set), -EINVAL);
}

static void process(void)
{
    struct timespec a, b, cpu, wait = { 0, 3000000 };
    struct utsname names;
    struct rlimit limit;
    struct sigaction old;
    int word = 5;

    clock_gettime(CLOCK_MONOTONIC, &a);
    is("nanosleep", nanosleep(&wait, NULL), 0);
    clock_gettime(CLOCK_MONOTONIC, &b);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    is_true("3 ms", (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec >= 3000000);
    is_true("CPU time", cpu.tv_sec == 0 && cpu.tv_nsec > 0);
    is("a wrong clock", RAW(SYS_clock_gettime, 99, &a), -EINVAL);
    is("a wrong time", RAW(SYS_nanosleep, &(struct timespec){ 0, -1 }, 0), -EINVAL);
    is("uname", uname(&names), 0);
    is("the system", strcmp(names.sysname, "Linux"), 0);
    is("a stack", getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur == 1 << 20, 1);
    is("pid", getpid() > 0 && getpid() == (pid_t)syscall(SYS_gettid), 1);
    is("old action", sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler == SIG_DFL, 1);
    is("once", pthread_once(&once, count) == 0 && called == 1, 1);
    is("futex of another value", RAW(SYS_futex, &word, 0, 6, NULL), -EAGAIN);
    is("futex in time", RAW(SYS_futex, &word, 0, 5, &wait), -ETIMEDOUT);
    is("a base that is none", RAW(SYS_arch_prctl, 0x1002, 0x8000000000000000ul), -EPERM);
    is("a base of the kernel", RAW(SYS_arch_prctl, 0x1002, 0xffffffff80100000ul), -EPERM);
    ignored();
    is("others", RAW(SYS_kill, 1 + getpid(), 9), -ESRCH);
    is("not there", RAW(SYS_fork), -ENOSYS);
    is("no call", RAW(100000), -ENOSYS);
    is("no call at all", RAW(-1), -ENOSYS);
}

/* Addresses and lengths that are none: each gets its error, and nothing is written. */
static void wild(void)
{
    static const struct iovec round[2] = { { (void *)(TOP - 4096), SIZE_MAX / 2 }, { (void *)8, SIZE_MAX / 2 } };
    const long end = -1, last = -4096, half = (long)(1ul << 63);

    is("vectors that wrap round", RAW(SYS_writev, 1, -16, 2), -EFAULT);
    is("a length that wraps round", RAW(SYS_readv, 0, round, 2), 0);
    is("too many vectors", RAW(SYS_writev, 1, round, end), -EINVAL);
    is("poll past the end", RAW(SYS_poll, TOP - 8, 2, 0), -EFAULT);
    is("poll of all", RAW(SYS_poll, &round, end, 0), -EINVAL);
    is("mmap of all", RAW(SYS_mmap, 0, end, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), -ENOMEM);
    is("mmap round", RAW(SYS_mmap, last, 8192, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), -ENOMEM);
    is("munmap of all", RAW(SYS_munmap, 0, end), -EINVAL);
    is("munmap of half", RAW(SYS_munmap, 65536, half), -EINVAL);
    is("mprotect of all", RAW(SYS_mprotect, 0, end, 1), -ENOMEM);
    is("mremap of all", RAW(SYS_mremap, 65536, end, end, 1), -EINVAL);
    is("random bytes of the kernel's", RAW(SYS_getrandom, last, 64, 0), -EFAULT);
    is("entries nowhere", RAW(SYS_getdents64, end, last, end), -EBADF);
    is("a path of the kernel's", RAW(SYS_open, last, O_RDONLY, 0), -EFAULT);
    is("a base of GS that is none", RAW(SYS_arch_prctl, 0x1001, half), -EPERM);
    is("where FS is, into nowhere", RAW(SYS_arch_prctl, 0x1003, 8), -EFAULT);
}

/* NT, DF, AC, ID and CF are the program's: the call does not see them, and they are there afterwards. */
static void flags(void)
{
    const uint64_t odd = 0x244401;
    uint64_t after, pid;

    __asm__ volatile("pushfq\n\torq %2, (%%rsp)\n\tpopfq\n\tmov $39, %%eax\n\tsyscall\n\tpushfq\n\tpopq %0\n\t"
                     "pushq $2\n\tpopfq" : "=&r"(after), "=&a"(pid) : "r"(odd) : "rcx", "r11", "memory", "cc");
    is("a call with odd flags", (long)pid, getpid());
    is("its flags", (long)(after & odd), (long)odd);
}

/* All of the stack, at its first touch. */
static void stack(void)
{
    volatile char much[900 << 10];

    much[0] = 1;
    much[sizeof much - 1] = 2;
    is("a deep stack", much[0] + much[sizeof much / 2], 1);
}

int main(int argc, char **argv)
{
    start();
    is("arguments", argc, 1);
    is_true("its name", strncmp(argv[0], "calls", 5) == 0);
    files();
    paths();
    descriptors();
    memory();
    moved();
    machine();
    code();
    process();
    wild();
    flags();
    stack();
    printf("%u right\n", right);
    return 7;
}
