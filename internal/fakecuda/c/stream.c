// Streams and events.

#include "fake.h"

#include <stdlib.h>

API CUresult cuStreamCreate(struct stream **stream, unsigned flags) {
	ENTER_CONTEXT;
	if (flags > 1) {
		return INVALID_VALUE;
	}
	struct stream *s = calloc(1, sizeof *s);
	s->next = streams;
	s->ctx = current;
	*stream = streams = s;
	return SUCCESS;
}

API CUresult cuStreamSynchronize(struct stream *stream) {
	ENTER_CONTEXT;
	struct stream *s = FIND(streams, stream);
	return s ? run(s) : INVALID_HANDLE;
}

API CUresult cuStreamDestroy_v2(struct stream *stream) {
	ENTER_CONTEXT;
	struct stream *s = FIND(streams, stream);
	if (!s) {
		return INVALID_HANDLE;
	}
	CUresult code = run(s);
	UNLINK(streams, s);
	free(s);
	return code;
}

API CUresult cuEventCreate(struct event **event, unsigned flags) {
	ENTER_CONTEXT;
	if (flags) {
		return INVALID_VALUE;
	}
	struct event *e = calloc(1, sizeof *e);
	e->next = events;
	e->ctx = current;
	*event = events = e;
	return SUCCESS;
}

API CUresult cuEventRecord(struct event *event, struct stream *stream) {
	ENTER_CONTEXT;
	struct event *e = FIND(events, event);
	struct stream *s = FIND(streams, stream);
	if (!e || !s) {
		return INVALID_HANDLE;
	}
	e->reached = 0;
	e->stream = s;
	return queue(s, (struct op){.kind = RECORD, .event = e});
}

API CUresult cuEventSynchronize(struct event *event) {
	ENTER_CONTEXT;
	struct event *e = FIND(events, event);
	if (!e) {
		return INVALID_HANDLE;
	}
	return e->stream ? run(e->stream) : SUCCESS;
}

API CUresult cuEventElapsedTime(float *ms, struct event *start, struct event *end) {
	ENTER_CONTEXT;
	struct event *a = FIND(events, start), *b = FIND(events, end);
	if (!a || !b) {
		return INVALID_HANDLE;
	}
	if (!a->reached || !b->reached) {
		return NOT_READY;
	}
	*ms = (float)(b->ms - a->ms);
	return SUCCESS;
}

API CUresult cuEventDestroy_v2(struct event *event) {
	ENTER_CONTEXT;
	struct event *e = FIND(events, event);
	if (!e) {
		return INVALID_HANDLE;
	}
	if (e->stream) {
		run(e->stream);
	}
	UNLINK(events, e);
	free(e);
	return SUCCESS;
}
