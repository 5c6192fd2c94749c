//@ quotient
// Divides in 32 bits where the numbers fit: that is several times faster.
$inline int64 quotient(int64 a, int64 b) {
    return ((a | b) >> 32) == 0 ? int64(uint32(a) / uint32(b)) : a / b;
}

//@ modulo
// The compiler sees that this and quotient are one division.
$inline int64 modulo(int64 a, int64 b) {
    return ((a | b) >> 32) == 0 ? int64(uint32(a) % uint32(b)) : a % b;
}

//@ bits.Mul64
// The product of two integers: the upper half, and the lower one.
$inline pair<uint64, uint64> Mul64(uint64 x, uint64 y) {
    const unsigned __int128 product = (unsigned __int128)x * y;
    uint64 hi = product >> 64;
#if defined(__clang__)
    // No instruction. Without it, clang makes vectors of threads with such products, which it then computes lane by lane.
    asm("" : "+r"(hi));
#endif
    return {hi, uint64(product)};
}

//@ bits.Div64 needs bits.long_division
// Divides a number of 128 bits. A quotient that has more than 64 bits is 0.
$inline pair<uint64, uint64> Div64(uint64 hi, uint64 lo, uint64 y) {
    if (y <= hi) return {0, 0};
#if defined(__x86_64__)
    // C++ calls a function for a division of unsigned __int128. Volatile: it must not be done in front of the test.
    asm volatile("divq %2" : "+a"(lo), "+d"(hi) : "r"(y) : "cc");
    return {lo, hi};
#else
    return long_division(hi, lo, y);
#endif
}

//@ bits.Len.U
// The number of bits without leading zeros.
$inline int64 Len$bits($T x) { return x == 0 ? 0 : 64 - __builtin_clzll(x); }
//@ bits.TrailingZeros.U
// The type's width for 0.
$inline int64 TrailingZeros$bits($T x) { return x == 0 ? $bits : __builtin_ctzll(x); }
//@ bits.OnesCount.U
$inline int64 OnesCount$bits($T x) { return __builtin_popcountll(x); }
//@ bits.Reverse.U
// The bits in the opposite order.
$inline $T Reverse$bits($T x) {
    uint64 y = x;
    y = (y >> 1 & 0x5555555555555555) | (y & 0x5555555555555555) << 1;
    y = (y >> 2 & 0x3333333333333333) | (y & 0x3333333333333333) << 2;
    y = (y >> 4 & 0x0f0f0f0f0f0f0f0f) | (y & 0x0f0f0f0f0f0f0f0f) << 4;
    return $T(__builtin_bswap64(y) >> (64 - $bits));
}

//@ libm_j0
extern "C" double j0(double) noexcept;
//@ libm_j1
extern "C" double j1(double) noexcept;
//@ libm_y0
extern "C" double y0(double) noexcept;
//@ libm_y1
extern "C" double y1(double) noexcept;
//@ libm_jn
extern "C" double jn(int, double) noexcept;
//@ libm_yn
extern "C" double yn(int, double) noexcept;

//@ math.J0.F needs libm_j0
$inline $T J0($T x) { return $T(::j0(x)); }
//@ math.J1.F needs libm_j1
// Never -0.
$inline $T J1($T x) { return $T(::j1(x)) + 0; }
//@ math.Y0.F needs libm_y0
$inline $T Y0($T x) { return $T(::y0(x)); }
//@ math.Y1.F needs libm_y1
$inline $T Y1($T x) { return $T(::y1(x)); }

//@ qd.atomic_update
// Replaces *p by f(*p) in one step, and gives the old value. What does not change is not written: that would take its
// line of memory away from other cores.
template <class T, class F> $inline T atomic_update(T* p, F f) {
    T old;
    __atomic_load(p, &old, __ATOMIC_SEQ_CST);
    for (;;) {
        T next = f(old);
        if (!__builtin_memcmp(&old, &next, sizeof(T))) return old;
        if (__atomic_compare_exchange(p, &old, &next, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return old;
    }
}
//@ qd.AtomicAdd.Z
$inline $T AtomicAdd($T* p, $T v) { return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST); }
//@ qd.AtomicAdd.F needs qd.atomic_update
$inline $T AtomicAdd($T* p, $T v) {
    return atomic_update(p, [v]($T old) { return old + v; });
}
//@ qd.Add.F needs qd.AtomicAdd.F
// Adds in one step, if others may add at the same time.
$inline void Add($T* p, $T v, bool alone) {
    if (alone) *p += v;
    else AtomicAdd(p, v);
}
//@ qd.AtomicMin.N needs qd.atomic_update go.min.N
$inline $T AtomicMin($T* p, $T v) {
    return atomic_update(p, [v]($T old) { return go::min(old, v); });
}
//@ qd.AtomicMax.N needs qd.atomic_update go.max.N
$inline $T AtomicMax($T* p, $T v) {
    return atomic_update(p, [v]($T old) { return go::max(old, v); });
}
//@ qd.AtomicAnd.Z
$inline $T AtomicAnd($T* p, $T v) {
    const $T old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    return (old & v) == old ? old : __atomic_fetch_and(p, v, __ATOMIC_SEQ_CST);
}
//@ qd.AtomicOr.Z
$inline $T AtomicOr($T* p, $T v) {
    const $T old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    return (old | v) == old ? old : __atomic_fetch_or(p, v, __ATOMIC_SEQ_CST);
}
//@ qd.AtomicXor.Z
$inline $T AtomicXor($T* p, $T v) { return __atomic_fetch_xor(p, v, __ATOMIC_SEQ_CST); }
//@ qd.AtomicExch.N
$inline $T AtomicExch($T* p, $T v) {
    $T old;
    __atomic_exchange(p, &v, &old, __ATOMIC_SEQ_CST);
    return old;
}
//@ qd.AtomicCAS.N
// Compares bits: a NaN can be swapped, and 0 is not -0.
$inline $T AtomicCAS($T* p, $T want, $T v) {
    __atomic_compare_exchange(p, &want, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return want;
}

//@ qd.AtomicCAS.uint16
$inline uint16 AtomicCAS(uint16* p, uint16 want, uint16 v) {
    __atomic_compare_exchange(p, &want, &v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return want;
}

//@ qd.step_back
// Steps back to the last w threads of a row that begins at from, if some of them have not run yet.
$inline bool step_back(int64& i, int64 w, int64 from, int64 to) {
    if (i == to || to - from < w) return false;
    i = to - w;
    return true;
}
//@ qd.between
// x, but at least lo and at most hi.
$inline int64 between(int64 lo, int64 x, int64 hi) { return x < lo ? lo : x > hi ? hi : x; }
//@ qd.cut needs qd.between
// x, but no further from 0 than any index, so that a small number can be added.
$inline int64 cut(int64 x) {
    const int64 far = int64(1) << 62;
    return between(-far, x, far);
}

//@ qd.word
// A printf argument as it is recorded: an integer extended to 64 bits.
template <class T> $inline uint64 word(T x) { return uint64(x); }
//@ qd.word.F needs math.bits.F
// A float is recorded as its bits.
$inline uint64 word($T x) { return math::Float$bitsbits(x); }

//@ printf_buffer
// What the host reads, formats and prints. Counts are in words.
struct printf_buffer {
    uint64* words;
    uint64 capacity;
    uint64 used;
};
extern "C" {
printf_buffer qd_printf_buffer;
}

//@ qd.Printf needs printf_buffer qd.word
// Records a call: the format's number, the number of arguments, and these. A
// record that does not fit is dropped, which the host sees by used.
template <class... Args> $inline void Printf(uint32 format, Args... args) {
    const uint64 size = 1 + sizeof...(args);
    uint64 at = __atomic_fetch_add(&qd_printf_buffer.used, size, __ATOMIC_RELAXED);
    if (at + size > qd_printf_buffer.capacity) return;
    uint64* const words = qd_printf_buffer.words;
    words[at] = format | uint64(sizeof...(args)) << 32;
    ((words[++at] = word(args)), ...);
}

//@ fault_record
// What stopped a thread. The first one to fail writes it, the host reads it when the launch
// has ended, and sets state to 0 before. Kernels that are compiled together have one each.
struct fault_record {
    int32 state; // 1 while it is written, then 2
    int32 site;
    int64 thread;
    uint64 values[4];
};
extern "C" {
fault_record qd_fault[$modules];
int _setjmp(void*) noexcept __attribute__((returns_twice));
[[noreturn]] void _longjmp(void*, int) noexcept;
}

//@ qd.running needs fault_record
// What an OS thread is running: a thread, and where to go on if that fails.
struct state {
    int64 flat;
    alignas(16) unsigned char jump[512];
};
static thread_local state running;

//@ qd.open_lanes needs qd.running
// The arrays for lanes that an OS thread has outside of its stack. No destructor runs when a thread fails, so that the
// jump frees them: stop calls this function, which hides that of the C library.
struct open_lanes {
    open_lanes* const before;
    void* const memory;
};
static thread_local open_lanes* last_open;
[[noreturn, gnu::cold, gnu::noinline]] static void _longjmp(void* to, int value) {
    for (; last_open != nullptr; last_open = last_open->before) __builtin_free(last_open->memory);
    ::_longjmp(to, value);
}

//@ qd.stop needs qd.running
// Records what failed, if it is the first, and leaves the launch.
[[noreturn, gnu::cold, gnu::noinline]] static void stop(int32 site, uint64 a = 0, uint64 b = 0, uint64 c = 0, uint64 d = 0) {
    fault_record& fault = qd_fault[site >> 20];
    int32 none = 0;
    if (__atomic_compare_exchange_n(&fault.state, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        fault.site = site & 0xfffff;
        fault.thread = running.flat;
        const uint64 values[4] = {a, b, c, d};
        for (int i = 0; i < 4; i++) fault.values[i] = values[i];
        __atomic_store_n(&fault.state, 2, __ATOMIC_RELEASE);
    }
    _longjmp(running.jump, 1);
}

//@ qd.stop_lanes needs qd.stop qd.word vec.any
// Checks in the lanes of vectors, or in those only in which a mask holds. The first lane that fails stops the launch. What
// is the same in all lanes is a number. A site that is negative has lanes of a block that has one number for all of them.
template <class T> $inline auto word_in(const T& x, int64 lane) -> decltype(word(x[lane])) { return word(x[lane]); }
template <class T> $inline uint64 word_in(T x, ...) { return word(x); }
template <class M, class... Args> [[noreturn, gnu::cold, gnu::noinline]] static void stop_lane(const M& fails, int32 site, const Args&... args) {
    int64 lane = 0;
    while (!fails[lane]) lane++;
    if (site >= 0) running.flat += lane;
    stop(site >= 0 ? site : ~site, word_in(args, lane)...);
}
template <class F> $inline auto failing(F fails) {
    int32 __attribute__((vector_size(sizeof(F) / sizeof(fails[0]) * sizeof(int32)))) mask;
    return __builtin_convertvector(fails, decltype(mask));
}
template <class F, class M> $inline M failing(F fails, M mask) { return failing(fails) & mask; }
// What all lanes agree on is a bool, or an int where it is an | of bools.
template <class M> $inline M failing(int fails, M mask) { return -fails & mask; }
template <class M> $inline M failing(bool fails, M mask) { return -int32(fails) & mask; }
template <class M, class... Args> $inline void stop_lanes(M fails, int32 site, Args... args) {
    if (vec::any(fails)) stop_lane(fails, site, args...);
}

//@ qd.CheckIndexLanes needs qd.stop_lanes
template <class I, class N, class... M> $inline void CheckIndexLanes(I i, N len, int32 site, M... mask) {
    stop_lanes(failing((i < 0) | (i >= len), mask...), site, i, len);
}
//@ qd.CheckSliceLanes needs qd.stop_lanes
template <class I, class N, class... M> $inline void CheckSliceLanes(I lo, I hi, N len, int32 site, M... mask) {
    stop_lanes(failing((lo < 0) | (lo > hi) | (hi > len), mask...), site, lo, hi, len);
}
//@ qd.CheckDivideLanes needs qd.stop_lanes
template <class T, class... M> $inline void CheckDivideLanes(T divisor, int32 site, M... mask) {
    stop_lanes(failing(divisor == 0, mask...), site);
}
//@ qd.CheckShiftLanes needs qd.stop_lanes
template <class T, class... M> $inline void CheckShiftLanes(T count, int32 site, M... mask) {
    stop_lanes(failing(count < 0, mask...), site, count);
}
//@ qd.CheckNilLanes needs qd.stop_lanes
template <class M> $inline void CheckNilLanes(const void* ptr, int32 site, M mask) {
    stop_lanes(failing(ptr == nullptr, mask), site);
}
//@ qd.AssertLanes needs qd.stop_lanes
template <class T, class... M> $inline void AssertLanes(T cond, int32 site, M... mask) {
    stop_lanes(failing(cond == 0, mask...), site);
}
//@ qd.PanicLanes needs qd.stop_lanes
template <class M, class... Args> $inline void PanicLanes(M mask, int32 site, Args... args) { stop_lanes(mask, site, args...); }

//@ qd.lanes
// An array with a place for each lane that is too large for the stack.
template <class T> struct lanes {
    T* const data;
    explicit lanes(int64 n) : data((T*)__builtin_malloc(n * sizeof(T))) {
        if (data == nullptr) __builtin_trap();
    }
    lanes(const lanes&) = delete;
    ~lanes() { __builtin_free(data); }
    T& operator[](int64 i) const { return data[i]; }
};

//@ qd.stopped_lanes needs qd.stop qd.open_lanes
// An array with a place for each lane that is too large for the stack, in a kernel that may stop.
template <class T> struct stopped_lanes : open_lanes {
    T* const data;
    stopped_lanes(int64 n, int32 site) : open_lanes{last_open, __builtin_malloc(n * sizeof(T))}, data((T*)memory) {
        if (memory == nullptr) stop(site);
        last_open = this;
    }
    stopped_lanes(const stopped_lanes&) = delete;
    ~stopped_lanes() {
        last_open = before;
        __builtin_free(memory);
    }
    T& operator[](int64 i) const { return data[i]; }
};
