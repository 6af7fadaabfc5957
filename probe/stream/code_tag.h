/* SPDX-License-Identifier: MIT */
/* Marks the text of a code on the screen: bytes of a stream in Base45 follow (docs/PROTOCOL.md, "Codes"). */
#pragma once

#define CODE_TAG "CPUPROBE1:"
