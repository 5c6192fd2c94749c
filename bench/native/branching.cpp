// The kernels of ../branching.go as a C++ programmer writes them, with OpenMP. Floats come by their bits, as integers.

static inline float float32(unsigned bits) { return __builtin_bit_cast(float, bits); }

extern "C" void update(long n, const float *chance, const float *x, float *y) {
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < n; i++) {
        if (chance[i] < 0.5f) {
            float v = x[i];
            for (int k = 0; k < 4; k++) v = v * v - 0.7f;
            y[i] += v;
        }
    }
}

struct vec3 {
    float x, y, z;
};

extern "C" void move(long n, const float *chance, unsigned x, unsigned y, unsigned z, vec3 *at) {
    const vec3 by = {float32(x), float32(y), float32(z)};
#pragma omp parallel for simd schedule(static)
    for (long i = 0; i < n; i++) {
        if (chance[i] < 0.5f) {
            at[i].x += by.x;
            at[i].y += by.y;
            at[i].z += by.z;
        }
    }
}

extern "C" void terms(long n, const float *chance, const float *x, float *y) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) {
        const long count = long(chance[i] * 32);
        for (long k = 0; k < count; k++) y[i] += x[k];
    }
}

extern "C" void rows(long n, long most, const int *column, const float *value, const float *x, float *y) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) {
        float sum = 0;
        for (long k = 0; k < most; k++) {
            const int c = column[k * n + i];
            if (c >= 0) sum += value[k * n + i] * x[c];
        }
        y[i] = sum;
    }
}
