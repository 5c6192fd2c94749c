// What package par does, as a C++ programmer writes it with OpenMP for all cores.

#include <omp.h>

#include <algorithm>
#include <parallel/algorithm>
#include <vector>

typedef float f32x16 __attribute__((vector_size(64)));

static inline f32x16 load(const float *p) {
    f32x16 v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
static inline float total(f32x16 v) {
    float s = 0;
    for (int i = 0; i < 16; i++) s += v[i];
    return s;
}

// n is a multiple of 64 times the number of parts.
static const long parts = 512;

extern "C" void bench_sum(long n, const float *x, float *out) {
    float sums[parts];
#pragma omp parallel for schedule(static)
    for (long b = 0; b < parts; b++) {
        f32x16 s[4] = {};
        for (long i = n / parts * b; i < n / parts * (b + 1); i += 64)
            for (int k = 0; k < 4; k++) s[k] += load(x + i + 16 * k);
        sums[b] = total(s[0] + s[1] + (s[2] + s[3]));
    }
    *out = 0;
    for (float s : sums) *out += s;
}

extern "C" void bench_dot(long n, const float *x, const float *y, float *out) {
    float sums[parts];
#pragma omp parallel for schedule(static)
    for (long b = 0; b < parts; b++) {
        f32x16 s[4] = {};
        for (long i = n / parts * b; i < n / parts * (b + 1); i += 64)
            for (int k = 0; k < 4; k++) s[k] += load(x + i + 16 * k) * load(y + i + 16 * k);
        sums[b] = total(s[0] + s[1] + (s[2] + s[3]));
    }
    *out = 0;
    for (float s : sums) *out += s;
}

// One pass for the sums of the threads' parts, and one for the elements.
extern "C" void bench_scan(long n, const float *x, float *out) {
    std::vector<float> ends(omp_get_max_threads() + 1);
#pragma omp parallel
    {
        const long t = omp_get_thread_num(), threads = omp_get_num_threads();
        const long from = n * t / threads, to = n * (t + 1) / threads;
        f32x16 v = {};
        long i = from;
        for (; i + 16 <= to; i += 16) v += load(x + i);
        float s = total(v);
        for (; i < to; i++) s += x[i];
        ends[t + 1] = s;
#pragma omp barrier
        s = 0;
        for (long k = 0; k <= t; k++) s += ends[k];
        for (i = from; i < to; i++) out[i] = s += x[i];
    }
}

// Floats come by their bits, as integers.
static inline float of(unsigned bits) {
    float f;
    __builtin_memcpy(&f, &bits, sizeof f);
    return f;
}

extern "C" void bench_histogram(long n, const float *x, unsigned low_bits, unsigned high_bits, long bins, int *counts) {
    const float low = of(low_bits), high = of(high_bits);
    const float scale = bins / (high - low);
    std::fill(counts, counts + bins, 0);
#pragma omp parallel
    {
        std::vector<int> own(bins);
#pragma omp for schedule(static)
        for (long i = 0; i < n; i++)
            if (x[i] >= low && x[i] < high) own[std::min<long>((x[i] - low) * scale, bins - 1)]++;
#pragma omp critical
        for (long i = 0; i < bins; i++) counts[i] += own[i];
    }
}

extern "C" void bench_sort(long n, float *x) { __gnu_parallel::sort(x, x + n); }
