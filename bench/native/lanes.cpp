// The kernels of ../lanekernels.go as a C++ programmer writes them: vector_... with a thread in each lane of vectors of
// 64 bytes, scalar_... without. Floats come by their bits, as integers.

typedef float f32x16 __attribute__((vector_size(64)));
typedef int i32x16 __attribute__((vector_size(64)));
typedef unsigned u32x16 __attribute__((vector_size(64)));
typedef double f64x8 __attribute__((vector_size(64)));
typedef long i64x8 __attribute__((vector_size(64)));

static inline float float32(unsigned bits) { return __builtin_bit_cast(float, bits); }
static inline double float64(unsigned long bits) { return __builtin_bit_cast(double, bits); }

template <class V, class T> static inline V load(const T *p) {
    V v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
template <class V, class T> static inline void store(T *p, V v) { __builtin_memcpy(p, &v, sizeof v); }
static inline f32x16 row16(float first) {
    return first + f32x16{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}
template <class V> static inline bool any(V mask) {
    bool b = false;
    for (unsigned i = 0; i < sizeof mask / sizeof mask[0]; i++) b |= mask[i] != 0;
    return b;
}
static inline float root(float x) { return __builtin_sqrtf(x); }
static inline f32x16 root(f32x16 x) {
    f32x16 r;
    for (int i = 0; i < 16; i++) r[i] = __builtin_sqrtf(x[i]);
    return r;
}
static inline float smaller(float a, float b) { return a < b ? a : b; }
static inline float larger(float a, float b) { return a > b ? a : b; }
static inline f32x16 smaller(f32x16 a, f32x16 b) { return a < b ? a : b; }
static inline f32x16 larger(f32x16 a, f32x16 b) { return a > b ? a : b; }

// Mandelbrot

extern "C" void scalar_mandelbrot64(long height, long width, unsigned long x0, unsigned long y0, unsigned long step, int limit, int *out) {
    const double left = float64(x0), top = float64(y0), pixel = float64(step);
#pragma omp parallel for schedule(dynamic, 4)
    for (long row = 0; row < height; row++)
        for (long col = 0; col < width; col++) {
            const double cx = left + col * pixel, cy = top + row * pixel;
            double x = 0, y = 0;
            int n = 0;
            while (n < limit && x * x + y * y <= 4) {
                const double t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                n++;
            }
            out[row * width + col] = n;
        }
}

extern "C" void vector_mandelbrot64(long height, long width, unsigned long x0, unsigned long y0, unsigned long step, int limit, int *out) {
    const double left = float64(x0), top = float64(y0), pixel = float64(step);
#pragma omp parallel for schedule(dynamic, 4)
    for (long row = 0; row < height; row++)
        for (long col = 0; col < width; col += 8) {
            const f64x8 cx = left + ((double)col + f64x8{0, 1, 2, 3, 4, 5, 6, 7}) * pixel;
            const double cy = top + row * pixel;
            f64x8 x = {}, y = {};
            i64x8 n = {};
            for (int turn = 0; turn < limit; turn++) {
                const i64x8 in = x * x + y * y <= 4;
                if (!any(in)) break;
                const f64x8 t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                n -= in;
            }
            for (int i = 0; i < 8; i++) out[row * width + col + i] = n[i];
        }
}

extern "C" void scalar_mandelbrot32(long height, long width, unsigned x0, unsigned y0, unsigned step, int limit, int *out) {
    const float left = float32(x0), top = float32(y0), pixel = float32(step);
#pragma omp parallel for schedule(dynamic, 4)
    for (long row = 0; row < height; row++)
        for (long col = 0; col < width; col++) {
            const float cx = left + col * pixel, cy = top + row * pixel;
            float x = 0, y = 0;
            int n = 0;
            while (n < limit && x * x + y * y <= 4) {
                const float t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                n++;
            }
            out[row * width + col] = n;
        }
}

extern "C" void vector_mandelbrot32(long height, long width, unsigned x0, unsigned y0, unsigned step, int limit, int *out) {
    const float left = float32(x0), top = float32(y0), pixel = float32(step);
#pragma omp parallel for schedule(dynamic, 4)
    for (long row = 0; row < height; row++)
        for (long col = 0; col < width; col += 16) {
            const f32x16 cx = left + row16(col) * pixel;
            const float cy = top + row * pixel;
            f32x16 x = {}, y = {};
            i32x16 n = {};
            for (int turn = 0; turn < limit; turn++) {
                const i32x16 in = x * x + y * y <= 4;
                if (!any(in)) break;
                const f32x16 t = x * x - y * y + cx;
                y = 2 * x * y + cy;
                x = t;
                n -= in;
            }
            store(out + row * width + col, n);
        }
}

// Ray marching

template <class F> struct Vec3 {
    F x, y, z;
};
template <class F> static inline Vec3<F> along(Vec3<F> p, Vec3<F> d, F far) { return {p.x + d.x * far, p.y + d.y * far, p.z + d.z * far}; }
template <class F> static inline F norm(F x, F y, F z) { return root(x * x + y * y + z * z); }
template <class F> static inline Vec3<F> normalize(Vec3<F> v) {
    const F s = 1 / norm(v.x, v.y, v.z);
    return {v.x * s, v.y * s, v.z * s};
}
template <class F> static inline F scene(F x, F y, F z) {
    const F a = norm<F>(x, y - 0.5f, z) - 0.8f;
    const F b = norm<F>(x - 1.5f, y - 0.3f, z - 0.7f) - 0.6f;
    const F c = norm<F>(x + 1.4f, y - 0.2f, z - 1.0f) - 0.5f;
    return smaller(smaller(a, b), smaller(c, y + 0.3f));
}
template <class F> static inline F scene(Vec3<F> p) { return scene(p.x, p.y, p.z); }
static const float sunX = 0.48f, sunY = 0.6f, sunZ = -0.64f, eps = 0.01f;

extern "C" void scalar_march(long height, long width, float *out) {
#pragma omp parallel for schedule(dynamic, 4)
    for (long row = 0; row < height; row++)
        for (long col = 0; col < width; col++) {
            const float x = (2 * (float)col - width) / height, y = (height - 2 * (float)row) / height;
            const Vec3<float> eye = {0, 1, -3}, ray = normalize<float>({x, y - 0.2f, 1.5f});
            float far = 0, *o = out + row * width + col;
            bool hit = false;
            for (int i = 0; i < 96; i++) {
                const float d = scene(along(eye, ray, far));
                if (d < 0.001f) {
                    hit = true;
                    break;
                }
                far += d;
                if (far > 40) break;
            }
            if (!hit) {
                *o = 0.5f + 0.5f * ray.y;
                continue;
            }
            const Vec3<float> p = along(eye, ray, far);
            const float d = scene(p);
            const Vec3<float> n = normalize<float>({scene(p.x + eps, p.y, p.z) - d, scene(p.x, p.y + eps, p.z) - d, scene(p.x, p.y, p.z + eps) - d});
            const float light = larger(n.x * sunX + n.y * sunY + n.z * sunZ, 0);
            float lit = 1, away = 0.02f;
            for (int i = 0; i < 48; i++) {
                const float d = scene(along(p, {sunX, sunY, sunZ}, away));
                lit = smaller(lit, 8 * d / away);
                if (lit < 0.01f || away > 10) break;
                away += larger(d, 0.01f);
            }
            *o = 0.1f + 0.9f * light * larger(lit, 0);
        }
}

extern "C" void vector_march(long height, long width, float *out) {
#pragma omp parallel for schedule(dynamic, 4)
    for (long row = 0; row < height; row++)
        for (long col = 0; col < width; col += 16) {
            const f32x16 x = (2 * row16(col) - (float)width) / (float)height, zero = {};
            const float y = (height - 2 * (float)row) / height;
            const Vec3<f32x16> eye = {zero, zero + 1, zero - 3}, sun = {zero + sunX, zero + sunY, zero + sunZ};
            const Vec3<f32x16> ray = normalize<f32x16>({x, zero + (y - 0.2f), zero + 1.5f});
            f32x16 far = zero, d;
            i32x16 hit = {}, in = ~hit;
            for (int i = 0; i < 96; i++) {
                d = scene(along(eye, ray, far));
                hit |= in & (d < 0.001f);
                in &= ~hit;
                far = in ? far + d : far;
                in &= ~(far > 40);
                if (!any(in)) break;
            }
            f32x16 color = 0.5f + 0.5f * ray.y;
            if (any(hit)) {
                const Vec3<f32x16> p = along(eye, ray, far);
                d = scene(p);
                const Vec3<f32x16> n = normalize<f32x16>({scene<f32x16>(p.x + eps, p.y, p.z) - d, scene<f32x16>(p.x, p.y + eps, p.z) - d, scene<f32x16>(p.x, p.y, p.z + eps) - d});
                const f32x16 light = larger(n.x * sunX + n.y * sunY + n.z * sunZ, zero);
                f32x16 lit = zero + 1, away = zero + 0.02f;
                in = hit;
                for (int i = 0; i < 48; i++) {
                    d = scene(along(p, sun, away));
                    lit = in ? smaller(lit, 8 * d / away) : lit;
                    in &= ~((lit < 0.01f) | (away > 10));
                    if (!any(in)) break;
                    away = in ? away + larger(d, zero + 0.01f) : away;
                }
                color = hit ? 0.1f + 0.9f * light * larger(lit, zero) : color;
            }
            store(out + row * width + col, color);
        }
}

// Bodies

extern "C" void scalar_nbody(long n, const float *x, const float *y, const float *z, const float *mass, float *ax, float *ay, float *az) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) {
        float sx = 0, sy = 0, sz = 0;
        for (long j = 0; j < n; j++) {
            const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const float r = dx * dx + dy * dy + dz * dz + 1e-4f, s = mass[j] / (r * root(r));
            sx += s * dx, sy += s * dy, sz += s * dz;
        }
        ax[i] = sx, ay[i] = sy, az[i] = sz;
    }
}

extern "C" void vector_nbody(long n, const float *x, const float *y, const float *z, const float *mass, float *ax, float *ay, float *az) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i += 16) {
        const f32x16 xi = load<f32x16>(x + i), yi = load<f32x16>(y + i), zi = load<f32x16>(z + i);
        f32x16 sx = {}, sy = {}, sz = {};
        for (long j = 0; j < n; j++) {
            const f32x16 dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
            const f32x16 r = dx * dx + dy * dy + dz * dz + 1e-4f, s = mass[j] / (r * root(r));
            sx += s * dx, sy += s * dy, sz += s * dz;
        }
        store(ax + i, sx), store(ay + i, sy), store(az + i, sz);
    }
}

struct Vec4 {
    float x, y, z, w;
};

extern "C" void scalar_nbody4(long n, const Vec4 *bodies, Vec4 *a) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) {
        const Vec4 at = bodies[i];
        float sx = 0, sy = 0, sz = 0;
        for (long j = 0; j < n; j++) {
            const Vec4 b = bodies[j];
            const float dx = b.x - at.x, dy = b.y - at.y, dz = b.z - at.z;
            const float r = dx * dx + dy * dy + dz * dz + 1e-4f, s = b.w / (r * root(r));
            sx += s * dx, sy += s * dy, sz += s * dz;
        }
        a[i] = {sx, sy, sz, 0};
    }
}

extern "C" void vector_nbody4(long n, const Vec4 *bodies, Vec4 *a) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i += 16) {
        f32x16 xi, yi, zi, sx = {}, sy = {}, sz = {};
        for (int k = 0; k < 16; k++) xi[k] = bodies[i + k].x, yi[k] = bodies[i + k].y, zi[k] = bodies[i + k].z;
        for (long j = 0; j < n; j++) {
            const Vec4 b = bodies[j];
            const f32x16 dx = b.x - xi, dy = b.y - yi, dz = b.z - zi;
            const f32x16 r = dx * dx + dy * dy + dz * dz + 1e-4f, s = b.w / (r * root(r));
            sx += s * dx, sy += s * dy, sz += s * dz;
        }
        for (int k = 0; k < 16; k++) a[i + k] = {sx[k], sy[k], sz[k], 0};
    }
}

// Black and Scholes. The exponential and the logarithm of vectors are those of Cephes.

static inline float exponential(float x) { return __builtin_expf(x); }
static inline float logarithm(float x) { return __builtin_logf(x); }
static inline float magnitude(float x) { return __builtin_fabsf(x); }
static inline float either(bool c, float a, float b) { return c ? a : b; }
static inline f32x16 either(i32x16 c, f32x16 a, f32x16 b) { return c ? a : b; }
static inline f32x16 magnitude(f32x16 x) { return (f32x16)((u32x16)x & 0x7fffffffu); }

static inline f32x16 exponential(f32x16 x) {
    x = larger(smaller(x, f32x16{} + 88.0f), f32x16{} - 87.0f);
    const f32x16 n = (x * 1.44269504f + 12582912.0f) - 12582912.0f;
    const f32x16 r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    f32x16 p = f32x16{} + 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1;
    return p * (f32x16)((__builtin_convertvector(n, i32x16) + 127) << 23);
}

static inline f32x16 logarithm(f32x16 x) {
    i32x16 e = ((i32x16)x >> 23) - 126;
    f32x16 m = (f32x16)(((i32x16)x & 0x7fffff) | 0x3f000000);
    const i32x16 small = m < 0.707106781f;
    e += small;
    m = (small ? m + m : m) - 1;
    const f32x16 z = m * m, k = __builtin_convertvector(e, f32x16);
    f32x16 p = f32x16{} + 7.0376836292e-2f;
    p = p * m - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    p = p * m * z - k * 2.12194440e-4f - 0.5f * z;
    return m + p + k * 0.693359375f;
}

template <class F> static inline F normal(F d) {
    const F k = 1 / (1 + 0.2316419f * magnitude(d));
    const F p = 0.39894228f * exponential(-0.5f * d * d) * (k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return either(d > 0, 1 - p, p);
}

template <class F> static inline void option(float rate, float volatility, F s, F k, F y, F &call, F &put) {
    const F width = volatility * root(y);
    const F d1 = (logarithm(s / k) + (rate + 0.5f * volatility * volatility) * y) / width, d2 = d1 - width;
    const F n1 = normal(d1), n2 = normal(d2), now = k * exponential(-rate * y);
    call = s * n1 - now * n2;
    put = now * (1 - n2) - s * (1 - n1);
}

extern "C" void scalar_blackscholes(long n, unsigned rate, unsigned volatility, const float *price, const float *strike, const float *years, float *call, float *put) {
    const float r = float32(rate), v = float32(volatility);
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) option(r, v, price[i], strike[i], years[i], call[i], put[i]);
}

extern "C" void vector_blackscholes(long n, unsigned rate, unsigned volatility, const float *price, const float *strike, const float *years, float *call, float *put) {
    const float r = float32(rate), v = float32(volatility);
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i += 16) {
        f32x16 c, p;
        option(r, v, load<f32x16>(price + i), load<f32x16>(strike + i), load<f32x16>(years + i), c, p);
        store(call + i, c), store(put + i, p);
    }
}
