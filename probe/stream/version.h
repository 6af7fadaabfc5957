/* SPDX-License-Identifier: MIT */
/*
 * The version of cpuprobe.  The image says it first, HELLO carries it, and the host
 * tool has it in --version: one number for all three (CHANGELOG.md).
 */
#ifndef PROBE_STREAM_VERSION_H
#define PROBE_STREAM_VERSION_H

#define CPUPROBE_VERSION "0.2"

#endif
