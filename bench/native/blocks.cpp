// The kernels of ../blockkernels.go as a C++ programmer writes them for a CPU.

typedef float f32x16 __attribute__((vector_size(64)));

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

// Each part of the arrays gives a sum of its own, as the blocks of a kernel do.

extern "C" void native_dot(long n, long blocks, const float *x, const float *y, float *out) {
#pragma omp parallel for schedule(static)
    for (long b = 0; b < blocks; b++) {
        f32x16 s[4] = {};
        for (long i = n / blocks * b; i < n / blocks * (b + 1); i += 64)
            for (int k = 0; k < 4; k++) s[k] += load(x + i + 16 * k) * load(y + i + 16 * k);
        out[b] = total(s[0] + s[1] + (s[2] + s[3]));
    }
}

extern "C" void native_sum(long n, long blocks, const float *x, float *out) {
#pragma omp parallel for schedule(static)
    for (long b = 0; b < blocks; b++) {
        f32x16 s[4] = {};
        for (long i = n / blocks * b; i < n / blocks * (b + 1); i += 64)
            for (int k = 0; k < 4; k++) s[k] += load(x + i + 16 * k);
        out[b] = total(s[0] + s[1] + (s[2] + s[3]));
    }
}

// The same, of blocks that go through the arrays together, each with 256 numbers of every stretch.

extern "C" void spread_dot(long n, long blocks, const float *x, const float *y, float *out) {
#pragma omp parallel for schedule(static)
    for (long b = 0; b < blocks; b++) {
        f32x16 s[16] = {};
        for (long i = 256 * b; i < n; i += 256 * blocks)
            for (int k = 0; k < 16; k++) s[k] += load(x + i + 16 * k) * load(y + i + 16 * k);
        for (int k = 1; k < 16; k++) s[0] += s[k];
        out[b] = total(s[0]);
    }
}

extern "C" void spread_sum(long n, long blocks, const float *x, float *out) {
#pragma omp parallel for schedule(static)
    for (long b = 0; b < blocks; b++) {
        f32x16 s[16] = {};
        for (long i = 256 * b; i < n; i += 256 * blocks)
            for (int k = 0; k < 16; k++) s[k] += load(x + i + 16 * k);
        for (int k = 1; k < 16; k++) s[0] += s[k];
        out[b] = total(s[0]);
    }
}

// Bytes that follow each other are often the same: four histograms do not wait for each other.
extern "C" void native_histogram(long n, long blocks, const unsigned char *x, int *out) {
#pragma omp parallel for schedule(static)
    for (long b = 0; b < blocks; b++) {
        int bins[4][256] = {};
        for (long i = n / blocks * b; i < n / blocks * (b + 1); i += 4)
            for (int k = 0; k < 4; k++) bins[k][x[i + k]]++;
        for (int k = 0; k < 256; k++) __atomic_fetch_add(out + k, bins[0][k] + bins[1][k] + bins[2][k] + bins[3][k], __ATOMIC_RELAXED);
    }
}

// 8 rows by 32 columns are in registers.
extern "C" void native_matmul(long n, const float *a, const float *b, float *c) {
#pragma omp parallel for schedule(static)
    for (long row = 0; row < n; row += 8)
        for (long col = 0; col < n; col += 32) {
            f32x16 s[8][2] = {};
            for (long k = 0; k < n; k++) {
                const f32x16 b0 = load(b + k * n + col), b1 = load(b + k * n + col + 16);
                for (int i = 0; i < 8; i++) {
                    s[i][0] += a[(row + i) * n + k] * b0;
                    s[i][1] += a[(row + i) * n + k] * b1;
                }
            }
            for (int i = 0; i < 8; i++) store(c + (row + i) * n + col, s[i][0]), store(c + (row + i) * n + col + 16, s[i][1]);
        }
}
