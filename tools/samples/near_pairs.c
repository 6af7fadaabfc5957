/* SPDX-License-Identifier: MIT */
/* Memory that the system gives as zeros: what no pair touches is never there. */
#include "tools/samples/near_pairs.h"

#include <stdlib.h>

#include "tools/base/alloc.h"

#define PAIRS ((size_t)NEAR_PLACES * NEAR_PLACES)

struct near_pairs near_pairs_new(void)
{
    const struct near_pairs n = {calloc(PAIRS, sizeof(*n.count)), calloc(PAIRS, sizeof(*n.full))};

    if (!n.count || !n.full)
        out_of_memory();
    return n;
}

void near_pairs_free(struct near_pairs *n)
{
    free(n->count);
    free(n->full);
}
