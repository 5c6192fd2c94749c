//@ elementary.exp_part_single needs elementary.rounded elementary.polynomial
// Functions whose name ends in _single give float64 numbers that are right to about 43 bits, of float32 numbers: rounded
// to float32 they are nearly always the nearest.
//
// e^x is 2^k * (1 + s), for x from -200 to 200.
template <class D> struct power_single { D scale, s; };
template <class D> $inline power_single<D> exp_part_single(D x) {
    const rounding<D> k = rounded(x * 0x1.71547652b82fep+0);
    const D r = x - k.whole * 0x1.62e42fefa39efp-1;
    const D s = r + r * r * polynomial(r, 0x1.72ae56dff8680p-19, 0x1.a138370cd01d3p-16, 0x1.a019c2c71f558p-13, 0x1.6c166afc23344p-10,
        0x1.11111117238bap-7, 0x1.555555660955bp-5, 0x1.5555555554f78p-3, 0x1.fffffffffdfbap-2);
    return {__builtin_bit_cast(D, (k.word + 1023) << 52), s};
}

//@ elementary.exp_of_single needs elementary.exp_part_single
// e^x where x follows from a float32 number.
template <class D> $inline D exp_of_single(D x) {
    const power_single<D> p = exp_part_single(pick<D>(x > 200, 200, pick<D>(x < -200, -200, x)));
    return p.scale + p.scale * p.s;
}

//@ elementary.expm1_single needs elementary.exp_part_single
template <class D> $inline D expm1_single(D x) {
    const power_single<D> p = exp_part_single(pick<D>(x > 200, 200, pick<D>(x < -200, -200, x)));
    return pick<D>(x == 0, x, (p.scale - 1) + p.scale * p.s);
}

//@ elementary.split_single needs elementary.parts
// No float32 number is subnormal in float64.
template <class D> $inline parts<D> split_single(D x) {
    const words<D> u = __builtin_bit_cast(words<D>, x) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
    return {__builtin_bit_cast(D, (u >> 52) | 0x4330000000000000u) - (0x1p52 + 1023), __builtin_bit_cast(D, (u & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu) - 1};
}

//@ elementary.log_part_single needs elementary.types elementary.polynomial
template <class D> $inline D log_part_single(D f) {
    const D s = f / (2 + f), z = s * s;
    return 2 * s + s * z * polynomial(z, 0x1.546d249f36cb2p-3, 0x1.7382a9fa2e7aep-3, 0x1.c71fcdfe2f300p-3, 0x1.249246299fc8ep-2, 0x1.9999999b878d7p-2,
        0x1.55555555553b7p-1);
}

//@ elementary.log2_single needs elementary.split_single elementary.log_part_single elementary.log_special
template <class D> $inline D log2_single(D x) {
    const parts<D> p = split_single(x);
    return log_special(x, p.k + log_part_single(p.f) * 0x1.71547652b82fep+0);
}

//@ elementary.log10_single needs elementary.split_single elementary.log_part_single elementary.log_special
template <class D> $inline D log10_single(D x) {
    const parts<D> p = split_single(x);
    return log_special(x, p.k * 0x1.34413509f79ffp-2 + log_part_single(p.f) * 0x1.bcb7b1526e50ep-2);
}

//@ elementary.log1p_single needs elementary.split_single elementary.log_part_single elementary.log_special elementary.magnitude
// From 2^-29 on, 1+x is exact.
template <class D> $inline D log1p_single(D x) {
    const D u = 1 + x;
    const parts<D> p = split_single(u);
    return pick<D>(magnitude(x) < 0x1p-28, x, log_special(u, p.k * 0x1.62e42fefa39efp-1 + log_part_single(p.f)));
}

//@ elementary.pow_single needs elementary.split_single elementary.log_part_single elementary.exp_of_single elementary.pow_special
template <class D> $inline D pow_single(D x, D y) {
    const parts<D> p = split_single(magnitude(x));
    return pow_special(x, y, exp_of_single(y * (p.k * 0x1.62e42fefa39efp-1 + log_part_single(p.f))));
}

//@ elementary.reduced_single needs elementary.with_large elementary.rounded
template <class D> $inline reduction<D> reduced_single(D x) {
    const rounding<D> k = rounded(x * 0x1.45f306dc9c883p-1);
    const D r = (x - k.whole * 0x1.921fb54400000p+0) - k.whole * 0x1.0b4611a626331p-34;
    return with_large(reduction<D>{{r, D{}}, k.word}, x);
}

//@ elementary.sin_part_single needs elementary.polynomial
template <class D> $inline D sin_part_single(D x) {
    const D z = x * x;
    return x + x * z * polynomial(z, -0x1.aa28147f8571cp-26, 0x1.71d9a96359771p-19, -0x1.a019fd9a76884p-13, 0x1.1111110fd3857p-7,
        -0x1.555555555516ap-3);
}
//@ elementary.cos_part_single needs elementary.polynomial
template <class D> $inline D cos_part_single(D x) {
    const D z = x * x;
    return 1 + z * polynomial(z, 0x1.1c061a0b1bd70p-29, -0x1.27e0f4f9017e3p-22, 0x1.a019fc7a56acfp-16, -0x1.6c16c1691ccdcp-10, 0x1.5555555554130p-5,
        -0x1.ffffffffffffap-2);
}

//@ elementary.sin_single needs elementary.reduced_single elementary.sin_part_single elementary.cos_part_single elementary.quarter
template <class D> $inline D sin_single(D x) {
    const reduction<D> a = reduced_single(x);
    return pick<D>(x == 0, x, quarter(sin_part_single(a.r.hi), cos_part_single(a.r.hi), a.quadrant));
}

//@ elementary.cos_single needs elementary.reduced_single elementary.sin_part_single elementary.cos_part_single elementary.quarter
template <class D> $inline D cos_single(D x) {
    const reduction<D> a = reduced_single(x);
    return quarter(sin_part_single(a.r.hi), cos_part_single(a.r.hi), a.quadrant + 1);
}

//@ elementary.tan_single needs elementary.reduced_single elementary.sin_part_single elementary.cos_part_single
template <class D> $inline D tan_single(D x) {
    const reduction<D> a = reduced_single(x);
    const D s = sin_part_single(a.r.hi), c = cos_part_single(a.r.hi);
    const mask<D> even = (a.quadrant & 1) == 0;
    return pick<D>(x == 0, x, pick<D>(even, s, -c) / pick<D>(even, c, s));
}

//@ elementary.angle_of_single needs elementary.polynomial
// The angle of a point whose smaller coordinate by the larger is x, both without signs: steep if that is its x, left if
// its x is negative.
template <class D> $inline D angle_of_single(D x, mask<D> steep, mask<D> left) {
    const mask<D> small = x < 0.4375, middle = x < 0.6875, turned = steep != left;
    const D c = pick<D>(small, 0.0, pick<D>(middle, 0.5, 1.0));
    const D t = (x - c) / (1 + x * c), z = t * t;
    const D p = polynomial(z, -0x1.9f3fba7c69e67p-6, 0x1.9ce1ff50fac0bp-5, -0x1.0ade546d6e69dp-4, 0x1.3a6828f915009p-4, -0x1.745204cdbc667p-4,
        0x1.c71c0a00af700p-4, -0x1.2492482f5e209p-3, 0x1.99999997d9429p-3, -0x1.5555555555119p-2);
    const D y = pick<D>(small, 0.0, pick<D>(middle, 0x1.dac670561bb4fp-2, all<D>(0x1.921fb54442d18p-1))) + (t + t * z * p);
    return pick<D>(steep, 0x1.921fb54442d18p+0, pick<D>(left, 0x1.921fb54442d18p+1, all<D>(0))) + pick<D>(turned, -y, y);
}

//@ elementary.atan_single needs elementary.angle_of_single elementary.magnitude elementary.with_sign
template <class D> $inline D atan_single(D x) {
    const D size = magnitude(x);
    const mask<D> steep = size > 1;
    return pick<D>(x == x, with_sign(angle_of_single(pick<D>(steep, 1 / size, size), steep, size < 0), x), x);
}

//@ elementary.atan2_single needs elementary.angle_of_single elementary.magnitude elementary.with_sign
template <class D> $inline D atan2_single(D y, D x) {
    const D a = magnitude(y), b = magnitude(x);
    const mask<D> steep = a > b, left = (__builtin_bit_cast(words<D>, x) >> 63) != 0;
    const D num = pick<D>(steep, b, a), den = pick<D>(steep, a, b);
    // Both are 0, or infinite.
    const D q = pick<D>(den == 0, 0.0, pick<D>((num == den), 1.0, num / den));
    return pick<D>(x == x, pick<D>(y == y, with_sign(angle_of_single(q, steep, left), y), y), x);
}

//@ elementary.asin_part_single needs elementary.polynomial
template <class D> $inline D asin_part_single(D x) {
    const D z = x * x;
    return x + x * z * polynomial(z, 0x1.c978fcc588c5bp-6, -0x1.8363bb3872ce4p-9, 0x1.00f1882a7a7bbp-6, 0x1.b0168ed835693p-7, 0x1.1dc3df49368b4p-6,
        0x1.6e72014610f78p-6, 0x1.f1c81d34884c4p-6, 0x1.6db6d8e4a7af9p-5, 0x1.33333335ac6acp-4, 0x1.5555555554efep-3);
}

//@ elementary.asin_single needs elementary.asin_part_single elementary.root elementary.magnitude elementary.with_sign
template <class D> $inline D asin_single(D x) {
    const D size = magnitude(x);
    const mask<D> large = size > 0.5;
    const D y = asin_part_single(pick<D>(large, root(0.5 * (1 - size)), size));
    return with_sign(pick<D>(large, 0x1.921fb54442d18p+0 - 2 * y, y), x);
}

//@ elementary.acos_single needs elementary.asin_part_single elementary.root elementary.magnitude
template <class D> $inline D acos_single(D x) {
    const D size = magnitude(x);
    const mask<D> large = size > 0.5;
    const D y = asin_part_single(pick<D>(large, root(0.5 * (1 - size)), x));
    return pick<D>(large, pick<D>(x < 0, 0x1.921fb54442d18p+1 - 2 * y, 2 * y), 0x1.921fb54442d18p+0 - y);
}

//@ elementary.sinh_single needs elementary.expm1_single elementary.magnitude elementary.with_sign
template <class D> $inline D sinh_single(D x) {
    const D e = expm1_single(magnitude(x));
    return pick<D>(x == x, with_sign(0.5 * (e + e / (e + 1)), x), x);
}

//@ elementary.cosh_single needs elementary.exp_of_single elementary.magnitude
template <class D> $inline D cosh_single(D x) {
    const D e = exp_of_single(magnitude(x));
    return 0.5 * (e + 1 / e);
}

//@ elementary.tanh_single needs elementary.expm1_single elementary.magnitude elementary.with_sign
template <class D> $inline D tanh_single(D x) {
    const D e = expm1_single(2 * magnitude(x));
    return pick<D>(x == x, with_sign(e / (e + 2), x), x);
}

//@ elementary.cbrt_single needs elementary.cbrt_guess elementary.with_sign
template <class D> $inline D cbrt_single(D x) {
    const cube<D> c = cbrt_guess(x);
    const D t = c.t * c.t * c.t;
    return c.special(x, c.t * ((t + 2 * c.m) / (2 * t + c.m)));
}

//@ elementary.hypot_single needs elementary.root elementary.magnitude
// Squares of float32 numbers are exact.
template <class D> $inline D hypot_single(D x, D y) {
    const D inf = __builtin_bit_cast(D, words<D>{} + 0x7ff0000000000000u);
    return pick<D>(magnitude(x) == inf, inf, pick<D>(magnitude(y) == inf, inf, root(x * x + y * y)));
}

//@ elementary.error_single needs elementary.lanes elementary.with_sign
// Clang optimizes a function before it inlines it, and then once more together with its caller. So these two are out of line,
// and spell out exp_part_single and others. One function with both polynomials has too few registers where vectors are short.
//
// erfc(x) for x from 1 to 10.3: e^(-x*x) / (x+1) times a number near 1.
template <class D> [[gnu::noinline]] static D erfc_large_single(D x) {
    const D e = -x * x, nearest = e * 0x1.71547652b82fep+0 + 0x1.8p52, r = e - (nearest - 0x1.8p52) * 0x1.62e42fefa39efp-1;
    const D s = r + r * r * (0x1.fffffffffdfbap-2 + r * (0x1.5555555554f78p-3 + r * (0x1.555555660955bp-5 + r * (0x1.11111117238bap-7 + r * (
        0x1.6c166afc23344p-10 + r * (0x1.a019c2c71f558p-13 + r * (0x1.a138370cd01d3p-16 + r * 0x1.72ae56dff8680p-19)))))));
    const D scale = __builtin_bit_cast(D, (__builtin_bit_cast(words<D>, nearest) - (0x4338000000000000u - 1023)) << 52), t = (x - 3) / (x + 3);
    const D p = 0x1.6e9827d229d10p-1 + t * (-0x1.d8f06dfac6a2dp-3 + t * (0x1.9596c92af1ec3p-4 + t * (-0x1.4f64aa52e7714p-7 + t * (
        -0x1.8600d92bea31bp-6 + t * (0x1.67c18a3bb2f1ap-6 + t * (-0x1.3f82b15228ca6p-7 + t * (
        0x1.a84b9a52ac201p-10 + t * (0x1.5294770387cccp-11 + t * (-0x1.8105d28f21fb1p-12 + t * (
        -0x1.5663ceaaff56bp-16 + t * (0x1.d2660d5bb52c6p-15 + t * (-0x1.041f2e37755e3p-19 + t * (
        -0x1.fe68caae0fcbap-18 + t * 0x1.9be8e4f9af3c8p-21)))))))))))));
    return (scale + scale * s) * p / (x + 1);
}
// erf(x), or its complement.
template <bool complement, class V> [[gnu::noinline]] static V error_single(V v) {
    typedef typename twice<V>::type D;
    const D x = widened(v), z = x * x, size = __builtin_bit_cast(D, __builtin_bit_cast(words<D>, x) & 0x7fffffffffffffffu);
    const D small = x * (0x1.20dd750429b10p+0 + z * (-0x1.812746b025a5bp-2 + z * (0x1.ce2f219710d15p-4 + z * (-0x1.b82ce13e7ab7dp-6 + z * (
        0x1.565b9dae45691p-8 + z * (-0x1.c0282d246ae74p-11 + z * (0x1.f93e28f4fcb99p-14 + z * (
        -0x1.f0524a3caa85fp-17 + z * (0x1.9a592df62603ap-20 + z * -0x1.bfaa70536fe78p-24)))))))));
    const D large = erfc_large_single(size < 1 ? 1 - D{} : size > 10.25 ? 10.25 - D{} : size);
    if constexpr (complement) return narrowed<V>(size < 1 ? 1 - small : x == x ? (x < 0 ? 2 - large : large) : x);
    else return narrowed<V>(size < 1 ? small : x == x ? with_sign(1 - large, x) : x);
}
