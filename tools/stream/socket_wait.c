/* SPDX-License-Identifier: MIT */
/* The queues of listening sockets, as the kernel lists them: sock_diag(7), netlink(7). */
#include "tools/stream/socket_wait.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define LOOK_MS  20
#define REPLY_MS 1000

static bool ask(int link)
{
    const struct {
        struct nlmsghdr head;
        struct unix_diag_req request;
    } message = {
        .head = {sizeof(message), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP, 1, 0},
        .request = {.sdiag_family = AF_UNIX, .udiag_states = 1 << TCP_LISTEN, .udiag_show = UDIAG_SHOW_ICONS},
    };

    return send(link, &message, sizeof(message), 0) == sizeof(message);
}

/* Whether the socket of this inode is among the connections that a server has not accepted. */
static bool lists(const struct nlmsghdr *m, uint32_t inode)
{
    const char *at = (const char *)NLMSG_DATA(m) + NLMSG_ALIGN(sizeof(struct unix_diag_msg));
    const char *end = (const char *)m + m->nlmsg_len;

    while (at + sizeof(struct rtattr) <= end) {
        struct rtattr a;

        memcpy(&a, at, sizeof(a));
        if (a.rta_len < sizeof(a) || a.rta_len > (size_t)(end - at))
            return false;
        for (size_t i = sizeof(a); a.rta_type == UNIX_DIAG_ICONS && i + sizeof(inode) <= a.rta_len;
             i += sizeof(inode))
            if (!memcmp(at + i, &inode, sizeof(inode)))
                return true;
        at += RTA_ALIGN(a.rta_len);
    }
    return false;
}

/* Read the answer once; false if it has ended or none comes. */
static bool read_part(int link, uint32_t inode, bool *found)
{
    static alignas(struct nlmsghdr) char buffer[1 << 15];
    ssize_t got = recv(link, buffer, sizeof(buffer), 0);

    if (got <= 0)
        return false;
    for (const struct nlmsghdr *m = (void *)buffer; NLMSG_OK(m, got); m = NLMSG_NEXT(m, got)) {
        if (m->nlmsg_type == NLMSG_DONE || m->nlmsg_type == NLMSG_ERROR)
            return false;
        *found |= m->nlmsg_type == SOCK_DIAG_BY_FAMILY && lists(m, inode);
    }
    return true;
}

static bool is_queued(int link, uint32_t inode)
{
    bool found = false;

    if (!ask(link))
        return false;
    while (read_part(link, inode, &found))
        ;
    return found;
}

bool socket_is_taken(int connected, int ms)
{
    const struct timeval patience = {.tv_sec = REPLY_MS / 1000};
    struct stat self;
    bool queued;
    int link;

    if (fstat(connected, &self))
        return true;
    link = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (link < 0)
        return true;
    setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    while ((queued = is_queued(link, (uint32_t)self.st_ino)) && (ms -= LOOK_MS) > 0)
        poll(NULL, 0, LOOK_MS);
    close(link);
    return !queued;
}
