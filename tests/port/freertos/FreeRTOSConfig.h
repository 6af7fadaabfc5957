/* SPDX-License-Identifier: MIT */
/* Sets up FreeRTOS for the example: what cpuprobe needs, and what the real kernel wants to be told. */
#pragma once

#define configCPU_CLOCK_HZ           10000000
#define configTICK_RATE_HZ           1000
#define configTICK_TYPE_WIDTH_IN_BITS TICK_TYPE_WIDTH_64_BITS
#define configMAX_PRIORITIES         5
#define configMINIMAL_STACK_SIZE     512 /* words of 8 bytes */
#define configMAX_TASK_NAME_LEN      16
#define configISR_STACK_SIZE_WORDS   512
#define configTOTAL_HEAP_SIZE        65536
#define configMTIME_BASE_ADDRESS     0 /* the timer is the board's: board.c */
#define configMTIMECMP_BASE_ADDRESS  0
#define configUSE_PREEMPTION         1
#define configUSE_IDLE_HOOK          1
#define configUSE_TICK_HOOK          0
#define configUSE_TRACE_FACILITY     1
#define INCLUDE_xTaskGetIdleTaskHandle    1
#define INCLUDE_xTaskGetCurrentTaskHandle 1
#define INCLUDE_vTaskDelay                1
#define INCLUDE_vTaskDelete               1

#include "cpuprobe_freertos.h"
