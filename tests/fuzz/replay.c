/* SPDX-License-Identifier: MIT */
/*
 * Feeds a fuzz target from files, without libFuzzer: replay SECONDS FOLDER...
 * runs each file as it is, then, as long as the seconds last, each cut short and
 * with single bytes changed, the same ones in each run.  A child does it, so
 * that what crashed it can be told and kept in $TEST_DIR.
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#define SIZE_MOST  (1 << 20)
#define FILES_MOST 4096
#define ROUNDS     64 /* of changes of one file */
#define SLOWEST    20 /* seconds for one input */
#define FINDINGS   8  /* that are told; then it ends */

struct input {
    char *path;
    uint8_t *bytes;
    size_t size;
};

/* What is being run, seen by both processes. */
struct progress {
    size_t file;     /* index */
    unsigned round;  /* 0: as it is */
    bool done;       /* nothing is left, or the time is over */
    uint64_t runs;
    size_t size;     /* of the input */
    uint8_t bytes[SIZE_MOST];
};

static struct input input[FILES_MOST];
static size_t inputs;
static struct progress *now;
static time_t deadline;

/* ---- files ---- */

static void end(const char *what)
{
    dprintf(STDERR_FILENO, "replay: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void add_file(const char *path)
{
    FILE *in = fopen(path, "rb");
    struct input *to = &input[inputs];

    if (!in || inputs == FILES_MOST - 1)
        end(path);
    to->path = strdup(path);
    to->bytes = malloc(SIZE_MOST);
    to->size = fread(to->bytes, 1, SIZE_MOST, in);
    fclose(in);
    inputs++;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* By name, so that each run is like the other. */
static void add_folder(const char *folder)
{
    struct dirent **entry;
    int count = scandir(folder, &entry, is_visible, alphasort);
    char path[4096];

    if (count <= 0)
        end(folder);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, entry[i]->d_name);
        add_file(path);
        free(entry[i]);
    }
    free(entry);
}

/* ---- inputs ---- */

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352d;
    x = (x ^ x >> 15) * 0x846ca68b;
    return x ^ x >> 16;
}

/* Round 0: as it is; odd: cut; even: one byte is another. */
static void prepare(const struct input *from, unsigned round)
{
    uint32_t random = mix((uint32_t)from->size << 8 ^ round);

    now->size = from->size;
    memcpy(now->bytes, from->bytes, from->size);
    if (!round || !from->size)
        return;
    if (round % 2)
        now->size = random % from->size;
    else
        now->bytes[random % from->size] ^= (uint8_t)(1 + mix(random) % 255);
}

/* A copy of its own size: what is read behind it is seen. */
static void run_one(void)
{
    uint8_t *copy = malloc(now->size ? now->size : 1);

    memcpy(copy, now->bytes, now->size);
    alarm(SLOWEST);
    LLVMFuzzerTestOneInput(copy, now->size);
    alarm(0);
    now->runs++;
    free(copy);
}

/* From where the last child was ended. */
static void run_all(void)
{
    for (; now->round < ROUNDS; now->round++, now->file = 0)
        for (; now->file < inputs; now->file++) {
            if (now->round && time(NULL) >= deadline) {
                now->done = true;
                return;
            }
            prepare(&input[now->file], now->round);
            run_one();
        }
    now->done = true;
}

/* ---- findings ---- */

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void keep(int status)
{
    const char *folder = getenv("TEST_DIR");
    const struct input *from = &input[now->file];
    char path[4096];
    FILE *out;

    snprintf(path, sizeof(path), "%s/crash-%s-%u", folder ? folder : ".", name_of(from->path),
             now->round);
    out = fopen(path, "wb");
    if (!out || fwrite(now->bytes, 1, now->size, out) != now->size || fclose(out))
        end(path);
    dprintf(STDERR_FILENO, "replay: %s %d: %s, change %u; the input is kept in %s\n",
            WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), from->path, now->round,
            path);
}

/* A child from here to the end or to a finding; false: a finding. */
static bool run_child(int *argc, char ***argv)
{
    pid_t child = fork();
    int status;

    if (child < 0)
        end("fork");
    if (!child) {
        if (LLVMFuzzerInitialize(argc, argv))
            end("/dev/null");
        run_all();
        exit(0);
    }
    if (waitpid(child, &status, 0) != child)
        end("waitpid");
    if (!status && now->done)
        return true;
    if (now->done) /* a leak is seen at the end only */
        dprintf(STDERR_FILENO, "replay: the end of all runs has status %d\n", status);
    else
        keep(status);
    return false;
}

int main(int argc, char **argv)
{
    unsigned findings = 0;

    if (argc < 3 || atoi(argv[1]) <= 0) {
        dprintf(STDERR_FILENO, "usage: %s SECONDS FOLDER...\n", argv[0]);
        return 2;
    }
    now = mmap(NULL, sizeof(*now), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (now == MAP_FAILED)
        end("mmap");
    for (int i = 2; i < argc; i++)
        add_folder(argv[i]);
    deadline = time(NULL) + atoi(argv[1]);
    while (!run_child(&argc, &argv)) {
        findings++;
        if (now->done || findings == FINDINGS)
            break;
        now->file++; /* go on behind it */
    }
    printf("%zu files, %lu runs, %u findings\n", inputs, (unsigned long)now->runs, findings);
    return findings != 0;
}
