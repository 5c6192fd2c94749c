//@ elementary.large_angle needs elementary.product
// x less the nearest multiple of pi/2, and that multiple, for |x| >= 2^20: Payne and Hanek, "Radian reduction for
// trigonometric functions" (1983). Of the product of x and 2/pi are taken the two bits before the point, and 190 after
// it: no float64 is so close to a multiple of pi/2 that these would not do.
struct angle { float64 hi, lo; uint64 quadrant; };
[[gnu::noinline]] $inline angle large_angle(float64 x) {
    static const uint64 two_over_pi[] = {
        0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
        0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
        0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
        0x56033046fc7b6bab, 0xf0cfbc209af4361d};
    typedef unsigned __int128 uint128;
    const uint64 u = bits(x), m = (u & 0x000fffffffffffffu) | 0x0010000000000000u;
    const int64 e = int64(u >> 52 & 0x7ff) - 1075;
    // The bits from that of weight 2^(1-e) on, of which the first word has the 64 before the point.
    const uint64 from = uint64(62 + e), word = from / 64, shift = from % 64;
    uint64 w[3];
    for (int i = 0; i < 3; i++) {
        w[i] = two_over_pi[word + i] << shift | (shift > 0 ? two_over_pi[word + i + 1] >> (64 - shift) : 0);
    }
    const uint128 p = (uint128(m * w[0]) << 64) + uint128(m) * w[1] + uint64(uint128(m) * w[2] >> 64);
    uint128 f = p << 2;
    uint64 quadrant = uint64(p >> 126);
    const bool above = f >> 127 != 0;
    if (above) {
        f = -f;
        quadrant++;
    }
    const int zeros = uint64(f >> 64) != 0 ? __builtin_clzll(uint64(f >> 64)) : 64 + __builtin_clzll(uint64(f) | 1);
    f <<= zeros;
    const float64 scale = of_bits<float64>(uint64(1023 - zeros) << 52);
    const float64 hi = float64(uint64(f >> 75)) * 0x1p-53 * scale, lo = float64(uint64(f >> 22) & 0x001fffffffffffffu) * 0x1p-106 * scale;
    sum<float64> r = product(hi, 0x1.921fb54442d18p+0);
    r = ordered_sum(r.hi, r.lo + (hi * 0x1.1a62633145c07p-54 + lo * 0x1.921fb54442d18p+0));
    if (above != (x < 0)) return {-r.hi, -r.lo, x < 0 ? -quadrant : quadrant};
    return {r.hi, r.lo, x < 0 ? -quadrant : quadrant};
}

//@ elementary.put needs elementary.large_angle
// x less the nearest multiple of pi/2, and that multiple.
template <class D> struct reduction { sum<D> r; words<D> quadrant; };

$inline bool any(bool m) { return m; }
template <class M> $inline bool any(M m) {
    uint64 all = 0;
    for (uint64 i = 0; i < sizeof(M) / sizeof(uint64); i++) all |= m[i];
    return all != 0;
}
$inline void put(reduction<float64>& r, float64 x, bool) {
    const angle a = large_angle(x);
    r = {{a.hi, a.lo}, a.quadrant};
}
template <class D, class M> $inline void put(reduction<D>& r, D x, M m) {
    for (uint64 i = 0; i < sizeof(D) / sizeof(float64); i++) {
        if (!m[i]) continue;
        const angle a = large_angle(x[i]);
        r.r.hi[i] = a.hi;
        r.r.lo[i] = a.lo;
        r.quadrant[i] = a.quadrant;
    }
}

//@ elementary.reduced needs elementary.put elementary.rounded elementary.magnitude
// Up to 2^20, pi/2 is taken in three parts: the products with the first two are exact (Cody and Waite, "Software Manual
// for the Elementary Functions", 1980).
template <class D> $inline reduction<D> reduced(D x) {
    const rounding<D> k = rounded(x * 0x1.45f306dc9c883p-1);
    const D t = x - k.whole * 0x1.921fb54400000p+0;
    const sum<D> a = exact_sum(t, k.whole * -0x1.0b4611a600000p-34), b = exact_sum(a.hi, k.whole * -0x1.3198a2e037073p-69);
    reduction<D> r = {ordered_sum(b.hi, b.lo + a.lo), k.word};
    const D size = magnitude(x);
    const mask<D> large = (size > 0x1p20) & (size < of_bits<D>(words<D>{} + 0x7ff0000000000000u));
    if (__builtin_expect(any(large), false)) put(r, x, large);
    return r;
}

//@ elementary.sin_part needs elementary.sum elementary.polynomial
// The sine of an angle up to pi/4, as a sum.
template <class D> $inline sum<D> sin_part(sum<D> r) {
    const D x = r.hi, z = x * x;
    const D p = polynomial(z, -0x1.5555555555555p-3, 0x1.1111111111110p-7, -0x1.a01a01a019936p-13, 0x1.71de3a5460533p-19, -0x1.ae64541251e39p-26,
        0x1.61217eaffbfdbp-33, -0x1.ab179e14267cdp-41);
    return ordered_sum(x, z * x * p + (r.lo - 0.5 * z * r.lo));
}

//@ elementary.cos_part needs elementary.sum elementary.polynomial
// The cosine of an angle up to pi/4, as a sum.
template <class D> $inline sum<D> cos_part(sum<D> r) {
    const D x = r.hi, z = x * x, half = 0.5 * z;
    const D p = polynomial(z, 0x1.5555555555555p-5, -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d09p-16, -0x1.27e4fb7712b8cp-22, 0x1.1eed8deb644b7p-29,
        -0x1.9394b9bb6e16dp-37, 0x1.ab782b04de8dep-45);
    const D one = 1 - half;
    return ordered_sum(one, ((1 - one) - half) + (z * z * p - x * r.lo));
}

//@ elementary.quarter needs elementary.types
// The sine of an angle that is as many quarters of a turn further.
template <class D> $inline D quarter(D sin, D cos, words<D> quadrant) {
    const D y = pick<D>((quadrant & 1) == 0, sin, cos);
    return of_bits<D>(bits(y) ^ (quadrant & 2) << 62);
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
