// The kernels of ../tilekernels.go as a C++ programmer writes them for a CPU.

typedef float f32x16 __attribute__((vector_size(64)));
typedef int i32x16 __attribute__((vector_size(64)));

static inline f32x16 load(const float *p) {
    f32x16 v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
static inline void store(float *p, f32x16 v) { __builtin_memcpy(p, &v, sizeof v); }
static inline float total(f32x16 v) {
    float s = 0;
    for (int i = 0; i < 16; i++) s += v[i];
    return s;
}

// exponential is e to the power of numbers that are not positive: a polynomial near zero, after the power of two is taken out.
static inline f32x16 exponential(f32x16 x) {
    const f32x16 least = x - x - 87.0f;
    x = x > least ? x : least;
    f32x16 n = (x * 1.44269504f + 12582912.0f) - 12582912.0f; // rounded
    f32x16 r = x - n * 0.693359375f + n * 2.12194440e-4f;
    f32x16 p = r - r + 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    i32x16 bits = (__builtin_convertvector(n, i32x16) + 127) << 23;
    f32x16 power;
    __builtin_memcpy(&power, &bits, sizeof power);
    return p * power;
}

enum { width = 1024 };

extern "C" void native_softmax(long rows, const float *x, float *y) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; i++) {
        const float *in = x + i * width;
        float *out = y + i * width;
        f32x16 most[4] = {load(in), load(in + 16), load(in + 32), load(in + 48)};
        for (int j = 64; j < width; j += 64)
            for (int k = 0; k < 4; k++) {
                f32x16 v = load(in + j + 16 * k);
                most[k] = v > most[k] ? v : most[k];
            }
        float m = most[0][0];
        for (int k = 0; k < 4; k++)
            for (int l = 0; l < 16; l++) m = most[k][l] > m ? most[k][l] : m;
        f32x16 sums[4] = {};
        for (int j = 0; j < width; j += 64)
            for (int k = 0; k < 4; k++) {
                f32x16 e = exponential(load(in + j + 16 * k) - m);
                store(out + j + 16 * k, e);
                sums[k] += e;
            }
        float r = 1 / total(sums[0] + sums[1] + (sums[2] + sums[3]));
        for (int j = 0; j < width; j += 16) store(out + j, load(out + j) * r);
    }
}

extern "C" void native_layernorm(long rows, const float *x, const float *weight, const float *bias, float *y) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; i++) {
        const float *in = x + i * width;
        f32x16 s[4] = {};
        for (int j = 0; j < width; j += 64)
            for (int k = 0; k < 4; k++) s[k] += load(in + j + 16 * k);
        float mean = total(s[0] + s[1] + (s[2] + s[3])) / width;
        f32x16 q[4] = {};
        for (int j = 0; j < width; j += 64)
            for (int k = 0; k < 4; k++) {
                f32x16 d = load(in + j + 16 * k) - mean;
                q[k] += d * d;
            }
        float r = 1 / __builtin_sqrtf(total(q[0] + q[1] + (q[2] + q[3])) / width + 1e-5f);
        for (int j = 0; j < width; j += 16)
            store(y + i * width + j, (load(in + j) - mean) * r * load(weight + j) + load(bias + j));
    }
}
