/* SPDX-License-Identifier: MIT */
/*
 * The version of cpuprobe.  The image prints it first, HELLO contains it, and the host
 * tool prints it for --version: one number for all three (CHANGELOG.md).
 */
#pragma once

#define CPUPROBE_VERSION "0.18"
