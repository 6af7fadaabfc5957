/* SPDX-License-Identifier: MIT */
/*
 * Puts cpuprobe into FreeRTOS: include it at the end of FreeRTOSConfig.h, and compile cpuprobe_freertos.c and
 * cpuprobe-core.c with the kernel.  It needs configUSE_TRACE_FACILITY, INCLUDE_xTaskGetIdleTaskHandle,
 * INCLUDE_xTaskGetCurrentTaskHandle and INCLUDE_vTaskDelay of 1, and one processor.
 */
#pragma once

#ifndef __ASSEMBLER__
#include "cpuprobe-core.h"

struct tskTaskControlBlock;
void cpuprobe_freertos_created(struct tskTaskControlBlock *task);
void cpuprobe_freertos_deleted(struct tskTaskControlBlock *task);
void cpuprobe_freertos_switched(void);
#define traceTASK_CREATE(task)  cpuprobe_freertos_created(task)
#define traceTASK_DELETE(task)  cpuprobe_freertos_deleted(task)
#define traceTASK_SWITCHED_IN() cpuprobe_freertos_switched()

/*
 * Before vTaskStartScheduler(); `port` is what your board gives: all but name and name_of, and lock() keeps the
 * source's interrupt away.  NULL, or a sentence about what is wrong.  A task of the highest priority measures;
 * `ended` is called in it at the end, with a sentence if nothing was measured.
 */
const char *cpuprobe_freertos_start(const struct cpuprobe_port *port, const struct cpuprobe_options *options,
                                    void (*ended)(const char *why));

/* First thing in the interrupt of the source, with the address that it interrupted; and the last thing. */
void cpuprobe_freertos_tick(uintptr_t pc);
void cpuprobe_freertos_tick_ends(void);

/* A task, of which `cpuprobe verify-port` needs three of equal priority: `part` is an enum cpuprobe_part. */
void cpuprobe_freertos_load(void *part);
#endif
