
// Threads that wait for each other. Each has a stack of its own.

extern "C" {
void* malloc(__SIZE_TYPE__) noexcept;
void free(void*) noexcept;
}

#ifdef __x86_64__

// The C library's swapcontext, used elsewhere, has the kernel set the blocked signals each time: most of what a kernel with barriers
// takes. Here the registers that calls keep are on the stack, and what stands for a thread is where its stack ends. The
// text is the assembler's, so that no compiler knows which registers it keeps.
struct shim_context {
    void* top;
};
extern "C" void shim_switch(shim_context* from, const shim_context* to) noexcept;
__asm__(R"(
    .text
    .p2align 4
    .globl shim_switch
    .hidden shim_switch
    .type shim_switch, @function
shim_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq (%rsi), %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    retq
    .size shim_switch, .-shim_switch
)");

// Makes a context that begins with a call of body, which must not return.
static void shim_begin(shim_context* c, char* stack, __SIZE_TYPE__ size, void (*body)()) {
    void** top = (void**)(stack + size - 16); // what a call aligns
    *--top = nullptr; // where body would return to
    *--top = (void*)body;
    for (int i = 0; i < 6; i++) *--top = nullptr;
    c->top = top;
}

#else

// A context of the C library, as ucontext.h declares it: what matters here comes first in it, on Linux.
struct shim_context {
    unsigned long flags;
    shim_context* link;
    void* stack;
    int stack_flags;
    __SIZE_TYPE__ stack_size;
    alignas(16) char rest[4096];
};
extern "C" {
int getcontext(shim_context*) noexcept;
void makecontext(shim_context*, void (*)(), int, ...) noexcept;
int swapcontext(shim_context*, const shim_context*) noexcept;
}
static inline void shim_switch(shim_context* from, const shim_context* to) { swapcontext(from, to); }
static void shim_begin(shim_context* c, char* stack, __SIZE_TYPE__ size, void (*body)()) {
    getcontext(c);
    c->link = nullptr;
    c->stack = stack;
    c->stack_size = size;
    makecontext(c, body, 0);
}

#endif

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
    shim_switch(&shim_current->context, &shim_main);
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

extern "C" int dprintf(int, const char*, ...) noexcept;
extern "C" [[noreturn]] void abort() noexcept;
enum { shim_errors = 2 }; // standard error: what is printed to a FILE is lost when a program aborts

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
        dprintf(shim_errors, "the threads of a block wait for each other at different places\n");
        abort();
    }
}

// Runs all blocks one after the other. Each turn runs every thread that waits for nothing to its next barrier.
static void shim_run(unsigned grid, unsigned block, void (*body)()) {
    // As large as the C library still keeps for the next launch where a block has 256 threads: with more, the kernel gives
    // and takes back pages at each launch, which took longer than the launches.
    const __SIZE_TYPE__ stack = 64 << 10;
    shim_fiber* const fibers = (shim_fiber*)malloc(block * sizeof(shim_fiber));
    char* const memory = (char*)malloc((block + 1) * stack);
    char* const stacks = memory + stack; // what is before them is for the first thread that needs more than its own
    const unsigned long long untouched = 0x5ca1ab1e0ddba11ull; // the last word of each stack
    for (unsigned t = 0; t < block; t++) *(unsigned long long*)(stacks + t * stack) = untouched;
    shim_leave = shim_fiber_end;
    for (unsigned b = 0; b < grid; b++) {
        for (unsigned t = 0; t < block; t++) {
            shim_fiber& f = fibers[t];
            shim_begin(&f.context, stacks + t * stack, stack, body);
            f.done = false;
            f.wait = shim_ready;
            f.turn = 0;
            f.copies = nullptr;
        }
        shim_and = 1, shim_or = 0;
        for (unsigned running = block; running > 0;) {
            for (unsigned t = 0; t < block; t++) {
                if (fibers[t].done || fibers[t].wait != shim_ready) continue;
                blockIdx = {b, 0, 0};
                threadIdx = {t, 0, 0};
                shim_current = &fibers[t];
                shim_switch(&shim_main, &shim_current->context);
                if (*(unsigned long long*)(stacks + t * stack) != untouched) {
                    dprintf(shim_errors, "a thread needs more than %d bytes of stack\n", int(stack));
                    abort();
                }
                if (fibers[t].done) running--;
            }
            if (running > 0) shim_release(fibers, block);
        }
    }
    shim_leave = nullptr;
    free(memory);
    free(fibers);
}
