/* SPDX-License-Identifier: MIT */
/*
 * Streams whose checksums and sequence are right and whose fields lie, through every
 * command that reads a stream: attack COUNT FIRST FOLDER FILE...  Mutant n, from FIRST on,
 * is a change of one of the recorded streams FILE, the same one each time;
 * tests/fuzz/mutate_stream.c changes it, tests/fuzz/oracle.c judges what is printed.
 * A mutant that is believed, breaks a command or takes too long is kept in FOLDER.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "probe/schedule/splitmix64.h"
#include "tests/fuzz/encode.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/oracle.h"
#include "tools/base/exit_code.h"
#include "tools/cmd/commands.h"
#include "tools/export/export.h"

#define LIST_MOST (128u << 10) /* bytes of a stream as a list of frames */
#define SLOWEST   10           /* seconds for one command, a hundred times what the slowest takes */
#define FINDINGS  20           /* that are looked for */
#define WORDS     5            /* of a command line, at most */
#define BATCH     20           /* mutants in one child: to fork is dearer than to run one */

struct attack {
    const char *what;             /* file that it came from */
    unsigned long number;
    struct dump stream;
    char path[32];
};

enum judged { AS_TEXT, AS_TABLE, AS_JSON };

struct line {
    const struct subcommand *command;
    const char *word[WORDS]; /* "@": the stream */
    enum judged judged;
};

static const struct line lines[] = {
    {&cmd_stat, {"--json", "@"}, AS_TABLE},
    {&cmd_stat, {"--json", "--epoch=1", "@"}, AS_TABLE},
    {&cmd_stat, {"--json", "--epoch=2", "@"}, AS_TABLE},
    {&cmd_stat, {"--exact", "--cells", "--wald", "@"}, AS_TEXT},
    {&cmd_info, {"@"}, AS_TEXT},
    {&cmd_info, {"--json", "@"}, AS_TEXT},
    {&cmd_script, {"@"}, AS_TEXT},
    {&cmd_samples, {"@"}, AS_TEXT},
    {&cmd_transitions, {"@"}, AS_TEXT},
    {&cmd_states, {"@", "--match=4.+0"}, AS_TEXT},
    {&cmd_audit, {"@"}, AS_TEXT},
    {&cmd_audit, {"--json", "@"}, AS_TEXT},
    {&cmd_histogram, {"@"}, AS_TEXT},
    {&cmd_histogram, {"--json", "@"}, AS_TEXT},
    {&cmd_histogram, {"@", "--by=instruction"}, AS_TEXT},
    {&cmd_histogram, {"@", "--region"}, AS_TEXT},
    {&cmd_histogram, {"@", "--callers"}, AS_TEXT},
    {&cmd_procstat, {"@"}, AS_TEXT},
    {&cmd_procstat, {"--json", "@"}, AS_TEXT},
    {&cmd_diff, {"@", "@"}, AS_TEXT},
    {&cmd_diff, {"--json", "@", "@"}, AS_TEXT},
    {&cmd_time, {"--count=1000", "@"}, AS_TEXT},
    {&cmd_time, {"--json", "--count=1000", "@"}, AS_TEXT},
    {&cmd_report, {"--json", "@"}, AS_TEXT},
};

#define LINES (sizeof(lines) / sizeof(lines[0]))

static int told; /* standard error as it was */

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

static size_t read_list(const char *path, uint8_t *list)
{
    FILE *file = fopen(path, "rb");
    size_t length;

    if (!file)
        end_of(path);
    list[0] = 0;
    length = fread(list + 1, 1, LIST_MOST - 1, file);
    fclose(file);
    return fuzz_list_of(list, 1 + length, LIST_MOST);
}

static void make(struct attack *a)
{
    static uint8_t list[LIST_MOST];
    size_t length = read_list(a->what, list);

    state = a->number;
    length = LLVMFuzzerCustomMutator(list, length, sizeof(list), (unsigned)splitmix64_mix(a->number));
    a->stream = fuzz_encode(list, length);
}

/* ---- One mutant, in a child ---- */

static const char *judge(const struct line *line, int status, const char *text, size_t length)
{
    json_error_t error;
    json_t *root;
    const char *found;

    if (status < 0 || status == EXIT_USAGE || status > EXIT_CHECK_FAILED)
        return "an exit status that no stream can cause";
    if (line->judged == AS_TEXT)
        return oracle_text(text, length);
    if (status != EXIT_OK)
        return NULL;
    root = json_loadb(text, length, 0, &error);
    found = !root ? "no JSON" : line->judged == AS_TABLE ? oracle_table(root) : NULL;
    json_decref(root); /* `found` is no part of it */
    return found;
}

/* The number of the words, which stand in argv then. */
static int words_of(const struct line *line, const char *path, char *argv[WORDS + 2])
{
    int argc = 1;

    argv[0] = "cpuprobe";
    for (unsigned i = 0; i < WORDS && line->word[i]; i++)
        argv[argc++] = (char *)(strcmp(line->word[i], "@") ? line->word[i] : path);
    argv[argc] = NULL;
    return argc;
}

static bool run_line(const struct attack *a, const struct line *line)
{
    char *text = NULL, *argv[WORDS + 2];
    const int argc = words_of(line, a->path, argv);
    size_t length = 0;
    const char *found;
    int status;

    stdout = open_memstream(&text, &length);
    alarm(SLOWEST);
    status = line->command->run(argc, argv);
    alarm(0);
    fclose(stdout);
    found = judge(line, status, text, length);
    if (found)
        dprintf(told, "attack: mutant %lu of %s, %s %s: status %d, and %s\n", a->number, a->what, line->command->name,
                line->word[0], status, found);
    free(text);
    return !found;
}

static bool ends(const char *text, const char *end)
{
    const size_t length = strlen(text), of = strlen(end);

    return length >= of && !strcmp(text + length - of, end);
}

/*
 * One format for each mutant.  A folder is made and does not get the name ".";
 * bytes that are no text are thrown away.
 */
static bool run_export(const struct attack *a)
{
    const struct export_format *f = &export_formats[a->number % export_format_count];
    char format[40];
    const bool text = !ends(f->extension, ".gz") && f->needs != NEEDS_PROFILE;
    const char *const to = f->write_folder ? "-o." : text ? "-o-" : "-o/dev/null";
    const struct line line = {&cmd_export, {format, to, "@"}, ends(f->extension, ".json") ? AS_JSON : AS_TEXT};

    snprintf(format, sizeof(format), "--format=%s", f->name);
    return run_line(a, &line);
}

static bool run_mutant(struct attack *a)
{
    const int file = memfd_create("mutant", 0);
    bool good = true;

    make(a);
    snprintf(a->path, sizeof(a->path), "/proc/self/fd/%d", file);
    if (file < 0 || (a->stream.length &&
                     write(file, a->stream.bytes, a->stream.length) != (ssize_t)a->stream.length))
        end_of("memfd");
    for (size_t i = 0; i < LINES; i++)
        good &= run_line(a, &lines[i]);
    good &= run_export(a);
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
    return (struct attack){.what = files[number % count], .number = number};
}

static void keep(struct attack *a, const char *folder)
{
    char path[4096];
    FILE *out;

    make(a);
    snprintf(path, sizeof(path), "%s/mutant-%lu", folder, a->number);
    out = fopen(path, "wb");
    if (!out || fwrite(a->stream.bytes, 1, a->stream.length, out) != a->stream.length || fclose(out))
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
    while (done < count && found < FINDINGS) {
        const unsigned long some = count - done < BATCH ? count - done : BATCH;

        if (run(argv + 4, first + done, some))
            found += look_closer(argv + 4, argv[3], first + done, some);
        done += some;
    }
    printf("%lu mutants of %d streams by %zu lines, %lu findings\n", done, argc - 4, LINES, found);
    return !done || found;
}
