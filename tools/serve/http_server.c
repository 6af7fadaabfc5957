/* SPDX-License-Identifier: MIT */
/* Answers HTTP requests. */
#include "tools/serve/http_server.h"

#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/alloc.h"
#include "tools/base/cli.h"
#include "tools/base/own_file.h"

#define TIMEOUT_S     10u
#define RUNS_MOST     64          /* of a turn: the library takes ten of those who come in each */
#define MEMORY        (16u << 10) /* of a connection, for what it asks */
#define OPENMETRICS   "application/openmetrics-text; version=1.0.0; charset=utf-8"
#define PLAIN         "text/plain; charset=utf-8"
#define HTML          "text/html; charset=utf-8"
#define SVG           "image/svg+xml"
#define EVENT_STREAM  "text/event-stream"
#define VIEWER        "/viewer"
#define BLOCK         (64u << 10) /* bytes that are asked for at a time */
#define ALIVE_S       5.0         /* a comment is sent to a reader who got nothing for so long */

const char *const http_server_missing = NULL;

static void put_icon(FILE *out, struct served_line *line, size_t lines)
{
    (void)line, (void)lines;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"><path fill=\"#2a6fb0\" "
          "d=\"M0 5h2v3H0zM3 1h2v7H3zM6 3h2v5H6z\"/></svg>\n", out);
}

static const struct page {
    const char *path, *type;
    void (*put)(FILE *out, struct served_line *line, size_t lines);
} pages[HTTP_PAGES] = {
    {"/metrics", OPENMETRICS, line_metrics_put},
    {"/", HTML, line_metrics_page},
    {"/favicon.ico", SVG, put_icon},
};

static enum MHD_Result answer_as(struct MHD_Connection *connection, unsigned status, struct shared_text *text,
                                 const char *type, bool packed)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback_cls(text->length, text->bytes, shared_text_leave, text);
    enum MHD_Result result;

    if (!response) {
        shared_text_leave(text);
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    if (packed)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, struct shared_text *text,
                              const char *type)
{
    return answer_as(connection, status, text, type, false);
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status, const char *why)
{
    char *text = xasprintf("%s\n", why);

    return answer(connection, status, shared_text_new(text, strlen(text)), PLAIN);
}

static struct shared_text *make_page(const struct http_server *h, const struct page *page)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return NULL;
    page->put(out, h->line, h->lines);
    if (!fclose(out))
        return shared_text_new(text, length);
    free(text);
    return NULL;
}

static enum MHD_Result put_page(struct http_server *h, struct MHD_Connection *connection, size_t i)
{
    const double now = monotonic_seconds();

    if (!h->kept[i].text || now >= h->kept[i].until) {
        shared_text_leave(h->kept[i].text);
        h->kept[i].text = make_page(h, &pages[i]);
        h->kept[i].until = shared_text_until(now, monotonic_seconds() - now);
    }
    return h->kept[i].text ? answer(connection, MHD_HTTP_OK, shared_text_use(h->kept[i].text), pages[i].type)
                           : MHD_NO;
}

static struct http_client *client_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* ---- the page of a line ---- */

/* Whether the client takes what is packed by gzip: it is named, and not with the weight 0. */
static bool takes_packed(struct MHD_Connection *connection)
{
    const char *at = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_ACCEPT_ENCODING);
    double weight = 0;

    for (at = at ? at : ""; !weight && *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL)) {
        at += strspn(at, " \t");
        if (!strncasecmp(at, "gzip", 4) && strchr(" \t;,", at[4]) && sscanf(at + 4, " ; q = %lf", &weight) != 1)
            weight = 1;
    }
    return weight > 0;
}

/* Who asks for a page that comes is suspended, and asks again when it is made. */
static enum MHD_Result put_live_page(struct http_server *h, struct MHD_Connection *connection, unsigned number)
{
    struct http_client *const c = client_of(connection);
    const struct line_page *const p = &h->line[number].page;
    const bool packed = takes_packed(connection);

    if (!c->awaited && line_page_comes(h->line, h->lines, number)) {
        c->awaits = &h->line[number];
        c->tries = p->tries;
        MHD_suspend_connection(connection);
        return MHD_YES;
    }
    c->awaited = false;
    if (!p->version)
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "this line has no page yet");
    return answer_as(connection, MHD_HTTP_OK, shared_text_use(p->text[packed ? PAGE_PACKED : PAGE_PLAIN]), HTML,
                     packed);
}

/* A reader of events. */
struct follower {
    struct http_client *client;
    struct http_server *server;
    unsigned number; /* of the line */
    bool packed;
    uint64_t version;         /* of the page that it has */
    struct shared_text *text; /* that is being sent; NULL: none */
    size_t sent;
    double last;              /* when something was, monotonic_seconds() */
};

static char alive_bytes[] = ":\n\n";
static struct shared_text alive = {alive_bytes, sizeof(alive_bytes) - 1, 1};

/* What it gets now; NULL: nothing. */
static struct shared_text *news_of(const struct follower *f)
{
    const struct line_page *const p = &f->server->line[f->number].page;

    line_page_comes(f->server->line, f->server->lines, f->number);
    if (p->version != f->version)
        return p->text[f->packed ? EVENT_PACKED : EVENT_PLAIN];
    return monotonic_seconds() - f->last < ALIVE_S ? NULL : f->packed ? &live_page_alive : &alive;
}

/* The library looks at each connection in each turn, but not at those that are suspended. */
static void resume(struct http_client *c)
{
    c->waits = NULL;
    c->awaited = c->awaits;
    c->awaits = NULL;
    MHD_resume_connection(c->connection);
}

static void next_event(struct follower *f)
{
    struct shared_text *const text = news_of(f);

    f->sent = 0;
    if (text) {
        f->text = shared_text_use(text);
        f->version = f->server->line[f->number].page.version;
        f->last = monotonic_seconds();
    }
    http_client_due(f->client, text);
}

static ssize_t read_events(void *follower, uint64_t at, char *to, size_t room)
{
    struct follower *f = follower;
    size_t some;

    (void)at;
    if (!f->text)
        next_event(f);
    if (!f->text) {
        f->client->waits = f;
        MHD_suspend_connection(f->client->connection);
        return 0;
    }
    some = f->text->length - f->sent < room ? f->text->length - f->sent : room;
    memcpy(to, f->text->bytes + f->sent, some);
    f->sent += some;
    f->server->line[f->number].page.sent++;
    if (f->sent == f->text->length) {
        shared_text_leave(f->text);
        f->text = NULL;
    }
    return (ssize_t)some;
}

static void end_events(void *follower)
{
    struct follower *f = follower;

    shared_text_leave(f->text);
    free(f);
}

static enum MHD_Result put_events(struct http_server *h, struct MHD_Connection *connection, unsigned number)
{
    struct follower *f;
    struct MHD_Response *response;
    enum MHD_Result result;

    if (http_clients_in(&h->clients, HTTP_FOLLOWS) == HTTP_FOLLOWERS) {
        refusal_log_tell(h->clients.refusals, "a client of HTTP is refused: %d follow pages", HTTP_FOLLOWERS);
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many follow pages");
    }
    http_client_enters(&h->clients, client_of(connection), HTTP_FOLLOWS);
    f = xrealloc_array(NULL, 1, sizeof(*f));
    *f = (struct follower){.client = client_of(connection), .server = h, .number = number,
                           .packed = takes_packed(connection), .last = monotonic_seconds()};
    if (f->packed)
        f->text = shared_text_use(&live_page_head);
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_events, f, end_events);
    if (!response) {
        end_events(f);
        return MHD_NO;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, EVENT_STREAM);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close"); /* else each piece of it is copied */
    if (f->packed)
        MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, "gzip");
    result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

/* "/lines/3" or "/lines/3/events". */
static enum MHD_Result put_line(struct http_server *h, struct MHD_Connection *connection, const char *path)
{
    const char *digits = path + strlen(LIVE_PAGES);
    const size_t length = strspn(digits, "0123456789");
    const unsigned long number = length && length < 6 ? strtoul(digits, NULL, 10) : h->lines;

    if (number < h->lines && !digits[length])
        return put_live_page(h, connection, (unsigned)number);
    if (number < h->lines && !strcmp(digits + length, LIVE_EVENTS))
        return put_events(h, connection, (unsigned)number);
    return refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such line");
}

/* The page that reads a dump, or a line of the reader's own machine: a file that was built or installed beside us. */
static enum MHD_Result put_viewer(struct MHD_Connection *connection)
{
    char *const path = own_file("../lib/cpuprobe/build", ".", "viewer.html");
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct MHD_Response *response = NULL;
    enum MHD_Result result = MHD_NO;
    struct stat status;

    free(path);
    if (file < 0)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "viewer.html was not built with this program: make viewer");
    if (!fstat(file, &status))
        response = MHD_create_response_from_fd((uint64_t)status.st_size, file);
    if (!response) {
        close(file);
        return result;
    }
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, HTML);
    result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result put_path(struct http_server *h, struct MHD_Connection *connection, const char *path)
{
    const char *const host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);

    if (host && !http_host_allowed(host, h->listen)) {
        refusal_log_tell(h->clients.refusals, "a request for the host %.100s is refused: this is another", host);
        return refuse(connection, MHD_HTTP_MISDIRECTED_REQUEST, "this server has another name");
    }
    for (size_t i = 0; i < HTTP_PAGES; i++)
        if (!strcmp(path, pages[i].path))
            return put_page(h, connection, i);
    if (!strncmp(path, LIVE_PAGES, strlen(LIVE_PAGES)))
        return put_line(h, connection, path);
    if (!strcmp(path, VIEWER))
        return put_viewer(connection);
    return refuse(connection, MHD_HTTP_NOT_FOUND, "there are /, /metrics, /viewer and /lines/0");
}

static enum MHD_Result take_request(void *server, struct MHD_Connection *connection, const char *path,
                                    const char *method, const char *version, const char *upload,
                                    size_t *upload_length, void **seen)
{
    static int mark;
    struct http_server *h = server;

    (void)version, (void)upload;
    if (strcmp(method, MHD_HTTP_METHOD_GET) && strcmp(method, MHD_HTTP_METHOD_HEAD))
        return *upload_length ? MHD_NO
                              : refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "this server only answers GET");
    if (!*seen) { /* the answer is for the second call */
        *seen = &mark;
        return MHD_YES;
    }
    if (*upload_length) /* a body says nothing that is asked for here */
        return MHD_NO;
    http_client_enters(&h->clients, client_of(connection), HTTP_TAKES);
    return put_path(h, connection, path);
}

static void note_connection(void *server, struct MHD_Connection *connection, void **client,
                            enum MHD_ConnectionNotificationCode code)
{
    struct http_server *h = server;

    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        *client = http_clients_add(&h->clients, connection);
    else
        http_clients_remove(&h->clients, *client);
}

/* Another request may follow on the same connection. */
static void note_end(void *server, struct MHD_Connection *connection, void **seen,
                     enum MHD_RequestTerminationCode code)
{
    struct http_server *h = server;

    (void)seen;
    if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK)
        http_client_enters(&h->clients, client_of(connection), HTTP_ASKS);
}

/* "127.0.0.1:9467" to an address; NULL, with a message. */
static struct addrinfo *find_address(const char *where)
{
    const struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
    const char *colon = strrchr(where, ':');
    const bool bracketed = colon && *where == '[' && colon > where + 1 && colon[-1] == ']';
    struct addrinfo *found = NULL;
    char *host = colon ? xasprintf("%.*s", (int)(colon - where) - 2 * bracketed, where + bracketed) : NULL;

    /* getaddrinfo() takes a port that is too large, without its high digits. */
    if (!colon || !*host || strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
        strtoul(colon + 1, NULL, 10) > UINT16_MAX || getaddrinfo(host, colon + 1, &hints, &found))
        cli_error("'%s' is no address and port: 127.0.0.1:9467, [::1]:9467 or NAME:9467", where);
    free(host);
    return found;
}

bool http_server_begin(struct http_server *h)
{
    struct addrinfo *address = find_address(h->listen);
    const unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
                           (address && address->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0);

    if (!address)
        return false;
    h->daemon = MHD_start_daemon(flags, 0, NULL, NULL, take_request, h, MHD_OPTION_SOCK_ADDR, address->ai_addr,
                                 MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_MOST,
                                 MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S,
                                 MHD_OPTION_NOTIFY_CONNECTION, note_connection, h,
                                 MHD_OPTION_NOTIFY_COMPLETED, note_end, h,
                                 MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_END);
    freeaddrinfo(address);
    if (!h->daemon)
        cli_error("%s cannot be listened at: %s", h->listen, strerror(errno));
    return h->daemon;
}

unsigned http_server_port(const struct http_server *h)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_BIND_PORT);

    return info ? info->port : 0;
}

/* Whether it waits no longer: for news, or for a page that was made or does not come, or its time is over. */
static bool is_awake(const struct http_server *h, const struct http_client *c)
{
    if (c->waits)
        return news_of(c->waits);
    return c->awaits && (c->closing || c->awaits->page.tries != c->tries ||
                         !line_page_comes(h->line, h->lines, (size_t)(c->awaits - h->line)));
}

static double processor_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned sent_of(const struct http_server *h)
{
    unsigned sent = 0;

    for (size_t i = 0; i < h->lines; i++)
        sent += h->line[i].page.sent;
    return sent;
}

/* The library sends a piece in the run after it was asked for.  The pages that were sent share the time. */
static void run_library(struct http_server *h)
{
    const double begun = processor_seconds();
    unsigned runs = 0, sent = 0, before;
    uint64_t came;
    double each;

    do {
        came = h->clients.came;
        before = sent;
        MHD_run(h->daemon);
        sent = sent_of(h);
    } while ((h->clients.came != came || sent != before) && ++runs < RUNS_MOST);
    each = sent ? (processor_seconds() - begun) / sent : 0;
    for (size_t i = 0; sent && i < h->lines; i++)
        line_page_charge(&h->line[i].page, each * h->line[i].page.sent);
}

void http_server_serve(struct http_server *h)
{
    for (size_t i = 0; i < h->lines; i++) {
        const char *const why = line_page_serve(&h->line[i].page);

        if (why)
            refusal_log_tell(h->clients.refusals, "the page of %s is not made: %s", h->line[i].watch.name, why);
    }
    for (struct http_client *c = h->clients.first; c; c = c->next)
        if (is_awake(h, c))
            resume(c);
    run_library(h);
    http_clients_serve(&h->clients);
}

void http_server_end(struct http_server *h)
{
    for (struct http_client *c = h->clients.first; c; c = c->next)
        if (c->waits || c->awaits)
            resume(c);
    MHD_stop_daemon(h->daemon);
    for (size_t i = 0; i < HTTP_PAGES; i++)
        shared_text_leave(h->kept[i].text);
}
