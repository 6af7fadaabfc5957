/* SPDX-License-Identifier: MIT */
/* Stands in for FreeRTOS where it is not there: the types and macros that the example uses, and no more. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "FreeRTOSConfig.h"

typedef int64_t BaseType_t;
typedef uint64_t UBaseType_t, TickType_t, StackType_t;
typedef void (*TaskFunction_t)(void *argument);

#define pdFALSE 0
#define pdTRUE  1
#define pdFAIL  0
#define pdPASS  1
#define portMAX_DELAY     UINT64_MAX
#define pdMS_TO_TICKS(ms) ((TickType_t)(ms) * configTICK_RATE_HZ / 1000)
