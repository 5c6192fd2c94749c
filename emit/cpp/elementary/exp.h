//@ elementary.power_of_two needs elementary.types
// y * 2^k, rounded once, for k from -2100 to 2046. The word has k in two's complement.
template <class D> $inline D times_power(D y, words<D> k) {
    const words<D> half = ((k + 4096) >> 1) - 2048;
    return y * __builtin_bit_cast(D, (half + 1023) << 52) * __builtin_bit_cast(D, (k - half + 1023) << 52);
}

//@ elementary.rounded needs elementary.types
// The integer nearest to x, for |x| < 2^51, and as a word in two's complement, of which as many bits as there are.
template <class D> struct rounding { D whole; words<D> word; };
template <class D> $inline rounding<D> rounded(D x) {
    const D t = x + 0x1.8p52;
    return {t - 0x1.8p52, __builtin_bit_cast(words<D>, t) - 0x4338000000000000u};
}

//@ elementary.exp_reduced needs elementary.sum elementary.rounded elementary.polynomial
// e^(hi+lo) is 2^k * (1 + s). Tang, "Table-driven implementation of the exponential function" (1989), without the table.
template <class D> struct power { words<D> k; sum<D> s; };
template <class D> $inline power<D> exp_reduced(D hi, D lo) {
    const rounding<D> k = rounded(hi * 0x1.71547652b82fep+0);
    const sum<D> r = exact_sum(hi - k.whole * 0x1.62e42fee00000p-1, lo - k.whole * 0x1.a39ef35793c76p-33);
    const D x = r.hi;
    const D q = polynomial(x, 0x1.61b373437eeb3p-33, 0x1.1f73b376c0f55p-29, 0x1.ae6433ef79a14p-26, 0x1.27e4db0f8a3efp-22, 0x1.71de3a59136fep-19,
        0x1.a01a01a6f35fbp-16, 0x1.a01a01a019b10p-13, 0x1.6c16c16c162a3p-10, 0x1.1111111111111p-7, 0x1.5555555555556p-5, 0x1.5555555555555p-3);
    const D x2 = x * x;
    return {k.word, ordered_sum(x, 0.5 * x2 + (x2 * x * q + (r.lo + r.lo * x)))};
}

//@ elementary.exp_made needs elementary.exp_reduced
// 1 + s.
template <class D> $inline D exp_made(sum<D> s) {
    const sum<D> one = ordered_sum(all<D>(1), s.hi);
    return one.hi + (one.lo + s.lo);
}

//@ elementary.exp_of_sum needs elementary.exp_made elementary.exp_reduced elementary.power_of_two
// e^(hi+lo), where lo is small.
template <class D> $inline D exp_of_sum(D hi, D lo) {
    const D x = pick<D>(hi > 710, 710, pick<D>(hi < -746, -746, hi));
    const power<D> p = exp_reduced(x, pick<D>(x == hi, lo, 0.0));
    return times_power(exp_made(p.s), p.k);
}

//@ elementary.exp needs elementary.exp_of_sum
template <class D> $inline D exp(D x) { return exp_of_sum(x, D{}); }

//@ elementary.exp2 needs elementary.exp_made elementary.power_of_two elementary.product
template <class D> $inline D exp2(D v) {
    const D x = pick<D>(v > 1025, 1025, pick<D>(v < -1080, -1080, v));
    const rounding<D> k = rounded(x);
    const sum<D> r = product(x - k.whole, all<D>(0x1.62e42fefa39efp-1));
    const power<D> p = exp_reduced(r.hi, r.lo + (x - k.whole) * 0x1.abc9e3b39803fp-56);
    return times_power(exp_made(p.s), k.word + p.k);
}

//@ elementary.expm1_sum needs elementary.exp_reduced elementary.power_of_two
// e^x - 1 for x from -800 to 709.
template <class D> $inline sum<D> expm1_sum(D x) {
    const power<D> p = exp_reduced(x, D{});
    const D scale = times_power(all<D>(1), p.k);
    const sum<D> a = exact_sum(scale, all<D>(-1)), b = exact_sum(a.hi, scale * p.s.hi);
    return ordered_sum(b.hi, b.lo + (a.lo + scale * p.s.lo));
}

//@ elementary.expm1 needs elementary.rounded elementary.power_of_two elementary.magnitude
// FreeBSD's s_expm1.c without its branches. The operations are those of Go, in its order, so that the result is, to the bit.
template <class D> $inline D expm1(D v) {
    const D inf = __builtin_bit_cast(D, words<D>{} + 0x7ff0000000000000u);
    const D size = magnitude(v), x = pick<D>(v > 710, 710, pick<D>(v < -60, -60, v));
    // v is t*log(2) and a rest, r+c.
    const D n = 1.44269504088896338700e+00 * magnitude(x) + 0.5, nearest = rounded(n).whole;
    const D whole = pick<D>(size <= 3.46573590279972654709e-01, 0.0,
        pick<D>(size < 1.03972077083991796413e+00, 1.0, nearest - pick<D>(nearest > n, 1.0, all<D>(0))));
    const D t = pick<D>(v < 0, -whole, whole), hi = x - t * 6.93147180369123816490e-01, lo = t * 1.90821492927058770002e-10;
    const D r = hi - lo, c = (hi - r) - lo;

    const D half = 0.5 * r, s = r * half;
    const D r1 = 1 + s * (-3.33333333333331316428e-02 + s * (1.58730158725481460165e-03 + s * (-7.93650757867487942473e-05
        + s * (4.00821782732936239552e-06 + s * -2.01099218183624371326e-07))));
    const D u = 3 - r1 * half, e0 = s * ((r1 - u) / (6 - r * u)), e = (r * (e0 - c) - c) - s;

    const words<D> k = rounded(t).word;
    const D inverse = __builtin_bit_cast(D, (1023 - k) << 52);
    const D above = pick<D>(t < 20, (1 - inverse) - (e - r), (r - (e + inverse)) + 1);
    const mask<D> far = (t < -1) | (t > 56);
    const D scaled = times_power(pick<D>(far, 1 - (e - r), above), k);
    const D one = pick<D>(r < -0.25, -2 * (e - (r + 0.5)), 1 + 2 * (r - e));
    const D y = pick<D>(t == 0, r - (r * e0 - s), pick<D>(t == -1, 0.5 * (r - e) - 0.5, pick<D>(t == 1, one, pick<D>(far, scaled - 1, scaled))));
    return pick<D>(size < 0x1p-54, v, pick<D>(v <= -3.88162421113569373274e+01, -1.0, pick<D>(v >= 7.09782712893383973096e+02, inf, pick<D>(v == v, y, v))));
}
