// A CUDA driver whose devices are the host: see doc.go. The functions and the
// numbers are those of the driver's documentation.

#define _GNU_SOURCE
#include <stddef.h>

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

// Objects. All are guarded by one lock, which is held while a kernel runs too.

struct context {
	int device, refs, sticky;
	size_t used;
	size_t stack; // of each thread, 0 for what it is at first
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
	unsigned needs, asked; // bytes of memory for a block
};

struct module {
	struct module *next;
	struct context *ctx;
	void *lib;
};

// launch_params are the parameters of a launch, laid out as CUDA_KERNEL_NODE_PARAMS.
struct launch_params {
	struct function *function;
	unsigned gx, gy, gz, bx, by, bz, shared;
	void **params, **extra;
};

// A graph has operations, and which of them each waits for.
struct graph {
	struct graph *next;
	struct context *ctx;
	struct node *nodes; // the one that was added last is the first
};

struct node {
	struct node *next;
	struct op op;
	struct node **after;
	size_t count; // of after
	int ordered;  // it has its place in the order of an exec that is being made
};

// An exec is a graph that can be launched: a copy of its operations in an order that the graph allows.
struct exec {
	struct exec *next;
	struct context *ctx;
	struct op *first, *last;
	struct stream *stream; // of the last launch
};

enum { MAX_DEVICES = 8, MAX_FAILURES = 16, MAX_FUNCTIONS = 64 };

extern __thread struct context *current;
extern struct context contexts[MAX_DEVICES];
extern struct memory *memories;
extern struct event *events;
extern struct stream *streams;
extern struct graph *graphs;
extern struct exec *execs;
extern int initialized;

// What tests have configured; see Driver.Configure.
struct config {
	int devices, version, max_threads, block_memory, eager, fault;
	ull memory;
	struct {
		char name[48];
		int code, nth; // fail the nth call from now, or every call when 0
	} failures[MAX_FAILURES];
};
extern struct config config;

// API marks what the library exports.
#define API __attribute__((visibility("default")))

int locked(void);
void unlock(int *held);

// LOCKED holds the lock to the end of the function.
#define LOCKED __attribute__((cleanup(unlock), unused)) int held = locked()

// injected counts a call of a function, and gives the error that it is to fail with.
CUresult injected(const char *name);

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

// FIND gives p if it is in a list of objects and of the current context, else NULL.
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

// in_memory reports whether a range lies within one piece of the current context's
// memory.
int in_memory(const void *p, size_t size);

// queue adds an operation to a stream.
CUresult queue(struct stream *s, struct op op);

// append adds a copy of an operation to a list.
void append(struct op **first, struct op **last, struct op op);

// launch_op makes an operation of the parameters of a launch.
CUresult launch_op(struct op *op, const struct launch_params *l);

// copy_args copies the arguments of a kernel.
void *copy_args(const void *args, size_t size);

// run works a stream off, run_all all of a context's. After a failure the rest is
// dropped.
CUresult run(struct stream *s);
CUresult run_all(struct context *ctx);
