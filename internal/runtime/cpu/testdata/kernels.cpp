// Kernels in the shape of emitted modules. With -fopenmp there are also
// omp_NAME, which run the same functions on OpenMP's threads, to compare schedulers.

typedef signed char int8;
typedef int int32;
typedef long long int64;
typedef unsigned long long uint64;

template <class T> struct slice {
	T *data;
	int64 len;
};

// empty does nothing: what is measured is the launch.
struct empty_args {
	int64 dim[4];
};
extern "C" void empty(const empty_args *, int64, int64) {}

// count adds one to the element of each thread: every thread must run once.
struct count_args {
	int64 dim[4];
	slice<int8> seen;
};
extern "C" void count(const count_args *args, int64 begin, int64 end) {
	for (int64 i = begin; i < end; i++) {
		args->seen.data[i]++;
	}
}

// spans records each call's begin and end, and takes time in proportion.
struct spans_args {
	int64 dim[4];
	slice<int64> spans;
	slice<int64> used;
	int64 turns; // of a loop, for each thread
};
extern "C" void spans(const spans_args *args, int64 begin, int64 end) {
	int64 at = __atomic_fetch_add(args->used.data, 2, __ATOMIC_RELAXED);
	if (at + 2 <= args->spans.len) {
		args->spans.data[at] = begin;
		args->spans.data[at + 1] = end;
	}
	for (volatile int64 i = 0; i < (end - begin) * args->turns; i = i + 1) {
	}
}

// meet waits in each thread until another one runs at the same time, and gives up after a
// number of milliseconds; it counts those inside and those that have met.
extern "C" int usleep(unsigned);
struct meet_args {
	int64 dim[4];
	slice<int64> counts; // inside, met
	int64 milliseconds;
};
extern "C" void meet(const meet_args *args, int64 begin, int64 end) {
	int64 *inside = args->counts.data, *met = inside + 1;
	for (int64 i = begin; i < end; i++) {
		if (__atomic_add_fetch(inside, 1, __ATOMIC_SEQ_CST) > 1) {
			__atomic_fetch_add(met, 1, __ATOMIC_SEQ_CST);
		}
		for (int64 n = 0; n < args->milliseconds && !__atomic_load_n(met, __ATOMIC_SEQ_CST); n++) {
			usleep(1000);
		}
		__atomic_fetch_sub(inside, 1, __ATOMIC_SEQ_CST);
	}
}

struct saxpy_args {
	int64 dim[4];
	float a;
	slice<float> x, y;
};
static inline void saxpy_body(const saxpy_args &args, int64 i) {
	args.y.data[i] += args.a * args.x.data[i];
}
extern "C" void saxpy(const saxpy_args *p, int64 begin, int64 end) {
	saxpy_args args = *p;
#pragma clang loop vectorize(assume_safety)
	for (int64 i = begin; i < end; i++) {
		saxpy_body(args, i);
	}
}

// stencil is one step of the heat equation, over the inner cells.
struct stencil_args {
	int64 dim[4];
	slice<float> in, out;
};
static inline void stencil_body(const stencil_args &args, int64 i, int64 j) {
	int64 w = args.dim[1];
	if (i == 0 || j == 0 || i == args.dim[0] - 1 || j == w - 1) {
		return;
	}
	const float *in = args.in.data;
	int64 c = i * w + j;
	args.out.data[c] = in[c] + 0.2f * (in[c - 1] + in[c + 1] + in[c - w] + in[c + w] - 4.0f * in[c]);
}
extern "C" void stencil(const stencil_args *p, int64 begin, int64 end) {
	stencil_args args = *p;
	int64 w = args.dim[1];
	for (int64 at = begin; at < end;) {
		int64 i = at / w;
		int64 j0 = at - i * w;
		int64 j1 = end - i * w < w ? end - i * w : w;
#pragma clang loop vectorize(assume_safety)
		for (int64 j = j0; j < j1; j++) {
			stencil_body(args, i, j);
		}
		at = i * w + j1;
	}
}

// mandel counts iterations: threads of very uneven cost.
struct mandel_args {
	int64 dim[4];
	slice<int32> out;
	int32 limit;
};
static inline void mandel_body(const mandel_args &args, int64 i, int64 j) {
	double cx = -2.0 + 3.0 * double(j) / double(args.dim[1]);
	double cy = -1.5 + 3.0 * double(i) / double(args.dim[0]);
	double x = 0, y = 0;
	int32 n = 0;
	while (n < args.limit && x * x + y * y <= 4) {
		double t = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = t;
		n++;
	}
	args.out.data[i * args.dim[1] + j] = n;
}
extern "C" void mandel(const mandel_args *p, int64 begin, int64 end) {
	mandel_args args = *p;
	for (int64 at = begin; at < end; at++) {
		mandel_body(args, at / args.dim[1], at % args.dim[1]);
	}
}

#ifdef _OPENMP
#include <omp.h>

// even gives each OpenMP thread one part of the index space, as schedule(static)
// does; rows gives out single rows as schedule(dynamic) does.
template <class A> static void even(void (*kernel)(const A *, int64, int64), const A &args) {
	int64 n = args.dim[0] * args.dim[1];
#pragma omp parallel
	{
		int64 t = omp_get_thread_num(), of = omp_get_num_threads();
		kernel(&args, n * t / of, n * (t + 1) / of);
	}
}

template <class A> static void rows(void (*kernel)(const A *, int64, int64), const A &args) {
	int64 w = args.dim[1];
#pragma omp parallel for schedule(dynamic)
	for (int64 i = 0; i < args.dim[0]; i++) {
		kernel(&args, i * w, (i + 1) * w);
	}
}

extern "C" void omp_saxpy(const saxpy_args *args, int64, int64) { even(saxpy, *args); }
extern "C" void omp_stencil(const stencil_args *args, int64, int64) { even(stencil, *args); }
extern "C" void omp_mandel(const mandel_args *args, int64, int64) { rows(mandel, *args); }
#endif
