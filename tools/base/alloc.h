/* SPDX-License-Identifier: MIT */
/* Memory, or the end of the program. */
#ifndef TOOLS_BASE_ALLOC_H
#define TOOLS_BASE_ALLOC_H

#include <stddef.h>

/* Memory or the end of the program; `count` elements of `size` bytes. */
void *xrealloc_array(void *old, size_t count, size_t size);

/* Room for one more element after `count`.  The size doubles, so the cost of growing is linear. */
void *xgrow(void *old, size_t count, size_t size);
#define GROW(array, count) ((array) = xgrow((array), (count), sizeof(*(array))))

#endif
