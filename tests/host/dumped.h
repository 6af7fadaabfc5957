/* SPDX-License-Identifier: MIT */
/* A synthetic stream and what it decodes to: what a test makes, looks at and drops again. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "tests/host/decode.h"
#include "tests/host/dump.h"

static struct decoded got;
static struct dump d;

/* cmocka's teardown. */
static inline int end(void **state)
{
    (void)state;
    model_free(&got.model);
    free(d.bytes);
    memset(&d, 0, sizeof(d));
    return 0;
}
