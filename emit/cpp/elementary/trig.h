//@ elementary.large_angles needs elementary.types
// Each x less the nearest multiple of pi/2, and that multiple, where |x| >= 2^20: Payne and Hanek, "Radian reduction for
// trigonometric functions" (1983), in integers. Large angles are rare: they are computed one after the other, in one
// function without optimization, which takes compilers little time.
[[clang::optnone, gnu::noinline, gnu::cold]] $inline void large_angles(const float64* x, float64* hi, float64* lo, uint64* quadrant, uint64 n) {
    static const uint64 two_over_pi[] = {
        0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
        0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
        0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
        0x56033046fc7b6bab, 0xf0cfbc209af4361d};
    typedef unsigned __int128 uint128;
    for (uint64 i = 0; i < n; i++) {
        if (!(x[i] * x[i] > 0x1p40 && x[i] - x[i] == 0)) continue; // not large, or infinite
        const uint64 u = ((const uint64*)x)[i], m = (u & 0x000fffffffffffffu) | 0x0010000000000000u;
        // The bits of 2/pi from that on which gives four turns.
        const uint64 from = (u >> 52 & 0x7ff) - 1013, shift = from % 64;
        uint64 w[3];
        for (uint64 k = 0; k < 3; k++) w[k] = two_over_pi[from / 64 + k] << shift | two_over_pi[from / 64 + k + 1] >> 1 >> (63 - shift);
        // The multiple is in the first two bits of the product, and 126 bits are behind the point. No float64 is closer to a multiple of pi/2 than 2^-61.
        const uint128 p = (uint128(m * w[0]) << 64) + uint128(m) * w[1] + uint64(uint128(m) * w[2] >> 64);
        const bool less = p >> 125 & 1; // than the nearest multiple
        const uint128 r = less ? -(p << 2) : p << 2;
        // Times pi/2: in units of 2^-127, and then with its first bit in front.
        const uint64 r1 = r >> 64, r0 = r, pi1 = 0xc90fdaa22168c234, pi0 = 0xc4c6628b80dc1cd1;
        uint128 y = uint128(r1) * pi1 + uint64(uint128(r1) * pi0 >> 64) + uint64(uint128(r0) * pi1 >> 64);
        const int zeros = __builtin_clzll(uint64(y >> 64));
        y <<= zeros;
        const float64 unit = (less == (x[i] < 0) ? 1.0 : -1.0) / float64(uint64(1) << zeros);
        const float64 a = float64(int64(y >> 75)) * 0x1p-52 * unit, b = float64(int64(y >> 12 & 0x7fffffffffffffffu)) * 0x1p-115 * unit;
        hi[i] = a + b;
        lo[i] = b - (hi[i] - a);
        const uint64 nearest = (uint64(p >> 125) + 1) >> 1;
        quadrant[i] = x[i] < 0 ? -nearest : nearest;
    }
}

//@ elementary.with_large needs elementary.large_angles elementary.sum elementary.magnitude
// x less the nearest multiple of pi/2, and that multiple.
template <class D> struct reduction { sum<D> r; words<D> quadrant; };

template <class M> $inline bool any(M m) {
    if constexpr (sizeof(M) == sizeof(bool)) {
        return m;
    } else {
#if __has_builtin(__builtin_reduce_or)
        return __builtin_reduce_or(m) != 0;
#else
        uint64 all = 0;
        for (uint64 i = 0; i < sizeof(M) / sizeof(uint64); i++) all |= m[i];
        return all != 0;
#endif
    }
}
// The reduction of x, which a is where x is not large.
template <class D> $inline reduction<D> with_large(reduction<D> a, D x) {
    if (!__builtin_expect(any(magnitude(x) > 0x1p20), false)) return a;
    reduction<D> b = a;
    large_angles((float64*)&x, (float64*)&b.r.hi, (float64*)&b.r.lo, (uint64*)&b.quadrant, sizeof(D) / sizeof(float64));
    return b;
}

//@ elementary.reduced needs elementary.with_large elementary.rounded
// Up to 2^20, pi/2 is taken in three parts: the products with the first two are exact (Cody and Waite, "Software Manual
// for the Elementary Functions", 1980).
template <class D> $inline reduction<D> reduced(D x) {
    const rounding<D> k = rounded(x * 0x1.45f306dc9c883p-1);
    const D t = x - k.whole * 0x1.921fb54400000p+0;
    const sum<D> a = exact_sum(t, k.whole * -0x1.0b4611a600000p-34), b = exact_sum(a.hi, k.whole * -0x1.3198a2e037073p-69);
    return with_large(reduction<D>{ordered_sum(b.hi, b.lo + a.lo), k.word}, x);
}

//@ elementary.sin_part needs elementary.sum elementary.polynomial
// The sine of an angle up to pi/4, as a sum.
template <class D> $inline sum<D> sin_part(sum<D> r) {
    const D x = r.hi, z = x * x;
    const D p = polynomial(z, -0x1.ab179e14267cdp-41, 0x1.61217eaffbfdbp-33, -0x1.ae64541251e39p-26, 0x1.71de3a5460533p-19, -0x1.a01a01a019936p-13,
        0x1.1111111111110p-7, -0x1.5555555555555p-3);
    return ordered_sum(x, z * x * p + (r.lo - 0.5 * z * r.lo));
}

//@ elementary.cos_part needs elementary.sum elementary.polynomial
// The cosine of an angle up to pi/4, as a sum.
template <class D> $inline sum<D> cos_part(sum<D> r) {
    const D x = r.hi, z = x * x, half = 0.5 * z;
    const D p = polynomial(z, 0x1.ab782b04de8dep-45, -0x1.9394b9bb6e16dp-37, 0x1.1eed8deb644b7p-29, -0x1.27e4fb7712b8cp-22, 0x1.a01a01a019d09p-16,
        -0x1.6c16c16c16c16p-10, 0x1.5555555555555p-5);
    const D one = 1 - half;
    return ordered_sum(one, ((1 - one) - half) + (z * z * p - x * r.lo));
}

//@ elementary.quarter needs elementary.types
// The sine of an angle that is as many quarters of a turn further.
template <class D> $inline D quarter(D sin, D cos, words<D> quadrant) {
    const D y = pick<D>((quadrant & 1) == 0, sin, cos);
    return __builtin_bit_cast(D, __builtin_bit_cast(words<D>, y) ^ (quadrant & 2) << 62);
}

//@ elementary.sin needs elementary.reduced elementary.sin_part elementary.cos_part elementary.quarter
template <class D> $inline D sin(D x) {
    const reduction<D> a = reduced(x);
    return pick<D>(magnitude(x) < 0x1p-27, x, quarter(sin_part(a.r).hi, cos_part(a.r).hi, a.quadrant));
}

//@ elementary.cos needs elementary.reduced elementary.sin_part elementary.cos_part elementary.quarter
template <class D> $inline D cos(D x) {
    const reduction<D> a = reduced(x);
    return quarter(sin_part(a.r).hi, cos_part(a.r).hi, a.quadrant + 1);
}

//@ elementary.tan needs elementary.reduced elementary.sin_part elementary.cos_part elementary.quarter elementary.ratio
template <class D> $inline D tan(D x) {
    const reduction<D> a = reduced(x);
    const sum<D> s = sin_part(a.r);
    sum<D> c = cos_part(a.r);
    c.lo -= 0.5 * product(a.r.hi, a.r.hi).lo; // of the square in it
    const mask<D> even = (a.quadrant & 1) == 0;
    const sum<D> q = ratio(sum<D>{pick<D>(even, s.hi, -c.hi), pick<D>(even, s.lo, -c.lo)}, sum<D>{pick<D>(even, c.hi, s.hi), pick<D>(even, c.lo, s.lo)});
    return pick<D>(magnitude(x) < 0x1p-27, x, q.hi + q.lo);
}
