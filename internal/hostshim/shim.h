// What CUDA predefines, for a C++ compiler of the host. Functions of the device are
// those of the C library, except for those that it lacks.

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(threads)
#define __CUDA_ARCH__ 800
#define offset_of(type, field) __builtin_offsetof(type, field)
#ifndef __clang__
#define __builtin_assume(cond) ((void)0)
#endif

// Assembly without operands ends the thread. Other assembly has become calls of ptx_ functions: see ptx.go.
#define asm(text) shim_exit()

struct shim_dim {
    unsigned x, y, z;
};
static thread_local shim_dim threadIdx, blockIdx, blockDim, gridDim;

extern "C" {
void* memcpy(void*, const void*, __SIZE_TYPE__) noexcept;
double acos(double) noexcept;
float acosf(float) noexcept;
double acosh(double) noexcept;
float acoshf(float) noexcept;
double asin(double) noexcept;
float asinf(float) noexcept;
double asinh(double) noexcept;
float asinhf(float) noexcept;
double atan(double) noexcept;
float atanf(float) noexcept;
double atanh(double) noexcept;
float atanhf(float) noexcept;
double cbrt(double) noexcept;
float cbrtf(float) noexcept;
double ceil(double) noexcept;
float ceilf(float) noexcept;
double cos(double) noexcept;
float cosf(float) noexcept;
double cosh(double) noexcept;
float coshf(float) noexcept;
double erf(double) noexcept;
float erff(float) noexcept;
double erfc(double) noexcept;
float erfcf(float) noexcept;
double exp(double) noexcept;
float expf(float) noexcept;
double exp2(double) noexcept;
float exp2f(float) noexcept;
double expm1(double) noexcept;
float expm1f(float) noexcept;
double fabs(double) noexcept;
float fabsf(float) noexcept;
double floor(double) noexcept;
float floorf(float) noexcept;
double j0(double) noexcept;
float j0f(float) noexcept;
double j1(double) noexcept;
float j1f(float) noexcept;
double lgamma(double) noexcept;
float lgammaf(float) noexcept;
double log(double) noexcept;
float logf(float) noexcept;
double log10(double) noexcept;
float log10f(float) noexcept;
double log1p(double) noexcept;
float log1pf(float) noexcept;
double log2(double) noexcept;
float log2f(float) noexcept;
double logb(double) noexcept;
float logbf(float) noexcept;
double rint(double) noexcept;
float rintf(float) noexcept;
double round(double) noexcept;
float roundf(float) noexcept;
double sin(double) noexcept;
float sinf(float) noexcept;
double sinh(double) noexcept;
float sinhf(float) noexcept;
double sqrt(double) noexcept;
float sqrtf(float) noexcept;
double tan(double) noexcept;
float tanf(float) noexcept;
double tanh(double) noexcept;
float tanhf(float) noexcept;
double tgamma(double) noexcept;
float tgammaf(float) noexcept;
double trunc(double) noexcept;
float truncf(float) noexcept;
double y0(double) noexcept;
float y0f(float) noexcept;
double y1(double) noexcept;
float y1f(float) noexcept;
double atan2(double, double) noexcept;
float atan2f(float, float) noexcept;
double copysign(double, double) noexcept;
float copysignf(float, float) noexcept;
double fmod(double, double) noexcept;
float fmodf(float, float) noexcept;
double hypot(double, double) noexcept;
float hypotf(float, float) noexcept;
double pow(double, double) noexcept;
float powf(float, float) noexcept;
double remainder(double, double) noexcept;
float remainderf(float, float) noexcept;
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double frexp(double, int*) noexcept;
float frexpf(float, int*) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
int ilogb(double) noexcept;
int ilogbf(float) noexcept;
double jn(int, double) noexcept;
float jnf(int, float) noexcept;
double yn(int, double) noexcept;
float ynf(int, float) noexcept;
}

extern "C" int _setjmp(void*) noexcept __attribute__((returns_twice));
extern "C" [[noreturn]] void _longjmp(void*, int) noexcept;
alignas(16) static thread_local unsigned char shim_jump[512];
// What ends a thread that has a stack of its own; it does not come back.
static thread_local void (*shim_leave)();
[[noreturn]] inline void shim_exit() {
    if (shim_leave) shim_leave();
    _longjmp(shim_jump, 1);
}
inline void __threadfence() {}

inline void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
inline void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }

// erfinv solves erf(y) = x by Newton's method. Towards 1 it solves erfc(y) = 1-x,
// whose right side is exact.
inline double erfinv(double x) {
    if (x < 0) return -erfinv(-x);
    if (x == 1) return __builtin_inf();
    if (!(x < 1)) return __builtin_nan("");
    double y = x < 0.5 ? x : sqrt(-log(1 - x));
    for (int i = 0; i < 60; i++) {
        const double slope = 1.12837916709551257390 * exp(-y * y);
        y -= (x < 0.5 ? erf(y) - x : (1 - x) - erfc(y)) / slope;
    }
    return y;
}
inline float erfinvf(float x) { return float(erfinv(double(x))); }

inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) { return (unsigned long long)((unsigned __int128)x * y >> 64); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline unsigned long long __brevll(unsigned long long x) {
    unsigned long long y = 0;
    for (int i = 0; i < 64; i++) y = y << 1 | (x >> i & 1);
    return y;
}

template <class T> T atomicAdd(T* p, T v) {
    const T old = *p;
    *p = old + v;
    return old;
}
template <class T> T atomicMin(T* p, T v) {
    const T old = *p;
    *p = v < old ? v : old;
    return old;
}
template <class T> T atomicMax(T* p, T v) {
    const T old = *p;
    *p = old < v ? v : old;
    return old;
}
template <class T> T atomicAnd(T* p, T v) {
    const T old = *p;
    *p = old & v;
    return old;
}
template <class T> T atomicOr(T* p, T v) {
    const T old = *p;
    *p = old | v;
    return old;
}
template <class T> T atomicXor(T* p, T v) {
    const T old = *p;
    *p = old ^ v;
    return old;
}
template <class T> T atomicExch(T* p, T v) {
    const T old = *p;
    *p = v;
    return old;
}
template <class T> T atomicCAS(T* p, T want, T v) {
    const T old = *p;
    if (old == want) *p = v;
    return old;
}
