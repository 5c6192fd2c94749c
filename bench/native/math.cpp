// The functions of ../mathematics.go by the C library: each in a loop over an array, and a chain of several. With
// -fveclib=libmvec the compiler puts glibc's functions for vectors in their place.
#include <cmath>

#define FUNCTION(name)                                                                                   \
    extern "C" void name##_float32(long n, const float *x, float *z) {                                   \
        _Pragma("omp parallel for simd schedule(static) firstprivate(x, z)") for (long i = 0; i < n; i++) \
            z[i] = std::name(x[i]);                                                                      \
    }                                                                                                    \
    extern "C" void name##_float64(long n, const double *x, double *z) {                                 \
        _Pragma("omp parallel for simd schedule(static) firstprivate(x, z)") for (long i = 0; i < n; i++) \
            z[i] = std::name(x[i]);                                                                      \
    }
FUNCTION(exp)
FUNCTION(log)
FUNCTION(sin)
FUNCTION(tanh)
FUNCTION(erf)
FUNCTION(cbrt)

extern "C" void pow_float32(long n, const float *x, float *z) {
#pragma omp parallel for simd schedule(static) firstprivate(x, z)
    for (long i = 0; i < n; i++) z[i] = std::pow(x[i], 1.7f);
}
extern "C" void pow_float64(long n, const double *x, double *z) {
#pragma omp parallel for simd schedule(static) firstprivate(x, z)
    for (long i = 0; i < n; i++) z[i] = std::pow(x[i], 1.7);
}

template <class T> static T normal(T x) { return T(0.5) * std::erfc(-x * T(0.70710678118654752440)); }
template <class T> static T call(T spot) {
    const T strike = T(1.1), rate = T(0.03), volatility = T(0.2), years = T(1.5);
    const T root = volatility * std::sqrt(years);
    const T d1 = (std::log(spot / strike) + (rate + T(0.5) * volatility * volatility) * years) / root, d2 = d1 - root;
    return spot * normal(d1) - strike * std::exp(-rate * years) * normal(d2);
}
extern "C" void call_float32(long n, const float *x, float *z) {
#pragma omp parallel for simd schedule(static) firstprivate(x, z)
    for (long i = 0; i < n; i++) z[i] = call(x[i]);
}
extern "C" void call_float64(long n, const double *x, double *z) {
#pragma omp parallel for simd schedule(static) firstprivate(x, z)
    for (long i = 0; i < n; i++) z[i] = call(x[i]);
}
