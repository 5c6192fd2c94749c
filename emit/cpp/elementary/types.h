//@ elementary.bit_cast
// Compilers take less time for it than for a function, which they would optimize before and after its calls.
#if !defined(__clang__) && __GNUC__ < 11
template <class To, class From> $inline To bit_cast(From x) {
    To y;
    __builtin_memcpy(&y, &x, sizeof(To));
    return y;
}
#define __builtin_bit_cast(T, ...) elementary::bit_cast<T>(__VA_ARGS__)
#endif

//@ elementary.types needs elementary.bit_cast
// D is float64, or a vector of float64 numbers. Each lane computes what a number alone does, without branches that
// change a result, and with no operation but those that IEEE 754 fixes: the result is the same on every processor.
template <class D> struct word { typedef uint64 type __attribute__((vector_size(sizeof(D)))); };
template <> struct word<float64> { typedef uint64 type; };
template <class D> using words = typename word<D>::type;

// What a comparison gives: a bool, or a mask.
template <class D> using mask = decltype(D{} < D{});

// c in all lanes, -0 included.
template <class D> $inline D all(float64 c) { return c - D{}; }
template <class D, class A> struct as { $inline D of(A a) { return all<D>(a); } };
template <class D> struct as<D, D> { $inline D of(D a) { return a; } };
// a where m holds, b elsewhere.
template <class D, class A, class B> $inline D pick(mask<D> m, A a, B b) { return m ? as<D, A>::of(a) : as<D, B>::of(b); }

//@ elementary.mul_add.F
// One operation where the processor has it.
$inline $T mul_add($T x, $T y, $T z) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fma$f(x, y, z);
#else
    return x * y + z;
#endif
}

//@ elementary.mul_add_lanes needs elementary.types
// The same for vectors, whose users need it for numbers too. clang finds the operation in an expression, if told so here, and takes less time than for a loop over the lanes.
template <class D> $inline D mul_add(D x, D y, D z) {
#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
    return x * y + z;
#elif defined(__clang__)
#pragma clang fp contract(on)
    return x * y + z;
#else
    D v;
    for (uint64 i = 0; i < sizeof(v) / sizeof(v[0]); i++) v[i] = mul_add(x[i], y[i], z[i]);
    return v;
#endif
}

//@ elementary.magnitude needs elementary.types
template <class D> $inline D magnitude(D x) { return __builtin_bit_cast(D, __builtin_bit_cast(words<D>, x) & 0x7fffffffffffffffu); }

//@ elementary.with_sign needs elementary.types
// x, which is not negative, with the sign of s.
template <class D> $inline D with_sign(D x, D s) { return __builtin_bit_cast(D, __builtin_bit_cast(words<D>, x) | (__builtin_bit_cast(words<D>, s) & 0x8000000000000000u)); }

//@ elementary.polynomial needs elementary.types
// The polynomial with these coefficients, the constant last, by Horner's rule.
template <class D, class... C> $inline D polynomial(D x, float64 first, C... more) {
    D p = all<D>(first);
    ((p = more + x * p), ...);
    return p;
}

//@ elementary.sum needs elementary.types
// A number of about twice the precision of float64, as a sum of which lo is what hi has lost. Dekker, "A floating-point
// technique for extending the available precision" (1971); Knuth, "The Art of Computer Programming", volume 2.
template <class D> struct sum { D hi, lo; };

// a + b where a is 0 or not smaller than b in size.
template <class D> $inline sum<D> ordered_sum(D a, D b) {
    const D s = a + b;
    return {s, b - (s - a)};
}
template <class D> $inline sum<D> exact_sum(D a, D b) {
    const D s = a + b, of_b = s - a;
    return {s, (a - (s - of_b)) + (b - of_b)};
}

//@ elementary.product needs elementary.sum
// The upper 26 bits of a number.
template <class D> $inline D upper(D x) {
    const D t = x * 0x1.000002p27;
    return t - (t - x);
}
// a * b, exactly where nothing overflows or underflows.
template <class D> $inline sum<D> product(D a, D b) {
    const D p = a * b;
    const D a1 = upper(a), b1 = upper(b), a2 = a - a1, b2 = b - b1;
    return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

//@ elementary.ratio needs elementary.product
// a / b of sums.
template <class D> $inline sum<D> ratio(sum<D> a, sum<D> b) {
    const D q = a.hi / b.hi;
    const sum<D> p = product(q, b.hi);
    return {q, (((a.hi - p.hi) - p.lo) + a.lo - q * b.lo) / b.hi};
}

//@ elementary.lanes needs elementary.types
// Vectors of float32 become vectors of float64, and back.
template <class V> constexpr bool is_single = sizeof((*(V*)nullptr)[0]) == sizeof(float32);
template <class V> struct twice { typedef float64 type __attribute__((vector_size(2 * sizeof(V)))); };
template <class V> $inline typename twice<V>::type widened(V x) { return __builtin_convertvector(x, typename twice<V>::type); }
template <class V, class D> $inline V narrowed(D x) { return __builtin_convertvector(x, V); }

//@ elementary.one_lane needs elementary.lanes
// The same for a number.
template <> struct twice<float32> { typedef float64 type; };
$inline float64 widened(float32 x) { return x; }
template <> inline float32 narrowed<float32>(float64 x) { return float32(x); }

//@ elementary.types32 needs elementary.bit_cast
// V is float32, or a vector of float32 numbers.
template <class V> struct word32 { typedef uint32 type __attribute__((vector_size(sizeof(V)))); };
template <> struct word32<float32> { typedef uint32 type; };
template <class V> using words32 = typename word32<V>::type;
