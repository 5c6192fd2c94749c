//@ qd.aligned_run
// Elements that are read at once.
template <class E, int N> struct alignas(N * sizeof(E)) aligned_run {
    E at[N];
};

//@ qd.copy_row needs qd.aligned_run
// Copies N elements of 16 bytes in all to memory that threads share, at once if they are aligned so: the copy may be on its way until
// the thread waits for its copies.
template <int N, class T> $inline void copy_row(T* to, const T* from) {
    if ((uint64(from) & 15) == 0) {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(uint32(__cvta_generic_to_shared(to))), "l"(__cvta_generic_to_global(from)) : "memory");
#else
        *(aligned_run<T, N>*)to = *(const aligned_run<T, N>*)from;
#endif
    } else {
        for (int i = 0; i < N; i++) to[i] = from[i];
    }
}

//@ qd.wait_for_copies
// Waits for the copies of the thread.
$inline void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

//@ qd.wait_for_groups
// Has the copies of the thread since the last call as a group, and waits for all groups but the newest ones, so many of them.
template <int Newest> $inline void wait_for_groups() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group %0;" :: "n"(Newest) : "memory");
#endif
}

//@ qd.swizzled
// Where the elements of a matrix of so many columns are that threads share: groups of 16 bytes of a row change their places, so that those
// of rows that follow each other are in different banks of the memory.
template <class E, int Columns> struct swizzled {
    static constexpr int bytes = Columns * sizeof(E), divisor = bytes / 16 & -(bytes / 16), groups = divisor < 8 ? divisor : 8;
    static constexpr bool is = bytes % 16 == 0 && groups >= 2;
    static constexpr int mask = is ? groups - 1 : 0, shift = is && groups < 8 ? (groups < 4 ? 2 : 1) : 0, group = 16 / sizeof(E);
    static __device__ int at(int row, int column) { return row * Columns + (column ^ (row >> shift & mask) * group); }
};

//@ qd.ldmatrix
// Reads four matrices of 8 x 8 numbers of 16 bits. Each thread of a warp says where a row of 16 bytes is; the second function gives
// them transposed.
$inline void ldmatrix(uint32 (&r)[4], const void* row) {
    const uint32 at = uint32(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}
$inline void ldmatrix_transposed(uint32 (&r)[4], const void* row) {
    const uint32 at = uint32(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at) : "memory");
}

//@ qd.layout
// Which thread of a block has which elements of an M x N matrix. Down x Across warps lie over the matrix, each with so many rows
// and columns. In each 8 x 8 elements of these, a thread has two that follow each other in a row, as mma.sync has them. The warps
// that are left of the block have none.
template <int M, int N, int Down, int Across, int Threads> struct layout {
    static constexpr int rows_all = M, columns_all = N;
    static constexpr int rows = (M + 16 * Down - 1) / (16 * Down) * 16, columns = (N + 8 * Across - 1) / (8 * Across) * 8;
    static constexpr int size = rows * columns / 32;
    static constexpr bool whole = Down * rows == M && Across * columns == N && Down * Across * 32 == Threads;

    static __device__ int warp() { return threadIdx.x / 32; }
    static __device__ bool idle() { return Down * Across * 32 != Threads && warp() >= Down * Across; }
    static __device__ int warp_row() { return warp() / Across * rows; }
    static __device__ int warp_column() { return warp() % Across * columns; }
    static __device__ int row(int e) { return warp_row() + threadIdx.x % 32 / 4 + e / (columns / 4) * 8; }
    static __device__ int column(int e) { return warp_column() + threadIdx.x % 4 * 2 + e / 2 % (columns / 8) * 8 + e % 2; }
    static __device__ bool has(int e) { return whole || (row(e) < M && column(e) < N); }
};

//@ qd.fragment needs qd.layout
// The elements of a matrix that a thread has, in registers: whoever indexes it does so with constants, once loops are unrolled.
template <class T, class L> struct fragment {
    typedef L layout;
    T at[L::size];
    __device__ T& operator[](int e) { return at[e]; }
};

//@ qd.add_product
// x*y + sum, floats with one rounding.
$inline float32 add_product(float32 x, float32 y, float32 sum) { return ::fmaf(x, y, sum); }
$inline float64 add_product(float64 x, float64 y, float64 sum) { return ::fma(x, y, sum); }
$inline int32 add_product(int32 x, int32 y, int32 sum) { return int32(uint32(sum) + uint32(x) * uint32(y)); }

//@ qd.kept
// Numbers as they are kept in memory, and as they are multiplied.
struct kept_plain {
    template <class T> static __device__ T number(T x) { return x; }
};
struct kept_int8 {
    static __device__ int32 number(int8 x) { return x; }
};
struct kept_float16 {
    static __device__ float32 number(uint16 bits) {
        float32 x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
    }
};
struct kept_tf32 {
    static __device__ float32 number(float32 x) {
        uint32 bits;
        memcpy(&bits, &x, sizeof bits);
        if ((bits & 0x7fffffff) > 0x7f800000) return x;
        bits = bits + 0x1000 & 0xffffe000;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
};
struct kept_bfloat16 {
    static __device__ float32 number(uint16 bits) {
        const uint32 wide = uint32(bits) << 16;
        float32 x;
        memcpy(&x, &wide, sizeof x);
        return x;
    }
};

//@ qd.multiply_each needs qd.aligned_run qd.swizzled qd.fragment qd.add_product qd.kept
// Adds the product of an M x K and a K x N matrix to a matrix in registers: each thread the products of its elements, in the order
// of their index. What a thread computes for elements outside of the matrix, of its last row or column, nobody uses.
template <class Kept, int K, class T, class L, class E>
static __device__ __forceinline__ void multiply_each(fragment<T, L>& sum, const E* x, const E* y) {
    constexpr int M = L::rows_all, N = L::columns_all, R = L::rows / 8, C = L::columns / 8;
    if (L::idle()) return;
    // As many elements of a row of x, and of y, are read at once as lie together and are aligned.
    constexpr int G = K % (16 / sizeof(E)) == 0 ? 16 / sizeof(E) : 1, P = N % 2 == 0 && sizeof(E) >= 4 ? 2 : 1;
    const int row = L::row(0), column = L::column(0);
#pragma unroll 1
    for (int first = 0; first < K; first += G) {
        aligned_run<E, G> down[R];
#pragma unroll
        for (int r = 0; r < R; r++) down[r] = *(const aligned_run<E, G>*)&x[swizzled<E, K>::at(L::whole || row + 8 * r < M ? row + 8 * r : M - 1, first)];
#pragma unroll
        for (int k = 0; k < G; k++) {
            aligned_run<E, P> across[2 * C / P];
#pragma unroll
            for (int c = 0; c < 2 * C / P; c++) {
                const int at = column + c * P / 2 * 8 + c * P % 2;
                across[c] = *(const aligned_run<E, P>*)&y[swizzled<E, N>::at(first + k, L::whole || at < N ? at : N - P)];
            }
#pragma unroll
            for (int e = 0; e < 2 * R * C; e++) {
                sum.at[e] = add_product(Kept::number(down[e / (2 * C)].at[k]), Kept::number(across[e % (2 * C) / P].at[e % P]), sum.at[e]);
            }
        }
    }
}

//@ qd.multiply_warps needs qd.swizzled qd.ldmatrix qd.fragment
// Adds the product of an M x K and a K x N matrix to a matrix in registers, on the tensor cores: Step multiplies 16 x depth by
// depth x 8 numbers, which threads have in registers of 32 bits as PTX says for mma.sync, once it has made them ready. Rows and columns outside of
// the matrix repeat the last one: nobody uses what comes of them. Products outside of K are of -0 and 0, or of zeros.
template <class Step, int K, class T, class L>
static __device__ __forceinline__ void multiply_warps(fragment<T, L>& sum, const typename Step::number* x, const typename Step::number* y) {
    typedef typename Step::number number;
    constexpr int M = L::rows_all, N = L::columns_all, R = L::rows / 16, C = L::columns / 8, P = 4 / sizeof(number);
    if (L::idle()) return;
    const int lane = threadIdx.x % 32, row = L::warp_row() + lane / 4, column = L::warp_column() + lane / 4;
#pragma unroll
    for (int k = 0; k < K; k += Step::depth) {
        uint32 down[R][4], across[C][2];
#pragma unroll
        for (int r = 0; r < R; r++) {
            if constexpr (K % Step::depth == 0) {
                const int at = L::warp_row() + r * 16 + lane % 16;
                ldmatrix(down[r], &x[swizzled<number, K>::at(L::whole || at < M ? at : M - 1, k + lane / 16 * (Step::depth / 2))]);
            } else {
                for (int i = 0; i < 4; i++) {
                    const int at = row + r * 16 + i % 2 * 8, first = k + i / 2 * (Step::depth / 2) + lane % 4 * P;
                    number all[P];
                    for (int p = 0; p < P; p++) all[p] = first + p < K ? x[swizzled<number, K>::at(L::whole || at < M ? at : M - 1, first + p)] : Step::zero;
                    memcpy(&down[r][i], all, 4);
                }
            }
            Step::ready(down[r], 4);
        }
#pragma unroll
        for (int c = 0; c < C; c++) {
            if constexpr (K % Step::depth == 0 && N % 8 == 0 && sizeof(number) == 2) {
                if (c % 2 == 1) continue; // it was read with the one before
                const int at = L::warp_column() + c * 8 + lane / 16 * 8;
                uint32 four[4];
                ldmatrix_transposed(four, &y[swizzled<number, N>::at(k + lane % 16, at < N ? at : N - 8)]);
                across[c][0] = four[0], across[c][1] = four[1];
                if (c + 1 < C) across[c + 1][0] = four[2], across[c + 1][1] = four[3];
            } else {
                for (int i = 0; i < 2; i++) {
                    const int at = column + c * 8, first = k + i * (Step::depth / 2) + lane % 4 * P;
                    number all[P];
                    for (int p = 0; p < P; p++) all[p] = K % Step::depth == 0 || first + p < K ? y[swizzled<number, N>::at(first + p, L::whole || at < N ? at : N - 1)] : number(0);
                    memcpy(&across[c][i], all, 4);
                }
                Step::ready(across[c], 2);
            }
        }
#pragma unroll
        for (int i = 0; i < R * C; i++) {
            T* const low = &sum.at[(i / C * 2 * C + i % C) * 2];
            Step::add(low[0], low[1], low[2 * C], low[2 * C + 1], down[i / C], across[i % C]);
        }
    }
}

//@ qd.multiply needs qd.multiply_each
// The products are added in the order of their index, each with one rounding.
template <int K, class T, class L>
static __device__ __forceinline__ void multiply(fragment<T, L>& sum, const T* x, const T* y) {
    multiply_each<kept_plain, K>(sum, x, y);
}

//@ qd.multiply_float64 needs qd.multiply_each
// The products are added each with one rounding, four that follow each other in the order that the tensor cores have for it.
template <int K, class L>
static __device__ __forceinline__ void multiply_float64(fragment<float64, L>& sum, const float64* x, const float64* y) {
#if __CUDA_ARCH__ >= 800
    constexpr int M = L::rows_all, N = L::columns_all, R = L::rows / 8, C = L::columns / 8;
    if (L::idle()) return;
    const int lane = threadIdx.x % 32, row = L::warp_row() + lane / 4, column = L::warp_column() + lane / 4;
#pragma unroll 4
    for (int first = 0; first < K; first += 4) {
        const int k = first + lane % 4;
        float64 down[R], across[C];
#pragma unroll
        for (int r = 0; r < R; r++) {
            const int at = row + r * 8;
            down[r] = K % 4 == 0 || k < K ? x[swizzled<float64, K>::at(L::whole || at < M ? at : M - 1, k)] : -0.0;
        }
#pragma unroll
        for (int c = 0; c < C; c++) {
            const int at = column + c * 8;
            across[c] = K % 4 == 0 || k < K ? y[swizzled<float64, N>::at(k, L::whole || at < N ? at : N - 1)] : 0.0;
        }
#pragma unroll
        for (int i = 0; i < R * C; i++) {
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(sum.at[2 * i]), "+d"(sum.at[2 * i + 1]) : "d"(down[i / C]), "d"(across[i % C]));
        }
    }
#else
    multiply_each<kept_plain, K>(sum, x, y);
#endif
}

//@ qd.multiply_float16 needs qd.multiply_warps qd.multiply_each
struct step_float16 {
    typedef uint16 number;
    static constexpr int depth = 16;
    static constexpr number zero = 0x8000;
    static __device__ void ready(uint32*, int) {}
    static __device__ void add(float32& c0, float32& c1, float32& c2, float32& c3, const uint32* a, const uint32* b) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};
// The products are added in the order that the tensor cores have for it.
template <int K, class L, class E>
static __device__ __forceinline__ void multiply_float16(fragment<float32, L>& sum, const E* x, const E* y) {
#if __CUDA_ARCH__ >= 800
    multiply_warps<step_float16, K>(sum, (const uint16*)x, (const uint16*)y);
#else
    multiply_each<kept_float16, K>(sum, (const uint16*)x, (const uint16*)y);
#endif
}

//@ qd.multiply_bfloat16 needs qd.multiply_warps qd.multiply_each
struct step_bfloat16 {
    typedef uint16 number;
    static constexpr int depth = 16;
    static constexpr number zero = 0x8000;
    static __device__ void ready(uint32*, int) {}
    static __device__ void add(float32& c0, float32& c1, float32& c2, float32& c3, const uint32* a, const uint32* b) {
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};
// The products are added in the order that the tensor cores have for it.
template <int K, class L, class E>
static __device__ __forceinline__ void multiply_bfloat16(fragment<float32, L>& sum, const E* x, const E* y) {
#if __CUDA_ARCH__ >= 800
    multiply_warps<step_bfloat16, K>(sum, (const uint16*)x, (const uint16*)y);
#else
    multiply_each<kept_bfloat16, K>(sum, (const uint16*)x, (const uint16*)y);
#endif
}

//@ qd.multiply_int8 needs qd.multiply_warps qd.multiply_each
struct step_int8 {
    typedef int8 number;
    static constexpr int depth = 32;
    static constexpr number zero = 0;
    static __device__ void ready(uint32*, int) {}
    static __device__ void add(int32& c0, int32& c1, int32& c2, int32& c3, const uint32* a, const uint32* b) {
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+r"(c0), "+r"(c1), "+r"(c2), "+r"(c3) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};
// Sums wrap, so their order makes no difference.
template <int K, class L>
static __device__ __forceinline__ void multiply_int8(fragment<int32, L>& sum, const int8* x, const int8* y) {
#if __CUDA_ARCH__ >= 800
    multiply_warps<step_int8, K>(sum, x, y);
#else
    multiply_each<kept_int8, K>(sum, x, y);
#endif
}

//@ qd.multiply_tf32 needs qd.multiply_warps qd.multiply_each
struct step_tf32 {
    typedef float32 number;
    static constexpr int depth = 8;
    static constexpr number zero = -0.0f;
    static __device__ void ready(uint32* bits, int n) {
#pragma unroll
        for (int i = 0; i < n; i++) {
            float32 x;
            memcpy(&x, &bits[i], 4);
            // Of a NaN the sum has all bits, so that those remain which cvt does not drop.
            asm("add.f32 %0, %1, %2;" : "=f"(x) : "f"(x), "f"(-0.0f));
            asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits[i]) : "f"(x));
        }
    }
    static __device__ void add(float32& c0, float32& c1, float32& c2, float32& c3, const uint32* a, const uint32* b) {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
};
// The numbers are rounded, and the products are added in the order that the tensor cores have for it.
template <int K, class L>
static __device__ __forceinline__ void multiply_tf32(fragment<float32, L>& sum, const float32* x, const float32* y) {
#if __CUDA_ARCH__ >= 800
    multiply_warps<step_tf32, K>(sum, x, y);
#else
    multiply_each<kept_tf32, K>(sum, x, y);
#endif
}
