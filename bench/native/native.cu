// The kernels of ../kernels.go as a CUDA programmer writes them: one block of
// threads for neighbouring elements, 32-bit indices, arguments in a struct.

struct native_saxpy_args { long long n; float a; const float *x; float *y; };

extern "C" __global__ void native_saxpy(const native_saxpy_args p) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n) p.y[i] += p.a * p.x[i];
}

struct native_heat_args { int n, m; float r; const float *u; float *next; };

extern "C" __global__ void native_heat(const native_heat_args p) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.n * p.m) return;
    const int i = at / p.m, j = at % p.m;
    const float c = p.u[at];
    const float up = p.u[i > 0 ? at - p.m : at], down = p.u[i < p.n - 1 ? at + p.m : at];
    const float left = p.u[j > 0 ? at - 1 : at], right = p.u[j < p.m - 1 ? at + 1 : at];
    p.next[at] = c + p.r * (up + down + left + right - 4 * c);
}

struct native_mandelbrot_args { int height, width; double x0, y0, pixel; int limit; int *out; };

extern "C" __global__ void native_mandelbrot(const native_mandelbrot_args p) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.height * p.width) return;
    const double cx = p.x0 + at % p.width * p.pixel, cy = p.y0 + at / p.width * p.pixel;
    double x = 0, y = 0;
    int n = 0;
    while (n < p.limit && x * x + y * y <= 4) {
        const double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    p.out[at] = n;
}

struct native_blur_args { int height, width, taps; const float *weights, *in; float *out; };

extern "C" __global__ void native_blur(const native_blur_args p) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= p.height * p.width) return;
    const int i = at / p.width, j = at % p.width, radius = p.taps / 2;
    float sum = 0;
    for (int k = 0; k < p.taps; k++) {
        int from = j + k - radius;
        from = from < 0 ? 0 : from > p.width - 1 ? p.width - 1 : from;
        sum += p.weights[k] * p.in[i * p.width + from];
    }
    p.out[at] = sum;
}

struct native_matmul_args { int n; const float *a, *b; float *c; };

// One block of 256 threads for 16 x 16 elements of the product.
extern "C" __global__ void native_matmul(const native_matmul_args p) {
    __shared__ float sa[16][16], sb[16][16];
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    const int tiles = p.n / 16;
    const int row = blockIdx.x / tiles * 16 + y, col = blockIdx.x % tiles * 16 + x;
    float sum = 0;
    for (int k = 0; k < p.n; k += 16) {
        sa[y][x] = p.a[row * p.n + k + x];
        sb[y][x] = p.b[(k + y) * p.n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += sa[y][i] * sb[i][x];
        __syncthreads();
    }
    p.c[row * p.n + col] = sum;
}
