// Batches of small matrices as a C++ programmer writes them with Eigen and OpenMP. Compiled
// by the same compiler with the same options plus -fopenmp. Matrices are row-major, as
// those beside are.

#include <Eigen/Dense>

namespace {

template <class T, int N> using Mat = Eigen::Matrix<T, N, N, Eigen::RowMajor>;
template <class T, int N> using Vec = Eigen::Matrix<T, N, 1>;

template <class T, int N> void matvec(long n, const Mat<T, N> *m, const Vec<T, N> *v, Vec<T, N> *out) {
#pragma omp parallel for schedule(static) firstprivate(m, v, out)
    for (long i = 0; i < n; i++)
        out[i].noalias() = m[i] * v[i];
}

template <class T> void inverse(long n, const Mat<T, 4> *m, Mat<T, 4> *out) {
#pragma omp parallel for schedule(static) firstprivate(m, out)
    for (long i = 0; i < n; i++)
        out[i] = m[i].inverse();
}

template <class T> void svd(long n, const Mat<T, 3> *m, Mat<T, 3> *u, Mat<T, 3> *v, Vec<T, 3> *s) {
#pragma omp parallel for schedule(static) firstprivate(m, u, v, s)
    for (long i = 0; i < n; i++) {
        const Eigen::JacobiSVD<Mat<T, 3>> f(m[i], Eigen::ComputeFullU | Eigen::ComputeFullV);
        u[i] = f.matrixU();
        s[i] = f.singularValues();
        v[i] = f.matrixV();
    }
}

} // namespace

#define KERNELS(T, NAME)                                                                                                                    \
    extern "C" void matvec3_##NAME(long n, const Mat<T, 3> *m, const Vec<T, 3> *v, Vec<T, 3> *out) { matvec(n, m, v, out); }                \
    extern "C" void matvec4_##NAME(long n, const Mat<T, 4> *m, const Vec<T, 4> *v, Vec<T, 4> *out) { matvec(n, m, v, out); }                \
    extern "C" void inverse4_##NAME(long n, const Mat<T, 4> *m, Mat<T, 4> *out) { inverse(n, m, out); }                                     \
    extern "C" void svd3_##NAME(long n, const Mat<T, 3> *m, Mat<T, 3> *u, Mat<T, 3> *v, Vec<T, 3> *s) { svd(n, m, u, v, s); }

KERNELS(float, float32)
KERNELS(double, float64)
