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
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "probe/schedule/splitmix64.h"
#include "tests/fuzz/encode.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/oracle.h"
#include "tools/base/exit_code.h"
#include "tools/cmd/commands.h"
#include "tools/export/export.h"

#define LIST_MOST   (512u << 10) /* bytes of a stream as a list of frames */
#define SLOWEST     10           /* seconds of CPU for one command, a hundred times what the slowest takes */
#define MEMORY_MOST (64u << 20)  /* bytes for one command: docs/TOOL.md */
#define FINDINGS    20           /* that are looked for */
#define WORDS       7            /* of a command line, at most */
#define BATCH       10           /* mutants in one child: to fork is dearer than to run one */

struct attack {
    const char *what;             /* file that it came from */
    unsigned long number;
    struct dump stream;
    char path[32];
};

/* What must hold of what a command prints; of JSON with any status, of a table with status 0. */
enum judged { AS_BYTES, AS_TEXT, AS_SIGNS, AS_TABLE, AS_JSON, AS_JSON_LINES };

struct line {
    const char *words; /* "@": the stream */
    enum judged judged;
    int same; /* as many lines before this one stands one that has the same status; 0: none */
};

static const struct line lines[] = {
    {"stat @", AS_TEXT, 0},
    {"stat --json @", AS_TABLE, 1},
    {"stat --json --epoch=1 @", AS_TABLE, 0},
    {"stat --json --epoch=2 @", AS_TABLE, 0},
    {"stat --exact --cells --wald @", AS_TEXT, 0},
    {"stat --sort=user --top=2 @", AS_TEXT, 0},
    {"info @", AS_TEXT, 0},
    {"info --json @", AS_JSON, 1},
    {"script @", AS_TEXT, 0},
    {"script --snapshots @", AS_TEXT, 0},
    {"output @", AS_BYTES, 0},
    {"samples @", AS_TEXT, 0},
    {"transitions @", AS_TEXT, 0},
    {"trace @", AS_TEXT, 0},
    {"trace --json --steps @", AS_JSON_LINES, 0},
    {"trace --filter=task=ROGUE --from=1 --to=2 @", AS_TEXT, 0},
    {"gantt @", AS_SIGNS, 0},
    {"gantt --ascii --width=60 @", AS_TEXT, 0},
    {"gantt --svg=- @", AS_SIGNS, 0},
    {"intercept @", AS_TEXT, 0},
    {"intercept --json @", AS_JSON, 1},
    {"acct @", AS_TEXT, 0},
    {"acct --json @", AS_JSON, 1},
    {"acct --all --from=0.5 --to=1 @", AS_TEXT, 0},
    {"procstat @", AS_TEXT, 0},
    {"procstat --json @", AS_JSON, 1},
    {"procstat --from=0.5 --to=1 @", AS_TEXT, 0},
    {"idle @", AS_TEXT, 0},
    {"idle --json @", AS_JSON, 1},
    {"ps @", AS_TEXT, 0},
    {"ps --json @", AS_JSON, 1},
    {"compare @", AS_TEXT, 0},
    {"compare --json @", AS_JSON, 1},
    {"compare --svg=- @ @", AS_SIGNS, 0},
    {"profile @", AS_TEXT, 0},
    {"profile --json @", AS_JSON, 1},
    {"kiviat @", AS_SIGNS, 0},
    {"kiviat --json @ @", AS_JSON, 0},
    {"kiviat --svg=- --exact @", AS_SIGNS, 0},
    {"diff @ @", AS_TEXT, 0},
    {"diff --json @ @", AS_JSON, 1},
    {"states @", AS_SIGNS, 0},
    {"states --json @", AS_JSON_LINES, 1},
    {"states --match=4.+0 --hits @", AS_SIGNS, 0},
    {"states --tree @", AS_SIGNS, 0},
    {"states --svg=- @", AS_SIGNS, 0},
    {"load @", AS_SIGNS, 0},
    {"load --json @", AS_JSON, 1},
    {"load --acct @", AS_SIGNS, 0},
    {"load --ranges --table @", AS_SIGNS, 0},
    {"load --svg=- @", AS_SIGNS, 0},
    {"durations @", AS_SIGNS, 0},
    {"durations --json @", AS_JSON, 1},
    {"durations --of=run @", AS_SIGNS, 0},
    {"durations --of=ready --linear=0.001 --json @", AS_JSON, 0},
    {"durations --of=sleep --svg=- @", AS_SIGNS, 0},
    {"masked @", AS_TEXT, 0},
    {"masked --json @", AS_JSON, 1},
    {"waits @", AS_TEXT, 0},
    {"waits --json @", AS_JSON, 1},
    {"model @", AS_TEXT, 0},
    {"model --json @", AS_JSON, 1},
    {"model --cpu=fifo --scale=cpu=2 @", AS_TEXT, 0},
    {"time --count=1000 @", AS_TEXT, 0},
    {"time --json --count=1000 @", AS_JSON, 1},
    {"audit @", AS_TEXT, 0},
    {"audit --json @", AS_JSON, 1},
    {"survey @", AS_TEXT, 0},
    {"survey --json @", AS_JSON, 1},
    {"survey @ @", AS_TEXT, 0},
    {"histogram @", AS_TEXT, 0},
    {"histogram --json @", AS_JSON, 1},
    {"histogram --mode=all @", AS_TEXT, 0},
    {"histogram --by=instruction --mode=all @", AS_TEXT, 0},
    {"histogram --zoom @", AS_TEXT, 0},
    {"histogram --region @", AS_TEXT, 0},
    {"histogram --callers @", AS_TEXT, 0},
    {"report --output=- @", AS_SIGNS, 0},
    {"report --json @", AS_JSON, 1},
    {"report --json @ @", AS_JSON, 0},
};

#define LINES (sizeof(lines) / sizeof(lines[0]))

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

static void tell_cost(const struct attack *a, const struct line *line, clock_t took)
{
    if (took > cost->time) {
        cost->time = took;
        snprintf(cost->slowest, sizeof(cost->slowest), "mutant %lu, %s", a->number, line->words);
    }
    if (most_held > cost->memory) {
        cost->memory = most_held;
        snprintf(cost->greatest, sizeof(cost->greatest), "mutant %lu, %s", a->number, line->words);
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

static const char *judge_json(const char *text, size_t length, bool table)
{
    json_error_t error;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    const char *found = !root ? "no JSON" : table ? oracle_table(root) : NULL;

    json_decref(root); /* `found` is no part of it */
    return found;
}

static const char *judge_json_lines(const char *text, size_t length)
{
    const char *found = NULL;

    for (size_t at = 0; at < length && !found;) {
        const char *end = memchr(text + at, '\n', length - at);
        const size_t size = end ? (size_t)(end - text) - at : length - at;

        found = judge_json(text + at, size, false);
        at += size + 1;
    }
    return found;
}

static const char *judge_text(enum judged as, int status, const char *text, size_t length)
{
    switch (as) {
    case AS_TEXT: return oracle_text(text, length);
    case AS_SIGNS: return oracle_signs(text, length);
    case AS_JSON_LINES: return judge_json_lines(text, length);
    case AS_TABLE: case AS_JSON: break;
    default: return NULL;
    }
    if (!length)
        return status == EXIT_OK ? "no output" : NULL;
    return judge_json(text, length, as == AS_TABLE && status == EXIT_OK);
}

static const char *judge(const struct line *line, int status, const char *text, size_t length)
{
    if (status < 0 || status == EXIT_USAGE || status > EXIT_CHECK_FAILED)
        return "an exit status that no stream can cause";
    if (most_held > MEMORY_MOST)
        return "more memory than is promised";
    return judge_text(line->judged, status, text, length);
}

struct words {
    char text[128], *argv[WORDS + 2];
    int argc;
    const struct subcommand *command;
};

static void split(struct words *w, const char *line, const char *path)
{
    char *rest = w->text;

    snprintf(w->text, sizeof(w->text), "%s", line);
    w->argc = 0;
    for (char *word; (word = strsep(&rest, " ")) && w->argc <= WORDS; w->argc++)
        w->argv[w->argc] = strcmp(word, "@") ? word : (char *)path;
    w->argv[w->argc] = NULL;
    w->command = commands[0];
    for (size_t i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, w->argv[0]))
            w->command = commands[i];
}

static void limit(time_t seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* What the line prints, in a file in memory; its status. */
static int run_words(const struct words *w, int out)
{
    FILE *const before = stdout;
    int status;

    stdout = fdopen(out, "w");
    most_held = held = 0;
    limit(SLOWEST);
    status = w->command->run(w->argc, (char **)w->argv);
    limit(0);
    if (fclose(stdout))
        end_of("output");
    stdout = before;
    return status;
}

static bool run_line(const struct attack *a, const struct line *line, int *status)
{
    const int out = memfd_create("output", 0), copy = dup(out);
    const clock_t start = clock();
    struct words w;
    struct stat file;
    const char *found, *text;

    split(&w, line->words, a->path);
    *status = run_words(&w, out);
    tell_cost(a, line, clock() - start);
    if (fstat(copy, &file))
        end_of("output");
    text = file.st_size ? mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, copy, 0) : "";
    if (text == MAP_FAILED)
        end_of("output");
    found = judge(line, *status, text, (size_t)file.st_size);
    if (!found && line->same && *status != status[-line->same])
        found = "as a text another one";
    if (found)
        dprintf(told, "attack: mutant %lu of %s, %s: status %d, and %s\n", a->number, a->what, line->words, *status,
                found);
    if (file.st_size)
        munmap((void *)text, (size_t)file.st_size);
    close(copy);
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
static bool run_export(const struct attack *a, size_t n)
{
    const struct export_format *f = &export_formats[n];
    char words[64];
    const bool text = !ends(f->extension, ".gz") && f->needs != NEEDS_PROFILE;
    const char *const to = f->write_folder ? "-o." : text ? "-o-" : "-o/dev/null";
    const struct line line = {words, ends(f->extension, ".json") ? AS_JSON : ends(f->extension, ".jsonl") ?
                              AS_JSON_LINES : AS_SIGNS, 0};
    int status;

    snprintf(words, sizeof(words), "export --format=%s %s @", f->name, to);
    return run_line(a, &line, &status);
}

static bool run_mutant(struct attack *a)
{
    const int file = memfd_create("mutant", 0);
    int status[LINES];
    bool good = true;

    make(a);
    snprintf(a->path, sizeof(a->path), "/proc/self/fd/%d", file);
    if (file < 0 || (a->stream.length &&
                     write(file, a->stream.bytes, a->stream.length) != (ssize_t)a->stream.length))
        end_of("memfd");
    for (size_t i = 0; i < LINES; i++)
        good &= run_line(a, &lines[i], &status[i]);
    for (size_t i = 0; i < export_format_count; i++)
        good &= run_export(a, i);
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
    cost = mmap(NULL, sizeof(*cost), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    __sanitizer_install_malloc_and_free_hooks(count_more, count_less);
    while (done < count && found < FINDINGS) {
        const unsigned long some = count - done < BATCH ? count - done : BATCH;

        if (run(argv + 4, first + done, some))
            found += look_closer(argv + 4, argv[3], first + done, some);
        done += some;
    }
    printf("%lu mutants of %d streams by %zu lines, %lu findings; at the most %.2f s (%s), %zu kB (%s)\n", done,
           argc - 4, LINES + export_format_count, found, (double)cost->time / CLOCKS_PER_SEC, cost->slowest,
           cost->memory >> 10, cost->greatest);
    return !done || found;
}
