// The state of the fake driver, its configuration, and the running of streams.

#include "fake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__thread struct context *current;
struct context contexts[MAX_DEVICES];
struct memory *memories;
struct event *events;
struct stream *streams;
struct graph *graphs;
struct exec *execs;
int initialized;
struct config config = {.devices = 2, .version = 12040, .max_threads = 1024, .block_memory = 227 << 10, .memory = 1 << 30};

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int configure(const char *spec) {
	char *copy = strdup(spec), *save = NULL;
	int bad = 0;
	for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		char *value = strchr(item, '=');
		if (!value) {
			bad = -1;
			break;
		}
		*value++ = 0;
		if (!strcmp(item, "devices")) {
			config.devices = atoi(value);
		} else if (!strcmp(item, "version")) {
			config.version = atoi(value);
		} else if (!strcmp(item, "memory")) {
			config.memory = strtoull(value, NULL, 10);
		} else if (!strcmp(item, "block_memory")) {
			config.block_memory = atoi(value);
		} else if (!strcmp(item, "max_threads")) {
			config.max_threads = atoi(value);
		} else if (!strcmp(item, "eager")) {
			config.eager = atoi(value);
		} else if (!strcmp(item, "fault")) {
			config.fault = atoi(value);
		} else if (!strncmp(item, "cu", 2) && strlen(item) < sizeof config.failures[0].name) {
			int i = 0;
			while (i < MAX_FAILURES && config.failures[i].code && strcmp(config.failures[i].name, item)) {
				i++;
			}
			if (i == MAX_FAILURES) {
				bad = -1;
				break;
			}
			char *nth = strchr(value, '@');
			strcpy(config.failures[i].name, item);
			config.failures[i].code = atoi(value);
			config.failures[i].nth = nth ? atoi(nth + 1) : 0;
		} else {
			bad = -1;
			break;
		}
	}
	free(copy);
	return bad;
}

static void start(void) {
	pthread_mutexattr_t attr;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attr);
	const char *spec = getenv("QD_FAKECUDA");
	if (spec && configure(spec)) {
		fprintf(stderr, "fakecuda: QD_FAKECUDA=%s is not understood\n", spec);
		abort();
	}
}

int locked(void) {
	pthread_once(&once, start);
	return pthread_mutex_lock(&lock);
}

void unlock(int *held) {
	(void)held;
	pthread_mutex_unlock(&lock);
}

// count counts the calls of a function, and gives the calls so far; add is what a call counts for.
static int count(const char *name, int add) {
	static struct {
		const char *name;
		int calls;
	} counts[MAX_FUNCTIONS];
	int i = 0;
	while (i < MAX_FUNCTIONS && counts[i].name && strcmp(counts[i].name, name)) {
		i++;
	}
	if (i == MAX_FUNCTIONS || (!counts[i].name && !add)) {
		return 0;
	}
	if (!counts[i].name) {
		counts[i].name = name; // of a function, which stays
	}
	return counts[i].calls += add;
}

CUresult injected(const char *name) {
	count(name, 1);
	for (int i = 0; i < MAX_FAILURES; i++) {
		if (!strcmp(config.failures[i].name, name) && config.failures[i].code) {
			if (config.failures[i].nth == 0) {
				return config.failures[i].code;
			}
			if (--config.failures[i].nth == 0) {
				int code = config.failures[i].code;
				config.failures[i].code = 0;
				config.failures[i].name[0] = 0;
				return code;
			}
		}
	}
	return SUCCESS;
}

API int qdfake_configure(const char *spec) {
	LOCKED;
	return configure(spec);
}

// qdfake_calls is how often a function of the driver has been called.
API int qdfake_calls(const char *name) {
	LOCKED;
	return count(name, 0);
}

// qdfake_live counts allocations, streams, events and graphs that have not been given back.
API int qdfake_live(void) {
	LOCKED;
	int n = 0;
	for (struct memory *m = memories; m; m = m->next) {
		n += !m->variable;
	}
	for (struct stream *s = streams; s; s = s->next) {
		n++;
	}
	for (struct event *e = events; e; e = e->next) {
		n++;
	}
	for (struct graph *g = graphs; g; g = g->next) {
		n++;
	}
	for (struct exec *x = execs; x; x = x->next) {
		n++;
	}
	return n;
}

int in_memory(const void *p, size_t size) {
	for (struct memory *m = memories; m; m = m->next) {
		if (m->ctx == current && (const char *)p >= m->base && (const char *)p + size <= m->base + m->size) {
			return 1;
		}
	}
	return 0;
}

static int guards_whole(struct context *ctx) {
	for (struct memory *m = memories; m; m = m->next) {
		if (m->ctx != ctx || m->variable) {
			continue;
		}
		for (int i = 0; i < GUARD; i++) {
			if ((unsigned char)m->base[-1 - i] != GUARD_BYTE || (unsigned char)m->base[m->size + i] != GUARD_BYTE) {
				return 0;
			}
		}
	}
	return 1;
}

static void launch(struct context *ctx, const struct op *op) {
	if (config.fault) {
		ctx->sticky = config.fault;
		config.fault = 0;
		return;
	}
	op->kernel(op->from, op->grid, op->block);
	if (!guards_whole(ctx)) {
		ctx->sticky = ILLEGAL_ADDRESS;
	}
}

static void run_op(struct context *ctx, const struct op *op) {
	struct timespec now;
	switch (op->kind) {
	case HTOD:
	case DTOH:
	case DTOD:
		memmove(op->to, op->from, op->size);
		break;
	case MEMSET:
		memset(op->to, op->value, op->size);
		break;
	case LAUNCH:
		launch(ctx, op);
		break;
	case RECORD:
		clock_gettime(CLOCK_MONOTONIC, &now);
		op->event->ms = now.tv_sec * 1e3 + now.tv_nsec / 1e6;
		op->event->reached = 1;
		op->event->stream = NULL;
		break;
	}
}

CUresult run(struct stream *s) {
	while (s->first) {
		struct op *op = s->first;
		s->first = op->next;
		if (!s->ctx->sticky) {
			run_op(s->ctx, op);
		}
		if (op->kind == LAUNCH) {
			free((void *)op->from);
		}
		free(op);
	}
	s->last = NULL;
	return s->ctx->sticky;
}

CUresult run_all(struct context *ctx) {
	for (struct stream *s = streams; s; s = s->next) {
		if (s->ctx == ctx) {
			run(s);
		}
	}
	return ctx->sticky;
}

void append(struct op **first, struct op **last, struct op op) {
	struct op *copy = malloc(sizeof op);
	*copy = op;
	copy->next = NULL;
	if (*last) {
		(*last)->next = copy;
	} else {
		*first = copy;
	}
	*last = copy;
}

CUresult queue(struct stream *s, struct op op) {
	append(&s->first, &s->last, op);
	return config.eager ? run(s) : SUCCESS;
}
