/* SPDX-License-Identifier: MIT */
/*
 * `cpuprobe serve`: one process holds many lines: OpenMetrics over HTTP, and for each line a socket
 * through which other commands use it beside each other.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/interrupt.h"
#include "tools/cmd/commands.h"
#include "tools/serve/http_server.h"
#include "tools/serve/line_pages.h"
#include "tools/serve/refusal_log.h"
#include "tools/stream/port.h"

#define LISTEN     "127.0.0.1:9467"
#define LINES_MOST 256
#define OWN_FILES  32 /* of the process itself, its HTTP server and the pages that are made */
/* 7500 bytes at 1.5 Mbit/s, where a tty holds 4095 and the kernel 65536 before it */
#define TURN_MS    50
#define QUICK_MS   10 /* while clients use a line and wait for answers */
#define READ_MS    1  /* between two reads of a socket */

struct arguments {
    const char *listen, *folder;
    unsigned mode;
    unsigned long baud;
    const char *port[LINES_MOST];
    unsigned ports;
};

struct server {
    struct served_line *line;
    size_t lines;
    struct http_server http;
    struct refusal_log refusals;
};

static void take_mode(void *to, char *text, struct argp_state *state)
{
    if (!*text || strlen(text) > 4 || strspn(text, "01234567") != strlen(text) || strtoul(text, NULL, 8) > 0777)
        argp_error(state, "--mode %s is no mode: 600, 660 or another up to 777", text);
    *(unsigned *)to = (unsigned)strtoul(text, NULL, 8);
}

static const struct option_row options[] = {
    {"listen", 'l', "ADDRESS:PORT", "where HTTP is answered (" LISTEN "), a name too; port 0: one that is free, "
     "which is printed",
     SET_TEXT(listen)},
    {"sockets", 0, "FOLDER", "make a unix socket for each line there, which other commands take as their PORT",
     SET_TEXT(folder)},
    {"mode", 0, "MODE", "permissions of these sockets, as of chmod(1); 600 by default", CALL_AT(take_mode, mode)},
    PORT_BAUD(baud),
    {0},
};

static void check_line(void *input, char *port, struct argp_state *state)
{
    struct stat what;

    (void)input;
    if (!stat(port, &what) && !S_ISCHR(what.st_mode) && !S_ISSOCK(what.st_mode))
        argp_error(state, "%s is no line: a serial line, a pty or a unix socket", port);
}

static const struct argument_row ports = {
    ARGUMENTS(port[0], port[1]), .count = offsetof(struct arguments, ports), .least = 1, .most = LINES_MOST,
    .missing = "PORT is missing", .many = "more than " TEXT_OF(LINES_MOST) " lines", .take = check_line,
};

static void take_bytes(void *line, const uint8_t *bytes, size_t length)
{
    struct served_line *l = line;

    line_history_bytes(&l->history, bytes, length);
    if (l->shared)
        line_mux_bytes(&l->mux, bytes, length);
}

static void take_event(void *line, const struct stream_event *event)
{
    struct served_line *l = line;

    line_history_event(&l->history, &l->watch.preface);
    if (l->shared)
        line_mux_event(&l->mux, event);
}

/* Two lines of one name would be one metric and one socket. */
static bool is_new(const struct server *s, const char *name)
{
    for (size_t i = 0; i < s->lines; i++)
        if (!strcmp(s->line[i].watch.name, name)) {
            cli_error("two lines have the name %s", name);
            return false;
        }
    return true;
}

static bool add_line(struct server *s, const struct arguments *a, const char *port)
{
    struct served_line *l = &s->line[s->lines];
    bool fresh;

    l->watch = (struct line_watch){.port = port, .baud = a->baud, .bytes = take_bytes, .event = take_event,
                                   .context = l};
    line_watch_begin(&l->watch);
    fresh = is_new(s, l->watch.name);
    s->lines++;
    l->mux.listener = -1;
    l->shared = a->folder;
    return fresh && (!a->folder || line_mux_begin(&l->mux, &l->watch, &s->refusals, a->folder, a->mode));
}

/* One turn; the time to the next, ms. */
static int turn(struct server *s)
{
    bool used = false, more = false;

    for (size_t i = 0; i < s->lines; i++) {
        struct served_line *l = &s->line[i];

        line_watch_serve(&l->watch);
        if (l->shared)
            line_mux_serve(&l->mux);
        used = used || l->mux.clients;
        more = more || l->watch.more;
    }
    http_server_serve(&s->http);
    refusal_log_serve(&s->refusals);
    return more ? 0 : used ? QUICK_MS : TURN_MS;
}

/*
 * The time between two turns.  A tty keeps what comes meanwhile.  A socket keeps a few hundred small writes, and then
 * its writer waits: an emulated board, whose time passes faster than ours, gives its line up.  So a socket is read
 * as soon as it has bytes, after READ_MS.
 */
static void wait_turn(const struct server *s, int ms)
{
    struct pollfd sockets[LINES_MOST];
    nfds_t n = 0;

    if (!ms)
        return;
    for (size_t i = 0; i < s->lines; i++) {
        const struct line_watch *l = &s->line[i].watch;

        if (l->in >= 0 && !isatty(l->in))
            sockets[n++] = (struct pollfd){.fd = l->in, .events = POLLIN};
    }
    nanosleep(&(struct timespec){.tv_nsec = (n ? READ_MS : ms) * 1000000L}, NULL);
    if (n)
        poll(sockets, n, ms - READ_MS);
}

static void run(struct server *s)
{
    while (!interrupted)
        wait_turn(s, turn(s));
}

/* Allow as many open files as all lines and their clients may need; a sentence where the system does not let us. */
static void allow_files(const struct arguments *a)
{
    const rlim_t each = a->folder ? 2 + MUX_CLIENTS : 1, wanted = each * a->ports + HTTP_MOST + OWN_FILES;
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur >= wanted)
        return;
    files.rlim_cur = wanted < files.rlim_max ? wanted : files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur < wanted)
        cli_error("%llu open files are allowed (ulimit -Hn), and %u lines with all their clients may need %llu: who "
                  "comes when there are no more is refused", (unsigned long long)files.rlim_cur, a->ports,
                  (unsigned long long)wanted);
}

static bool begin(struct server *s, const struct arguments *a)
{
    allow_files(a);
    for (size_t i = 0; i < a->ports; i++)
        if (!add_line(s, a, a->port[i]))
            return false;
    s->http = (struct http_server){.line = s->line, .lines = s->lines, .listen = a->listen,
                                   .clients.refusals = &s->refusals};
    return http_server_begin(&s->http);
}

static int run_command(void *arguments)
{
    const struct arguments *a = arguments;
    struct server s = {0};
    bool begun;

    if (http_server_missing) {
        cli_error("%s", http_server_missing);
        return EXIT_NO_DATA;
    }
    s.line = xcalloc(a->ports, sizeof(*s.line));
    signal(SIGPIPE, SIG_IGN);
    interrupt_watch();
    begun = begin(&s, a);
    if (begun) {
        printf("http port %u, %zu lines\n", http_server_port(&s.http), s.lines);
        fflush(stdout);
        run(&s);
        http_server_end(&s.http);
    }
    for (size_t i = 0; i < s.lines; i++) {
        if (s.line[i].shared)
            line_mux_end(&s.line[i].mux);
        line_watch_end(&s.line[i].watch);
        line_history_free(&s.line[i].history);
        line_page_free(&s.line[i].page);
    }
    refusal_log_end(&s.refusals);
    free(s.line);
    return begun ? EXIT_OK : EXIT_NO_DATA;
}

const struct subcommand cmd_serve = {
    .name = "serve", .what = "watch many lines: OpenMetrics over HTTP, and a socket for each", .run = run_command,
    .bytes = sizeof(struct arguments), .initial = &(const struct arguments){.listen = LISTEN, .mode = 0600},
    .live = true,
    .own = {options, &ports}, .args_doc = "PORT...",
    .doc = "Watch each PORT (a serial line, a pty or a unix socket) until a signal comes.  GET /metrics has the "
           "state and the last table of each line as OpenMetrics.\vA board that resets, "
           "hangs up or sends anything else is a metric, and a "
           "port that goes is opened again each second.  Through its socket several commands use one line at a time: "
           "cpuprobe record FOLDER/ttyUSB0.  Exit status: 0 ended by a signal, 1 nothing could be served.",
    .example = {"cpuprobe serve --listen 127.0.0.1:9100 /dev/ttyUSB0"},
};
