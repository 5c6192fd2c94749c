//@ elementary.power_of_two needs elementary.types
// y * 2^k, rounded once, for k from -2100 to 2046. The word has k in two's complement.
template <class D> $inline D times_power(D y, words<D> k) {
    const words<D> half = ((k + 4096) >> 1) - 2048;
    return y * of_bits<D>((half + 1023) << 52) * of_bits<D>((k - half + 1023) << 52);
}

//@ elementary.rounded needs elementary.types
// The integer nearest to x, for |x| < 2^51, and as a word in two's complement, of which as many bits as there are.
template <class D> struct rounding { D whole; words<D> word; };
template <class D> $inline rounding<D> rounded(D x) {
    const D t = x + 0x1.8p52;
    return {t - 0x1.8p52, bits(t) - 0x4338000000000000u};
}

//@ elementary.exp_reduced needs elementary.sum elementary.rounded elementary.polynomial
// e^(hi+lo) is 2^k * (1 + s). Tang, "Table-driven implementation of the exponential function" (1989), without the table.
template <class D> struct power { words<D> k; sum<D> s; };
template <class D> $inline power<D> exp_reduced(D hi, D lo) {
    const rounding<D> k = rounded(hi * 0x1.71547652b82fep+0);
    const sum<D> r = exact_sum(hi - k.whole * 0x1.62e42fee00000p-1, lo - k.whole * 0x1.a39ef35793c76p-33);
    const D x = r.hi;
    const D q = polynomial(x, 0x1.5555555555555p-3, 0x1.5555555555556p-5, 0x1.1111111111111p-7, 0x1.6c16c16c162a3p-10, 0x1.a01a01a019b10p-13,
        0x1.a01a01a6f35fbp-16, 0x1.71de3a59136fep-19, 0x1.27e4db0f8a3efp-22, 0x1.ae6433ef79a14p-26, 0x1.1f73b376c0f55p-29, 0x1.61b373437eeb3p-33);
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

//@ elementary.expm1 needs elementary.expm1_sum elementary.exp elementary.magnitude
template <class D> $inline D expm1(D x) {
    const D y = expm1_sum(pick<D>(x > 700, 700, pick<D>(x < -700, -700, x))).hi;
    return pick<D>(magnitude(x) < 0x1p-54, x, pick<D>(x > 700, exp(x), y));
}
