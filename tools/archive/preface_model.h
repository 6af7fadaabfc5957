/* SPDX-License-Identifier: MIT */
/* A model of a stream that begins anew: it knows who sends, the names, and the last whole snapshot.  Host. */
#pragma once

#include "tools/archive/stream_preface.h"
#include "tools/model/stream_model.h"

/* Give `m`, which the caller has initialised, the records of the preface. */
void preface_fill_model(const struct stream_preface *p, struct model *m);
