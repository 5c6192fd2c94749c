
// Threads that wait for each other. Each has a context of the C library's own, as
// ucontext.h declares it: what matters here comes first in it, on Linux.

extern "C" {
void* malloc(__SIZE_TYPE__) noexcept;
void free(void*) noexcept;
struct shim_context {
    unsigned long flags;
    shim_context* link;
    void* stack;
    int stack_flags;
    __SIZE_TYPE__ stack_size;
    alignas(16) char rest[4096];
};
int getcontext(shim_context*) noexcept;
void makecontext(shim_context*, void (*)(), int, ...) noexcept;
int swapcontext(shim_context*, const shim_context*) noexcept;
}

#define __shared__ static thread_local

struct shim_fiber {
    shim_context context;
    bool done;
};
static thread_local const void* shim_args;
static thread_local shim_fiber* shim_current;
static thread_local shim_context shim_main;

// What __syncthreads_and and its like have seen of the threads in this turn, and
// what they give in the next one.
static thread_local int shim_and, shim_or, shim_and_before, shim_or_before;

static void __syncthreads() { swapcontext(&shim_current->context, &shim_main); }
static inline int __syncthreads_and(int x) {
    shim_and &= x != 0, shim_or |= x != 0;
    __syncthreads();
    return shim_and_before;
}
static inline int __syncthreads_or(int x) {
    shim_and &= x != 0, shim_or |= x != 0;
    __syncthreads();
    return shim_or_before;
}

static void shim_fiber_end() {
    shim_current->done = true;
    __syncthreads();
}

// Runs all blocks one after the other. Each turn runs every thread that has not
// ended to its next barrier.
static void shim_run(unsigned grid, unsigned block, void (*body)()) {
    const __SIZE_TYPE__ stack = 256 << 10;
    shim_fiber* const fibers = (shim_fiber*)malloc(block * sizeof(shim_fiber));
    char* const stacks = (char*)malloc(block * stack);
    shim_leave = shim_fiber_end;
    for (unsigned b = 0; b < grid; b++) {
        for (unsigned t = 0; t < block; t++) {
            shim_fiber& f = fibers[t];
            getcontext(&f.context);
            f.context.link = nullptr;
            f.context.stack = stacks + t * stack;
            f.context.stack_size = stack;
            f.done = false;
            makecontext(&f.context, body, 0);
        }
        for (unsigned running = block; running > 0;) {
            shim_and = 1, shim_or = 0;
            for (unsigned t = 0; t < block; t++) {
                if (fibers[t].done) continue;
                blockIdx = {b, 0, 0};
                threadIdx = {t, 0, 0};
                shim_current = &fibers[t];
                swapcontext(&shim_main, &shim_current->context);
                if (fibers[t].done) running--;
            }
            shim_and_before = shim_and, shim_or_before = shim_or;
        }
    }
    shim_leave = nullptr;
    free(stacks);
    free(fibers);
}
