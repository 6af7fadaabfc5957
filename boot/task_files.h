/* SPDX-License-Identifier: MIT */
/*
 * Which files the doors that read file systems bring along: all of one folder, for programs to run and for programs
 * to read.  The core decides what may be a file's name (kernel/mm/module_files.h), and tells what it refuses.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TASK_FILES_FOLDER "tasks"  /* in the root folder, beside cpuprobe.cfg */
#define TASK_FILES_LINE   256      /* longest name, its end included: what FAT has */
#define TASK_FILES_SPARE  0x1000000u /* bytes of memory that they leave for the image and its tasks */

/* Whether the words name a file: else none is read, because a stick takes its time. */
bool task_files_wanted(const char *words);

/*
 * The name of a file in UTF-16, ended by 0, as the line of a module.  What such a line cannot hold becomes '?', which
 * is part of no name.  False for a file that is left out: other systems write files of their own, whose names begin
 * with a dot.
 */
bool task_files_line(char line[TASK_FILES_LINE], const uint16_t *name);
