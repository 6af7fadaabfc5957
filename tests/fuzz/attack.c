/* SPDX-License-Identifier: MIT */
/*
 * Streams whose checksums and sequence are right and whose fields lie, through every
 * command that reads a stream: attack COUNT FIRST FOLDER FILE...  Mutant n, from FIRST on,
 * is a change of one of the recorded streams FILE, the same one each time; the first ones, as
 * many as there are files, are these as they stand.  tests/fuzz/mutate_stream.c changes them,
 * tests/fuzz/oracle.c judges what is printed.  A mutant that is believed, breaks a command or
 * takes too long is kept in FOLDER; with a COUNT of 0 mutant FIRST is, and nothing runs.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "probe/schedule/splitmix64.h"
#include "tests/fuzz/encode.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/lines.h"

#define LIST_MOST   (512u << 10) /* bytes of a stream as a list of frames */
#define SLOWEST     10           /* seconds of CPU for one command, a hundred times what the slowest takes */
#define MEMORY_MOST (64u << 20)  /* bytes for one command: docs/TOOL.md */
#define LINES_MOST  128
#define FINDINGS    20           /* that are looked for */
#define BATCH       10           /* mutants in one child: to fork is dearer than to run one */

struct attack {
    const char *what;             /* file that it came from */
    unsigned long number;
    bool plain;                   /* as it stands */
    struct dump stream;
    char path[32];
};

/* Of the sanitizers, whose header gcc does not always bring. */
int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void *, size_t),
                                              void (*given)(const volatile void *));
size_t __sanitizer_get_allocated_size(const volatile void *);

static int told; /* standard error as it was */

/* What cost the most, seen by all processes. */
struct cost {
    clock_t time;
    size_t memory;
    char slowest[256], greatest[256];
};

static struct cost *cost;

static size_t held, most_held; /* bytes, now and at the most */

static void tell_cost(const struct attack *a, const char *words, clock_t took)
{
    if (took > cost->time) {
        cost->time = took;
        snprintf(cost->slowest, sizeof(cost->slowest), "mutant %lu, %s", a->number, words);
    }
    if (most_held > cost->memory) {
        cost->memory = most_held;
        snprintf(cost->greatest, sizeof(cost->greatest), "mutant %lu, %s", a->number, words);
    }
}

static void __attribute__((noreturn)) end_of(const char *what)
{
    perror(what);
    exit(2);
}

/* ---- Mutants ---- */

static uint64_t state; /* of the mutant that is being made */

/* mutate_stream.c asks for changes of texts: one byte. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most)
{
    const uint64_t random = splitmix64_mix(state += SPLITMIX64_GAMMA);

    if (size)
        data[random % size] = (uint8_t)(random >> 32);
    else if (most)
        data[size++] = (uint8_t)random;
    return size;
}

static size_t read_file(const char *path, uint8_t *bytes, size_t most)
{
    FILE *file = fopen(path, "rb");
    size_t length;

    if (!file)
        end_of(path);
    length = fread(bytes, 1, most, file);
    fclose(file);
    return length;
}

static void make(struct attack *a)
{
    static uint8_t list[LIST_MOST];
    size_t length = read_file(a->what, list + 1, LIST_MOST - 1);

    list[0] = 0;
    if (!a->plain) {
        state = a->number;
        length = fuzz_list_of(list, 1 + length, LIST_MOST);
        length = LLVMFuzzerCustomMutator(list, length, sizeof(list), (unsigned)splitmix64_mix(a->number)) - 1;
    }
    a->stream = fuzz_encode(list, 1 + length);
}

/* ---- One mutant, in a child ---- */

static void count_more(const volatile void *at, size_t size)
{
    (void)at;
    held += size;
    most_held = held > most_held ? held : most_held;
}

static void count_less(const volatile void *at)
{
    const size_t size = at ? __sanitizer_get_allocated_size(at) : 0;

    held -= size < held ? size : held;
}

static void limit(time_t seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* `status` of the lines before it, and of this one then. */
static bool run_line(const struct attack *a, size_t line, int *status)
{
    const clock_t start = clock();
    const unsigned same = fuzz_line_same(line);
    const char *found;

    most_held = held = 0;
    limit(SLOWEST);
    found = fuzz_line_run(line, a->path, &status[line]);
    limit(0);
    tell_cost(a, fuzz_line_words(line), clock() - start);
    if (!found && most_held > MEMORY_MOST)
        found = "more memory than is promised";
    if (!found && same && status[line] != status[line - same])
        found = "as a text another one";
    if (found)
        dprintf(told, "attack: mutant %lu of %s, %s: status %d, and %s\n", a->number, a->what, fuzz_line_words(line),
                status[line], found);
    return !found;
}

static bool run_mutant(struct attack *a)
{
    const int file = memfd_create("mutant", 0);
    int status[LINES_MOST];
    bool good = true;

    make(a);
    snprintf(a->path, sizeof(a->path), "/proc/self/fd/%d", file);
    if (file < 0 || (a->stream.length &&
                     write(file, a->stream.bytes, a->stream.length) != (ssize_t)a->stream.length))
        end_of("memfd");
    for (size_t i = 0; i < fuzz_lines(); i++)
        good &= run_line(a, i, status);
    free(a->stream.bytes);
    close(file);
    return good;
}

/* ---- Findings ---- */

static struct attack mutant(char **files, unsigned long number)
{
    size_t count = 0;

    while (files[count])
        count++;
    return (struct attack){.what = files[number % count], .number = number, .plain = number < count};
}

static void keep(struct attack *a, const char *folder)
{
    char path[4096];
    FILE *out;

    make(a);
    snprintf(path, sizeof(path), "%s/mutant-%lu", folder, a->number);
    out = fopen(path, "wb");
    if (!out || (a->stream.length && fwrite(a->stream.bytes, a->stream.length, 1, out) != 1) || fclose(out))
        end_of(path);
    free(a->stream.bytes);
    dprintf(told, "attack: mutant %lu of %s is kept in %s\n", a->number, a->what, path);
}

/* So many mutants in a child, up to a bad one; its status. */
static int run(char **files, unsigned long first, unsigned long count)
{
    bool good = true;
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0)
        end_of("fork");
    if (!child) {
        stderr = fopen("/dev/null", "w"); /* the sanitizers do not write by it */
        for (unsigned long n = first; n < first + count && good; n++) {
            struct attack a = mutant(files, n);

            good = run_mutant(&a);
        }
        exit(!good);
    }
    if (waitpid(child, &status, 0) != child)
        end_of("waitpid");
    return status;
}

/* Each of a batch alone; how many findings. */
static unsigned long look_closer(char **files, const char *folder, unsigned long first, unsigned long count)
{
    unsigned long found = 0;

    for (unsigned long n = first; n < first + count; n++) {
        struct attack a = mutant(files, n);
        const int status = run(files, n, 1);

        if (WIFSIGNALED(status))
            dprintf(told, "attack: mutant %lu ends by signal %d\n", n, WTERMSIG(status));
        if (status)
            keep(&a, folder);
        found += status != 0;
    }
    return found;
}

int main(int argc, char **argv)
{
    unsigned long count, first, found = 0, done = 0;

    if (argc < 5) {
        fputs("usage: attack COUNT FIRST FOLDER FILE...\n", stderr);
        return 2;
    }
    count = strtoul(argv[1], NULL, 10);
    first = strtoul(argv[2], NULL, 10);
    told = dup(STDERR_FILENO);
    if (!count) {
        struct attack a = mutant(argv + 4, first);

        keep(&a, argv[3]);
        return 0;
    }
    cost = mmap(NULL, sizeof(*cost), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    __sanitizer_install_malloc_and_free_hooks(count_more, count_less);
    while (done < count && found < FINDINGS) {
        const unsigned long some = count - done < BATCH ? count - done : BATCH;

        if (run(argv + 4, first + done, some))
            found += look_closer(argv + 4, argv[3], first + done, some);
        done += some;
    }
    printf("%lu mutants of %d streams by %zu lines, %lu findings; at the most %.2f s (%s), %zu kB (%s)\n", done,
           argc - 4, fuzz_lines(), found, (double)cost->time / CLOCKS_PER_SEC, cost->slowest,
           cost->memory >> 10, cost->greatest);
    return !done || found;
}
