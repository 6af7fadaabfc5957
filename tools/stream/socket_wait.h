/* SPDX-License-Identifier: MIT */
/*
 * Whether the server of a unix socket has taken a connection, or another client keeps
 * it busy: connect(2) succeeds in both cases, and an emulator's serial line serves one
 * client at a time.
 */
#ifndef TOOLS_STREAM_SOCKET_WAIT_H
#define TOOLS_STREAM_SOCKET_WAIT_H

#include <stdbool.h>

/*
 * Wait `ms` at most for the connected socket to leave its server's queue.  False: it
 * still waits there.  Where the system does not tell (sock_diag(7)), it counts as taken.
 */
bool socket_is_taken(int socket, int ms);

#endif
