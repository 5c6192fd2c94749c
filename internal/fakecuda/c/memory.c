// Memory.

#include "fake.h"

#include <stdlib.h>
#include <string.h>

API CUresult cuMemGetInfo_v2(size_t *avail, size_t *total) {
	ENTER_CONTEXT;
	*avail = config.memory - current->used;
	*total = config.memory;
	return SUCCESS;
}

API CUresult cuMemAlloc_v2(ull *p, size_t size) {
	ENTER_CONTEXT;
	if (size == 0) {
		return INVALID_VALUE;
	}
	if (size > config.memory - current->used) {
		return OUT_OF_MEMORY;
	}
	// As a device's memory, it is aligned to 256 bytes.
	char *block = aligned_alloc(256, (256 + size + GUARD + 255) / 256 * 256);
	struct memory *m = calloc(1, sizeof *m);
	*m = (struct memory){memories, current, block + 256, size, 0};
	memset(m->base - GUARD, GUARD_BYTE, GUARD);
	memset(m->base, FRESH_BYTE, size);
	memset(m->base + size, GUARD_BYTE, GUARD);
	memories = m;
	current->used += size;
	*p = (ull)m->base;
	return SUCCESS;
}

API CUresult cuMemFree_v2(ull p) {
	ENTER_CONTEXT;
	struct memory *m = memories;
	while (m && (m->base != (char *)p || m->ctx != current || m->variable)) {
		m = m->next;
	}
	if (!m) {
		return INVALID_VALUE;
	}
	CUresult code = run_all(current); // it waits for the device
	UNLINK(memories, m);
	current->used -= m->size;
	free(m->base - 256);
	free(m);
	return code;
}

API CUresult cuMemcpyHtoDAsync_v2(ull to, const void *from, size_t size, struct stream *stream) {
	ENTER_CONTEXT;
	struct stream *s = FIND(streams, stream);
	if (!s) {
		return INVALID_HANDLE;
	}
	if (!in_memory((void *)to, size)) {
		return INVALID_VALUE;
	}
	return queue(s, (struct op){.kind = HTOD, .to = (void *)to, .from = from, .size = size});
}

API CUresult cuMemcpyDtoHAsync_v2(void *to, ull from, size_t size, struct stream *stream) {
	ENTER_CONTEXT;
	struct stream *s = FIND(streams, stream);
	if (!s) {
		return INVALID_HANDLE;
	}
	if (!in_memory((void *)from, size)) {
		return INVALID_VALUE;
	}
	return queue(s, (struct op){.kind = DTOH, .to = to, .from = (void *)from, .size = size});
}

API CUresult cuMemcpyDtoDAsync_v2(ull to, ull from, size_t size, struct stream *stream) {
	ENTER_CONTEXT;
	struct stream *s = FIND(streams, stream);
	if (!s) {
		return INVALID_HANDLE;
	}
	if (!in_memory((void *)to, size) || !in_memory((void *)from, size)) {
		return INVALID_VALUE;
	}
	return queue(s, (struct op){.kind = DTOD, .to = (void *)to, .from = (void *)from, .size = size});
}

API CUresult cuMemsetD8Async(ull to, unsigned char value, size_t size, struct stream *stream) {
	ENTER_CONTEXT;
	struct stream *s = FIND(streams, stream);
	if (!s) {
		return INVALID_HANDLE;
	}
	if (!in_memory((void *)to, size)) {
		return INVALID_VALUE;
	}
	return queue(s, (struct op){.kind = MEMSET, .to = (void *)to, .value = value, .size = size});
}
