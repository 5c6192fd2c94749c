
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

// Addresses of memory that threads share have 32 bits: how far it is from here.
alignas(16) static thread_local char shim_shared;
inline __SIZE_TYPE__ __cvta_generic_to_global(const void* p) { return (__SIZE_TYPE__)p; }
inline __SIZE_TYPE__ __cvta_generic_to_shared(const void* p) { return (__SIZE_TYPE__)((const char*)p - &shim_shared); }
static inline void* shim_generic(unsigned at) { return &shim_shared + (int)at; }

// What a thread waits for: nothing, all threads of its block, or those of its warp.
enum shim_wait { shim_ready, shim_block, shim_warp };

struct shim_fiber {
    shim_context context;
    bool done;
    shim_wait wait;
    int turn; // how often it has exchanged values with its warp
    void* copies; // those of it that are on their way, for ptx.h
};
static thread_local const void* shim_args;
static thread_local shim_fiber* shim_current;
static thread_local shim_context shim_main;

// What __syncthreads_and and its like have seen of the threads in this turn, and
// what they give in the next one.
static thread_local int shim_and, shim_or, shim_and_before, shim_or_before;

static void shim_await(shim_wait what) {
    shim_current->wait = what;
    swapcontext(&shim_current->context, &shim_main);
}
static void __syncthreads() { shim_await(shim_block); }
static inline void __syncwarp() { shim_await(shim_warp); }

// What the threads of a warp give each other, for two operations that follow each other: no thread comes to the
// second next before all have read.
static thread_local unsigned long long shim_given[2][32][32][4];

// Gives the warp so many words, and waits until all of its threads have: the answer are those of all.
static inline unsigned long long (*shim_exchange(const unsigned long long (&mine)[4]))[4] {
    const int turn = shim_current->turn++ % 2;
    for (int i = 0; i < 4; i++) shim_given[turn][threadIdx.x / 32][threadIdx.x % 32][i] = mine[i];
    __syncwarp();
    return shim_given[turn][threadIdx.x / 32];
}
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
    shim_await(shim_block);
}

extern "C" int printf(const char*, ...) noexcept;
extern "C" [[noreturn]] void abort() noexcept;

// Lets those threads go on that wait for what has happened: some, unless all have ended.
static void shim_release(shim_fiber* fibers, unsigned block) {
    bool all = true, some = false;
    for (unsigned t = 0; t < block; t++) all &= fibers[t].done || fibers[t].wait == shim_block;
    if (all) {
        for (unsigned t = 0; t < block; t++) fibers[t].wait = shim_ready;
        shim_and_before = shim_and, shim_or_before = shim_or;
        shim_and = 1, shim_or = 0;
        return;
    }
    for (unsigned w = 0; w < block; w += 32) {
        const unsigned end = w + 32 < block ? w + 32 : block;
        bool whole = true;
        for (unsigned t = w; t < end; t++) whole &= fibers[t].done || fibers[t].wait == shim_warp;
        if (!whole) continue;
        for (unsigned t = w; t < end; t++) {
            some |= !fibers[t].done;
            fibers[t].wait = shim_ready;
        }
    }
    if (!some) {
        printf("the threads of a block wait for each other at different places\n");
        abort();
    }
}

// Runs all blocks one after the other. Each turn runs every thread that waits for nothing to its next barrier.
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
            f.wait = shim_ready;
            f.turn = 0;
            f.copies = nullptr;
            makecontext(&f.context, body, 0);
        }
        shim_and = 1, shim_or = 0;
        for (unsigned running = block; running > 0;) {
            for (unsigned t = 0; t < block; t++) {
                if (fibers[t].done || fibers[t].wait != shim_ready) continue;
                blockIdx = {b, 0, 0};
                threadIdx = {t, 0, 0};
                shim_current = &fibers[t];
                swapcontext(&shim_main, &shim_current->context);
                if (fibers[t].done) running--;
            }
            if (running > 0) shim_release(fibers, block);
        }
    }
    shim_leave = nullptr;
    free(stacks);
    free(fibers);
}
