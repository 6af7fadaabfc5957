/* SPDX-License-Identifier: MIT */
/* Each step is of a window of its own, so that each has its own number of samples. */
#include "tools/view/zoom_json.h"

#include "tools/base/json_value.h"
#include "tools/view/histogram_json.h"

void zoom_json(struct zoom_view *v, const struct zoom_told *told)
{
    static const char *const until[] = {[ZOOM_TO_SHARE] = "share", [ZOOM_TO_FUNCTION] = "function", [ZOOM_TO_INSTRUCTION] = "instruction"};
    json_t *const object = json_pack("{ss so ss so ss sb}", "schema", "cpuprobe-zoom-1", "task", json_text_or_null(told->task),
                                     "mode", mode_name(told->mode), "seconds", json_count(told->seconds), "until", until[told->goal],
                                     "complete", told->complete);

    if (json_array_size(v->steps)) {
        histogram_put_interval(object, v->view);
    } else {
        json_object_set_new(object, "interval", json_null());
        json_object_set_new(object, "interval_reason", json_null());
    }
    json_object_set_new(object, "steps", v->steps);
    v->steps = NULL;
    json_print(object, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
}
