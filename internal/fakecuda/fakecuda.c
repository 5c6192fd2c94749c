// A CUDA driver whose devices are the host: see doc.go. The functions and the
// numbers are those of the driver's documentation.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int CUresult;
typedef unsigned long long ull;

enum {
	SUCCESS = 0,
	INVALID_VALUE = 1,
	OUT_OF_MEMORY = 2,
	NOT_INITIALIZED = 3,
	NO_DEVICE = 100,
	INVALID_DEVICE = 101,
	INVALID_CONTEXT = 201,
	NO_BINARY_FOR_GPU = 209,
	INVALID_PTX = 218,
	INVALID_HANDLE = 400,
	NOT_FOUND = 500,
	NOT_READY = 600,
	ILLEGAL_ADDRESS = 700,
};

static const struct {
	CUresult code;
	const char *name, *text;
} errors[] = {
	{SUCCESS, "CUDA_SUCCESS", "no error"},
	{INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	{NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
	{INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	{222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
	{INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	{NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	{NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
	{ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	{701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
	{719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	{803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
};

// ---- Objects. All are guarded by one lock, which is held while a kernel runs.

struct context {
	int device, refs, sticky;
	size_t used;
};

// Memory that a device can use: allocations, with a guard on both sides, and
// modules' variables.
struct memory {
	struct memory *next;
	struct context *ctx;
	char *base;
	size_t size;
	int variable;
};

enum { GUARD = 64, GUARD_BYTE = 0xA5, FRESH_BYTE = 0xCD };

struct event {
	struct event *next;
	struct context *ctx;
	struct stream *stream; // where it is queued, NULL when reached or never recorded
	int reached;
	double ms;
};

enum op_kind { HTOD, DTOH, DTOD, MEMSET, LAUNCH, RECORD };

struct op {
	struct op *next;
	enum op_kind kind;
	void *to;
	const void *from;
	size_t size;
	int value;
	void (*kernel)(const void *, unsigned, unsigned);
	unsigned grid, block;
	struct event *event;
};

struct stream {
	struct stream *next;
	struct context *ctx;
	struct op *first, *last;
};

struct function {
	struct function *next;
	void (*host)(const void *, unsigned, unsigned);
};

struct module {
	struct module *next;
	struct context *ctx;
	void *lib;
};

enum { MAX_DEVICES = 8, MAX_FAILURES = 16 };

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread struct context *current;
static struct context contexts[MAX_DEVICES];
static struct memory *memories;
static struct event *events;
static struct stream *streams;
static struct function *functions;
static struct module *modules;
static int initialized;

// ---- Configuration.

static struct {
	int devices, version, max_threads, eager, fault;
	ull memory;
	struct {
		char name[48];
		int code, nth; // fail the nth call from now, or every call when 0
	} failures[MAX_FAILURES];
} config = {.devices = 2, .version = 12040, .max_threads = 1024, .memory = 1 << 30};

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

static int locked(void) {
	pthread_once(&once, start);
	return pthread_mutex_lock(&lock);
}

static void unlock(int *held) {
	(void)held;
	pthread_mutex_unlock(&lock);
}

// LOCKED holds the lock to the end of the function.
#define LOCKED __attribute__((cleanup(unlock), unused)) int held = locked()

static CUresult injected(const char *name) {
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

// ENTER begins a function that needs no context, ENTER_CONTEXT one that does.
#define ENTER(ready)                           \
	LOCKED;                                    \
	do {                                       \
		CUresult code_ = injected(__func__);   \
		if (code_) {                           \
			return code_;                      \
		}                                      \
		if ((ready) && !initialized) {         \
			return NOT_INITIALIZED;            \
		}                                      \
	} while (0)

#define ENTER_CONTEXT                          \
	ENTER(1);                                  \
	do {                                       \
		if (!current || current->refs == 0) {  \
			return INVALID_CONTEXT;            \
		}                                      \
		if (current->sticky) {                 \
			return current->sticky;            \
		}                                      \
	} while (0)

// ---- For tests.

int qdfake_configure(const char *spec) {
	LOCKED;
	return configure(spec);
}

// qdfake_live counts allocations, streams and events that have not been given back.
int qdfake_live(void) {
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
	return n;
}

// ---- Looking things up.

#define FIND(list, p)                                        \
	({                                                       \
		__typeof__(list) at_ = (list);                       \
		while (at_ && (at_ != (void *)(p) || at_->ctx != current)) { \
			at_ = at_->next;                                 \
		}                                                    \
		at_;                                                 \
	})

#define UNLINK(list, p)                          \
	do {                                         \
		__typeof__(list) *at_ = &(list);         \
		while (*at_ != (p)) {                    \
			at_ = &(*at_)->next;                 \
		}                                        \
		*at_ = (p)->next;                        \
	} while (0)

static int in_memory(const void *p, size_t size) {
	for (struct memory *m = memories; m; m = m->next) {
		if (m->ctx == current && (const char *)p >= m->base && (const char *)p + size <= m->base + m->size) {
			return 1;
		}
	}
	return 0;
}

// ---- Running what is queued.

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

// run works a stream off. After a failure the rest is dropped.
static CUresult run(struct stream *s) {
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

static CUresult run_all(struct context *ctx) {
	for (struct stream *s = streams; s; s = s->next) {
		if (s->ctx == ctx) {
			run(s);
		}
	}
	return ctx->sticky;
}

static CUresult queue(struct stream *s, struct op op) {
	struct op *copy = malloc(sizeof op);
	*copy = op;
	copy->next = NULL;
	if (s->last) {
		s->last->next = copy;
	} else {
		s->first = copy;
	}
	s->last = copy;
	return config.eager ? run(s) : SUCCESS;
}

// ---- The driver: start, errors, devices, contexts.

CUresult cuInit(unsigned flags) {
	ENTER(0);
	if (flags) {
		return INVALID_VALUE;
	}
	if (config.devices == 0) {
		return NO_DEVICE;
	}
	initialized = 1;
	return SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
	ENTER(0);
	*version = config.version;
	return SUCCESS;
}

static const char *error_text(CUresult code, int name) {
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		if (errors[i].code == code) {
			return name ? errors[i].name : errors[i].text;
		}
	}
	return NULL;
}

CUresult cuGetErrorName(CUresult code, const char **s) {
	*s = error_text(code, 1);
	return *s ? SUCCESS : INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult code, const char **s) {
	*s = error_text(code, 0);
	return *s ? SUCCESS : INVALID_VALUE;
}

CUresult cuDeviceGetCount(int *n) {
	ENTER(1);
	*n = config.devices;
	return SUCCESS;
}

CUresult cuDeviceGet(int *device, int ordinal) {
	ENTER(1);
	if (ordinal < 0 || ordinal >= config.devices || ordinal >= MAX_DEVICES) {
		return INVALID_DEVICE;
	}
	*device = ordinal;
	return SUCCESS;
}

CUresult cuDeviceGetName(char *name, int len, int device) {
	ENTER(1);
	snprintf(name, len, "Fake GPU %d", device);
	return SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, int device) {
	ENTER(1);
	(void)device;
	*bytes = config.memory;
	return SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
	ENTER(1);
	(void)device;
	switch (attribute) {
	case 16: // multiprocessors
		*value = 4;
		return SUCCESS;
	case 75: // compute capability
		*value = 9;
		return SUCCESS;
	case 76:
		*value = 0;
		return SUCCESS;
	}
	return INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRetain(struct context **ctx, int device) {
	ENTER(1);
	if (device < 0 || device >= config.devices) {
		return INVALID_DEVICE;
	}
	contexts[device].device = device;
	contexts[device].refs++;
	*ctx = &contexts[device];
	return SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(int device) {
	ENTER(1);
	if (device < 0 || device >= config.devices || contexts[device].refs == 0) {
		return INVALID_CONTEXT;
	}
	contexts[device].refs--;
	return SUCCESS;
}

CUresult cuCtxSetCurrent(struct context *ctx) {
	ENTER(1);
	if (ctx && (ctx < contexts || ctx >= contexts + MAX_DEVICES || ctx->refs == 0)) {
		return INVALID_CONTEXT;
	}
	current = ctx;
	return SUCCESS;
}

CUresult cuCtxSynchronize(void) {
	ENTER_CONTEXT;
	return run_all(current);
}

// ---- Memory.

CUresult cuMemGetInfo_v2(size_t *avail, size_t *total) {
	ENTER_CONTEXT;
	*avail = config.memory - current->used;
	*total = config.memory;
	return SUCCESS;
}

CUresult cuMemAlloc_v2(ull *p, size_t size) {
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

CUresult cuMemFree_v2(ull p) {
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

CUresult cuMemcpyHtoDAsync_v2(ull to, const void *from, size_t size, struct stream *stream) {
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

CUresult cuMemcpyDtoHAsync_v2(void *to, ull from, size_t size, struct stream *stream) {
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

CUresult cuMemcpyDtoDAsync_v2(ull to, ull from, size_t size, struct stream *stream) {
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

CUresult cuMemsetD8Async(ull to, unsigned char value, size_t size, struct stream *stream) {
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

// ---- Modules and kernels.

// elf_size is where the section headers end, which linkers put last: the driver is
// told an image's address only.
static size_t elf_size(const void *image) {
	const Elf64_Ehdr *h = image;
	return h->e_shoff + (size_t)h->e_shnum * h->e_shentsize;
}

static void *load(const void *image, char *log, size_t log_size) {
	if (memcmp(image, ELFMAG, SELFMAG)) {
		snprintf(log, log_size, "fake driver: the image is not for the host: %.20s\n", (const char *)image);
		return NULL;
	}
	char path[] = "/tmp/fakecuda-XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0) {
		snprintf(log, log_size, "fake driver: no temporary file\n");
		return NULL;
	}
	size_t size = elf_size(image);
	int written = write(fd, image, size) == (ssize_t)size;
	close(fd);
	void *lib = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!lib) {
		snprintf(log, log_size, "fake driver: %s\n", written ? dlerror() : "no room for a temporary file");
	}
	unlink(path);
	return lib;
}

CUresult cuModuleLoadDataEx(struct module **module, const void *image, unsigned n, int *options, void **values) {
	ENTER_CONTEXT;
	char none[1], *log = none, *info = none;
	size_t log_size = 0, info_size = 0;
	for (unsigned i = 0; i < n; i++) {
		switch (options[i]) {
		case 3:
			info = values[i];
			break;
		case 4:
			info_size = (size_t)values[i];
			break;
		case 5:
			log = values[i];
			break;
		case 6:
			log_size = (size_t)values[i];
			break;
		default:
			return INVALID_VALUE;
		}
	}
	void *lib = load(image, log, log_size);
	if (!lib) {
		return memcmp(image, ELFMAG, SELFMAG) ? INVALID_PTX : NO_BINARY_FOR_GPU;
	}
	snprintf(info, info_size, "fake driver: loaded\n");
	struct module *m = calloc(1, sizeof *m);
	*m = (struct module){modules, current, lib};
	*module = modules = m;
	return SUCCESS;
}

CUresult cuModuleGetFunction(struct function **function, struct module *module, const char *name) {
	ENTER_CONTEXT;
	struct module *m = FIND(modules, module);
	if (!m) {
		return INVALID_HANDLE;
	}
	char symbol[256];
	snprintf(symbol, sizeof symbol, "%s_host", name);
	void *host = dlsym(m->lib, symbol);
	if (!host) {
		return NOT_FOUND;
	}
	struct function *f = calloc(1, sizeof *f);
	f->next = functions;
	f->host = (void (*)(const void *, unsigned, unsigned))host;
	*function = functions = f;
	return SUCCESS;
}

CUresult cuModuleGetGlobal_v2(ull *p, size_t *size, struct module *module, const char *name) {
	ENTER_CONTEXT;
	struct module *m = FIND(modules, module);
	if (!m) {
		return INVALID_HANDLE;
	}
	void *var = dlsym(m->lib, name);
	Dl_info info;
	Elf64_Sym *sym = NULL;
	if (!var || !dladdr1(var, &info, (void **)&sym, RTLD_DL_SYMENT) || !sym) {
		return NOT_FOUND;
	}
	if (!in_memory(var, sym->st_size)) {
		struct memory *v = calloc(1, sizeof *v);
		*v = (struct memory){memories, current, var, sym->st_size, 1};
		memories = v;
	}
	*p = (ull)var;
	*size = sym->st_size;
	return SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, int attribute, struct function *f) {
	ENTER_CONTEXT;
	(void)f;
	switch (attribute) {
	case 0: // threads in a block
		*value = config.max_threads;
		return SUCCESS;
	case 1: // shared and local memory
	case 3:
		*value = 0;
		return SUCCESS;
	case 4: // registers
		*value = 32;
		return SUCCESS;
	}
	return INVALID_VALUE;
}

CUresult cuLaunchKernel(struct function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
						unsigned shared, struct stream *stream, void **params, void **extra) {
	ENTER_CONTEXT;
	struct function *f = functions;
	while (f && f != function) {
		f = f->next;
	}
	struct stream *s = FIND(streams, stream);
	if (!f || !s) {
		return INVALID_HANDLE;
	}
	if (gx == 0 || gx > 0x7fffffff || gy != 1 || gz != 1 || bx == 0 || bx > (unsigned)config.max_threads || by != 1 || bz != 1 || shared || params || !extra) {
		return INVALID_VALUE;
	}
	const void *args = NULL;
	size_t size = 0;
	for (; *extra; extra += 2) {
		if (*extra == (void *)1) {
			args = extra[1];
		} else if (*extra == (void *)2) {
			size = *(size_t *)extra[1];
		} else {
			return INVALID_VALUE;
		}
	}
	if (!args || !size) {
		return INVALID_VALUE;
	}
	void *copy = aligned_alloc(16, (size + 15) / 16 * 16);
	memcpy(copy, args, size);
	return queue(s, (struct op){.kind = LAUNCH, .from = copy, .kernel = f->host, .grid = gx, .block = bx});
}

// ---- Streams and events.

CUresult cuStreamCreate(struct stream **stream, unsigned flags) {
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

CUresult cuStreamSynchronize(struct stream *stream) {
	ENTER_CONTEXT;
	struct stream *s = FIND(streams, stream);
	return s ? run(s) : INVALID_HANDLE;
}

CUresult cuStreamDestroy_v2(struct stream *stream) {
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

CUresult cuEventCreate(struct event **event, unsigned flags) {
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

CUresult cuEventRecord(struct event *event, struct stream *stream) {
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

CUresult cuEventSynchronize(struct event *event) {
	ENTER_CONTEXT;
	struct event *e = FIND(events, event);
	if (!e) {
		return INVALID_HANDLE;
	}
	return e->stream ? run(e->stream) : SUCCESS;
}

CUresult cuEventElapsedTime(float *ms, struct event *start, struct event *end) {
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

CUresult cuEventDestroy_v2(struct event *event) {
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
