/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe decode-screen`: the result that a code on the image's screen holds, from a photograph or from the text
 * that any reader of QR codes gives (docs/PROTOCOL.md, "Codes").
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/coding/base45.h"
#include "probe/stream/wire.h"
#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/output_file.h"
#include "tools/base/temporary.h"
#include "tools/cmd/commands.h"
#include "tools/stream/frame_decoder.h"

#define READER      "zbarimg"
#define NO_READER   127    /* as a shell says that there is no such command */
#define INPUT_MOST  (64u << 20) /* bytes: a photograph is smaller */

struct arguments {
    const char *path, *out;
};

static const struct option_row options[] = {
    {"output", 'o', "DUMP", "write the stream that it is, for the other commands; - is standard output",
     SET_TEXT(out)},
    {0},
};

static const struct argument_row photograph = {
    ARGUMENTS(path, path), .least = 1, .most = 1,
    .missing = "a photograph is needed, or a file with the code's text; '-' is standard input",
    .many = "only one code can be read: '%s' is one too many",
};

struct bytes {
    uint8_t *at; /* the caller frees it */
    size_t length;
};

static struct bytes read_all(FILE *from)
{
    struct bytes b = {.at = xcalloc(INPUT_MOST, 1)};

    b.length = fread(b.at, 1, INPUT_MOST, from);
    return b;
}

static bool read_input(const char *path, struct bytes *to)
{
    FILE *const from = strcmp(path, "-") ? fopen(path, "rb") : stdin;

    if (from)
        *to = read_all(from);
    if (!from || ferror(from)) {
        cli_error("%s: %s", path, strerror(errno));
        return false;
    }
    if (from != stdin)
        fclose(from);
    return true;
}

/* ---- the code's text ---- */

static const char *find_tag(const struct bytes *b)
{
    return memmem(b->at, b->length, CODE_TAG, sizeof(CODE_TAG) - 1);
}

static void become_reader(const char *path, int out)
{
    char at_hand[strlen(path) + sizeof "./"]; /* a name may begin with '-' */

    snprintf(at_hand, sizeof(at_hand), "./%s", path);
    if (dup2(out, STDOUT_FILENO) >= 0 && freopen("/dev/null", "w", stderr))
        execlp(READER, READER, "--raw", "-q", *path == '-' ? at_hand : path, (char *)NULL);
    _exit(NO_READER);
}

/* What the reader of QR codes finds in a picture; its exit status. */
static int read_picture(const char *path, struct bytes *to)
{
    int ends[2], status = 0;
    pid_t child;
    FILE *from;

    if (pipe(ends) || (child = fork()) < 0)
        return NO_READER;
    if (!child)
        become_reader(path, ends[1]);
    close(ends[1]);
    from = fdopen(ends[0], "rb");
    *to = read_all(from);
    fclose(from);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : NO_READER;
}

/* The input is the text, or a picture of it. */
static bool find_text(const char *path, struct bytes *b)
{
    int status;

    if (find_tag(b))
        return true;
    if (!strcmp(path, "-")) {
        cli_error("standard input has no text that begins with %s", CODE_TAG);
        return false;
    }
    free(b->at);
    *b = (struct bytes){NULL, 0};
    status = read_picture(path, b);
    if (find_tag(b))
        return true;
    if (status == NO_READER)
        cli_error("%s has no text that begins with %s; to look for a code in a picture, install %s (package "
                  "zbar-tools), or read it with a phone and give its text", path, CODE_TAG, READER);
    else
        cli_error("%s: %s finds no code of cpuprobe in it; the text screen of a VGA has none, a framebuffer has one "
                  "at the end of a run", path, READER);
    return false;
}

/* The characters up to the end of its line; none of them is lost where a mail has broken it. */
static size_t join_lines(const char *text, const char *end, char *to)
{
    size_t length = 0;

    for (; text < end && *text != '\0'; text++)
        if (*text != '\n' && *text != '\r')
            to[length++] = *text;
    return length;
}

static bool decode(const char *path, struct bytes *b)
{
    const char *const text = find_tag(b) + sizeof(CODE_TAG) - 1;
    char *const joined = xcalloc(b->length + 1, 1);
    const size_t length = join_lines(text, (const char *)b->at + b->length, joined);
    const ptrdiff_t bytes = base45_decode(b->at, joined, length);

    free(joined);
    if (bytes > 0) {
        b->length = (size_t)bytes;
        return true;
    }
    cli_error("%s: what follows %s is no Base45", path, CODE_TAG);
    return false;
}

/* ---- the stream that it is ---- */

static bool has_record(const struct bytes *b, enum wire_type type)
{
    struct frame_decoder *const decoder = xrealloc_array(NULL, 1, sizeof(*decoder)); /* too large for the stack */
    struct stream_event event;
    bool found = false;

    decoder_init(decoder);
    for (size_t at = 0; at < b->length && !found;) {
        at += decoder_feed(decoder, b->at + at, b->length - at, &event);
        found = event.kind == STREAM_RECORD && event.reader.type == type;
    }
    free(decoder);
    return found;
}

static bool write_bytes(const void *what, FILE *out)
{
    const struct bytes *const b = what;

    return fwrite(b->at, 1, b->length, out) == b->length;
}

/* Other commands read it as their standard input. */
static bool put_on_stdin(const struct bytes *b)
{
    FILE *const file = temporary_file();
    const bool put = file && write_bytes(b, file) && !fflush(file) && !fseek(file, 0, SEEK_SET) &&
                     dup2(fileno(file), STDIN_FILENO) == STDIN_FILENO;

    if (!put)
        cli_error("a temporary file cannot be written: %s", strerror(errno));
    if (file)
        fclose(file);
    return put;
}

static int print(const char *path, const struct bytes *b)
{
    int status, other = EXIT_OK;

    if (!put_on_stdin(b))
        return EXIT_NO_DATA;
    if (!has_record(b, WIRE_EXACT))
        cli_error("%s: the code has no exact times", path);
    status = subcommand_run(&cmd_stat, 2, (char *[]){"cpuprobe stat", "-", NULL});
    if (has_record(b, WIRE_SURVEY)) {
        puts("");
        lseek(STDIN_FILENO, 0, SEEK_SET);
        other = subcommand_run(&cmd_survey, 2, (char *[]){"cpuprobe survey", "-", NULL});
    }
    return other > status ? other : status;
}

static int run_command(void *arguments)
{
    const struct arguments *const a = arguments;
    int status = EXIT_NO_DATA;
    struct bytes b = {NULL, 0};

    if (read_input(a->path, &b) && find_text(a->path, &b) && decode(a->path, &b)) {
        if (a->out)
            status = output_to_file(a->out, write_bytes, &b) ? EXIT_OK : EXIT_NO_DATA;
        else
            status = print(a->path, &b);
    }
    free(b.at);
    return status;
}

const struct subcommand cmd_decode_screen = {
    .name = "decode-screen", .what = "print the result that a photograph of the image's screen shows as a code",
    .run = run_command, .bytes = sizeof(struct arguments), .own = {options, &photograph}, .args_doc = "FILE",
    .doc = "Print the table of the code on the image's screen, and a survey that is in it: FILE is a photograph, or "
           "the text that a reader of QR codes gives.",
    .example = {"cpuprobe decode-screen code.txt", "cpuprobe decode-screen -o screen.dump code.txt"},
};
