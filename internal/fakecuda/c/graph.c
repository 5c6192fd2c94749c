// Graphs.

#include "fake.h"

#include <stdlib.h>
#include <string.h>

API CUresult cuGraphCreate(struct graph **graph, unsigned flags) {
	ENTER_CONTEXT;
	if (flags) {
		return INVALID_VALUE;
	}
	struct graph *g = calloc(1, sizeof *g);
	g->next = graphs;
	g->ctx = current;
	*graph = graphs = g;
	return SUCCESS;
}

static int has_node(struct graph *g, struct node *n) {
	struct node *at = g->nodes;
	while (at && at != n) {
		at = at->next;
	}
	return at != NULL;
}

// find_graph finds a graph of which all the nodes are.
static struct graph *find_graph(struct graph *graph, struct node *const *after, size_t count) {
	struct graph *g = FIND(graphs, graph);
	for (size_t i = 0; g && i < count; i++) {
		if (!has_node(g, after[i])) {
			return NULL;
		}
	}
	return g;
}

static CUresult add(struct node **node, struct graph *g, struct node *const *after, size_t count, struct op op) {
	struct node *n = calloc(1, sizeof *n);
	n->op = op;
	n->count = count;
	n->after = calloc(count + 1, sizeof *after);
	if (count) {
		memcpy(n->after, after, count * sizeof *after);
	}
	n->next = g->nodes;
	*node = g->nodes = n;
	return SUCCESS;
}

API CUresult cuGraphAddKernelNode(struct node **node, struct graph *graph, struct node *const *after, size_t count, const struct launch_params *params) {
	ENTER_CONTEXT;
	struct graph *g = find_graph(graph, after, count);
	if (!g) {
		return INVALID_HANDLE;
	}
	struct op op;
	CUresult code = launch_op(&op, params);
	return code ? code : add(node, g, after, count, op);
}

// CUDA_MEMSET_NODE_PARAMS
struct memset_params {
	ull to;
	size_t pitch;
	unsigned value, element;
	size_t width, height;
};

API CUresult cuGraphAddMemsetNode(struct node **node, struct graph *graph, struct node *const *after, size_t count, const struct memset_params *params, struct context *ctx) {
	ENTER_CONTEXT;
	struct graph *g = find_graph(graph, after, count);
	if (!g || ctx != current) {
		return INVALID_HANDLE;
	}
	if (params->element != 1 || params->value > 255 || params->height != 1 || !params->width || !in_memory((void *)params->to, params->width)) {
		return INVALID_VALUE;
	}
	return add(node, g, after, count, (struct op){.kind = MEMSET, .to = (void *)params->to, .value = (int)params->value, .size = params->width});
}

// One end of a copy in CUDA_MEMCPY3D.
struct copy_end {
	size_t x, y, z, lod;
	unsigned type;
	void *host;
	ull device;
	void *array, *reserved;
	size_t pitch, height;
};

// CUDA_MEMCPY3D
struct copy_params {
	struct copy_end from, to;
	size_t width, height, depth;
};

enum { DEVICE_MEMORY = 2 };

// plain reports whether an end is memory of a device, from its beginning.
static int plain(const struct copy_end *e, size_t size) {
	return e->type == DEVICE_MEMORY && !e->x && !e->y && !e->z && !e->lod && !e->host && !e->array && !e->reserved && in_memory((void *)e->device, size);
}

API CUresult cuGraphAddMemcpyNode(struct node **node, struct graph *graph, struct node *const *after, size_t count, const struct copy_params *params, struct context *ctx) {
	ENTER_CONTEXT;
	struct graph *g = find_graph(graph, after, count);
	if (!g || ctx != current) {
		return INVALID_HANDLE;
	}
	if (!params->width || params->height != 1 || params->depth != 1 || !plain(&params->from, params->width) || !plain(&params->to, params->width)) {
		return INVALID_VALUE;
	}
	return add(node, g, after, count, (struct op){.kind = DTOD, .to = (void *)params->to.device, .from = (void *)params->from.device, .size = params->width});
}

// ready reports whether all that a node waits for has its place.
static int ready(struct node *n) {
	for (size_t i = 0; i < n->count; i++) {
		if (!n->after[i]->ordered) {
			return 0;
		}
	}
	return !n->ordered;
}

// copy_op is an operation with arguments of its own.
static struct op copy_op(const struct op *op) {
	struct op copy = *op;
	if (op->kind == LAUNCH) {
		copy.from = copy_args(op->from, op->size);
	}
	return copy;
}

// Where a graph leaves the order open, what was added last comes first: who forgot to say what a node waits for finds
// out.
API CUresult cuGraphInstantiate_v2(struct exec **exec, struct graph *graph, struct node **error, char *log, size_t size) {
	ENTER_CONTEXT;
	struct graph *g = FIND(graphs, graph);
	if (!g) {
		return INVALID_HANDLE;
	}
	if (error || log || size) {
		return INVALID_VALUE;
	}
	struct exec *x = calloc(1, sizeof *x);
	x->next = execs;
	x->ctx = current;
	for (struct node *n = g->nodes; n; n = n->next) {
		n->ordered = 0;
	}
	for (struct node *n = g->nodes; n;) {
		if (!ready(n)) {
			n = n->next;
			continue;
		}
		append(&x->first, &x->last, copy_op(&n->op));
		n->ordered = 1;
		n = g->nodes;
	}
	*exec = execs = x;
	return SUCCESS;
}

API CUresult cuGraphLaunch(struct exec *exec, struct stream *stream) {
	ENTER_CONTEXT;
	struct exec *x = FIND(execs, exec);
	struct stream *s = FIND(streams, stream);
	if (!x || !s) {
		return INVALID_HANDLE;
	}
	// A launch waits for the one before, on whichever stream.
	struct stream *before = FIND(streams, x->stream);
	if (before && before != s) {
		CUresult code = run(before);
		if (code) {
			return code;
		}
	}
	x->stream = s;
	for (struct op *op = x->first; op; op = op->next) {
		CUresult code = queue(s, copy_op(op));
		if (code) {
			return code;
		}
	}
	return SUCCESS;
}

API CUresult cuGraphExecDestroy(struct exec *exec) {
	ENTER_CONTEXT;
	struct exec *x = FIND(execs, exec);
	if (!x) {
		return INVALID_HANDLE;
	}
	for (struct op *op = x->first; op;) {
		struct op *gone = op;
		op = op->next;
		if (gone->kind == LAUNCH) {
			free((void *)gone->from);
		}
		free(gone);
	}
	UNLINK(execs, x);
	free(x);
	return SUCCESS;
}

API CUresult cuGraphDestroy(struct graph *graph) {
	ENTER_CONTEXT;
	struct graph *g = FIND(graphs, graph);
	if (!g) {
		return INVALID_HANDLE;
	}
	while (g->nodes) {
		struct node *n = g->nodes;
		g->nodes = n->next;
		if (n->op.kind == LAUNCH) {
			free((void *)n->op.from);
		}
		free(n->after);
		free(n);
	}
	UNLINK(graphs, g);
	free(g);
	return SUCCESS;
}
