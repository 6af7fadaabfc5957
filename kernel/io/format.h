/* SPDX-License-Identifier: MIT */
/* A reason as one sentence, put together of parts, for whoever has to say it. */
#ifndef KERNEL_IO_FORMAT_H
#define KERNEL_IO_FORMAT_H

/*
 * Parts, a NULL-ended list of strings, as one sentence, cut at LOG_LINE_MAX characters;
 * kept until the next, of
 * which it may be a part.  The start of the image, and after it task PROBE.
 */
const char *sentence_of(const char *part, ...);
#define sentence(...) sentence_of(__VA_ARGS__, (const char *)0)

#endif
