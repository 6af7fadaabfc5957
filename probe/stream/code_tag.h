/* SPDX-License-Identifier: MIT */
/* What a code on the screen begins with, before the bytes of a stream in Base45 (docs/PROTOCOL.md, "Codes"). */
#pragma once

#define CODE_TAG "CPUPROBE1:"
