//@ offset_of
// NVRTC has no __builtin_offsetof in CUDA 13.0 and before.
#ifndef offset_of
#define offset_of(type, field) __INTADDR__(&((type*)0)->field)
#endif

//@ size_divisor
// A size of the launch and its reciprocal, 2**(63+shift) / size rounded up, which the host computes.
struct size_divisor {
    uint64 reciprocal;
    uint32 shift;
    uint32 size;
};

//@ quotient
// Divides by a multiplication, which is exact for 0 <= a < 2**63: Granlund and Montgomery,
// "Division by Invariant Integers using Multiplication", 1994.
$inline int64 quotient(int64 a, size_divisor by) {
    return int64(__umul64hi(2 * uint64(a), by.reciprocal) >> by.shift);
}

//@ modulo
// Less than a size, which 32 bits hold. The compiler sees that this and quotient are one division.
$inline uint32 modulo(int64 a, size_divisor by) { return uint32(a) - uint32(quotient(a, by)) * by.size; }

//@ quotient32
// The same for a < 2**30: the high bits of the reciprocal, rounded up, are exact for these.
$inline uint32 quotient32(uint32 a, size_divisor by) {
    return __umulhi(2 * a, uint32(by.reciprocal >> 32) + 1) >> by.shift;
}

//@ modulo32
$inline uint32 modulo32(uint32 a, size_divisor by) { return a - quotient32(a, by) * by.size; }

//@ libm_jn
//@ libm_yn

//@ bits.Mul64
// The product of two integers: the upper half, and the lower one.
$inline pair<uint64, uint64> Mul64(uint64 x, uint64 y) { return {__umul64hi(x, y), x * y}; }

//@ bits.Len.U
// The number of bits without leading zeros.
$inline int64 Len$bits($T x) { return 64 - __clzll(x); }
//@ bits.TrailingZeros.U
// The type's width for 0.
$inline int64 TrailingZeros$bits($T x) { return x == 0 ? $bits : __ffsll(x) - 1; }
//@ bits.OnesCount.U
$inline int64 OnesCount$bits($T x) { return __popcll(x); }
//@ bits.Reverse.U
// The bits in the opposite order.
$inline $T Reverse$bits($T x) { return $T(__brevll(x) >> (64 - $bits)); }

//@ elementary.types32
// V is float32.
template <class V> using words32 = uint32;
template <class V> $inline words32<V> bits32(V x) {
    uint32 u;
    memcpy(&u, &x, sizeof u);
    return u;
}
template <class V> $inline V of_bits32(uint32 u) {
    V x;
    memcpy(&x, &u, sizeof x);
    return x;
}

//@ elementary.mul_add.float32
$inline float32 mul_add(float32 x, float32 y, float32 z) { return ::fmaf(x, y, z); }

//@ elementary.mul_add_lanes

//@ math.Sincos.F
$inline pair<$T, $T> Sincos($T x) {
    $T sin, cos;
    ::sincos$f(x, &sin, &cos);
    return {sin, cos};
}

//@ math.J1.F
// Never -0.
$inline $T J1($T x) { return ::j1$f(x) + 0; }

//@ math.Erfinv.float32
$inline float32 Erfinv(float32 x) { return ::erfinvf(x); }

//@ qd.bits
// The same bits in another type.
template <class To, class From> $inline To bits(From x) {
    To y;
    memcpy(&y, &x, sizeof(x));
    return y;
}

//@ qd.AtomicCAS.N needs qd.bits
// Compares bits: a NaN can be swapped, and 0 is not -0.
$inline $T AtomicCAS($T* p, $T want, $T v) {
    return bits<$T>(atomicCAS(($U*)p, bits<$U>(want), bits<$U>(v)));
}

//@ qd.AtomicCAS.uint16
// It takes compute capability 7.0.
$inline uint16 AtomicCAS(uint16* p, uint16 want, uint16 v) { return atomicCAS((unsigned short*)p, want, v); }

//@ qd.AtomicExch.N needs qd.bits
$inline $T AtomicExch($T* p, $T v) { return bits<$T>(atomicExch(($U*)p, bits<$U>(v))); }

//@ qd.AtomicAdd.Z
$inline $T AtomicAdd($T* p, $T v) { return $T(atomicAdd(($U*)p, $U(v))); }
//@ qd.AtomicAdd.F
$inline $T AtomicAdd($T* p, $T v) { return atomicAdd(p, v); }
//@ qd.AtomicMin.Z
$inline $T AtomicMin($T* p, $T v) { return atomicMin(p, v); }
//@ qd.AtomicMax.Z
$inline $T AtomicMax($T* p, $T v) { return atomicMax(p, v); }

//@ qd.AtomicMin.F needs qd.AtomicCAS.F go.min.F
$inline $T AtomicMin($T* p, $T v) {
    $T old = *p;
    for (;;) {
        const $T seen = AtomicCAS(p, old, go::min(old, v));
        if (bits<$U>(seen) == bits<$U>(old)) return old;
        old = seen;
    }
}
//@ qd.AtomicMax.F needs qd.AtomicCAS.F go.max.F
$inline $T AtomicMax($T* p, $T v) {
    $T old = *p;
    for (;;) {
        const $T seen = AtomicCAS(p, old, go::max(old, v));
        if (bits<$U>(seen) == bits<$U>(old)) return old;
        old = seen;
    }
}

//@ qd.AtomicAnd.Z
$inline $T AtomicAnd($T* p, $T v) { return $T(atomicAnd(($U*)p, $U(v))); }
//@ qd.AtomicOr.Z
$inline $T AtomicOr($T* p, $T v) { return $T(atomicOr(($U*)p, $U(v))); }
//@ qd.AtomicXor.Z
$inline $T AtomicXor($T* p, $T v) { return $T(atomicXor(($U*)p, $U(v))); }

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
__device__ printf_buffer qd_printf_buffer;
}

//@ qd.Printf needs printf_buffer qd.word
// Records a call: the format's number, the number of arguments, and these. A
// record that does not fit is dropped, which the host sees by used.
template <class... Args> $inline void Printf(uint32 format, Args... args) {
    const uint64 size = 1 + sizeof...(args);
    uint64 at = atomicAdd(&qd_printf_buffer.used, size);
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
__device__ fault_record qd_fault[$modules];
}

//@ qd.stop needs fault_record
// Records what failed, if it is the first, and ends the thread.
[[noreturn]] static __device__ __noinline__ void stop(int32 site, uint64 a = 0, uint64 b = 0, uint64 c = 0, uint64 d = 0) {
    fault_record& fault = qd_fault[site >> 20];
    if (atomicCAS(&fault.state, 0, 1) == 0) {
        fault.site = site & 0xfffff;
        fault.thread = int64(blockIdx.x) * blockDim.x + threadIdx.x;
        const uint64 values[4] = {a, b, c, d};
        for (int i = 0; i < 4; i++) fault.values[i] = values[i];
        __threadfence();
        fault.state = 2;
    }
    asm("exit;");
    __builtin_unreachable();
}

//@ qd.zero
// Makes the memory of a block zero: each of its threads a part.
template <class T> $inline void zero(slice<T> s) {
    for (int64 i = threadIdx.x; i < s.len; i += blockDim.x) s[i] = T{};
}

//@ qd.CheckSync needs qd.stop
// Demands that all threads of the block have the same condition. Those that have
// returned are not asked.
$inline void CheckSync(bool cond, int32 site) {
    const bool all = __syncthreads_and(cond), some = __syncthreads_or(cond);
    if (all != some) stop(site);
}
