//@ vec.of
// The numbers in a vector, and vectors with as many lanes of another kind.
template <class V> using number = __typeof__(V{}[0]);
template <class T, class V> struct same_lanes { typedef T type __attribute__((vector_size(sizeof(T) * sizeof(V) / sizeof(number<V>)))); };
template <class T, class V> using of = typename same_lanes<T, V>::type;
template <int size> struct unsigned_of { using type = uint8; };
template <> struct unsigned_of<2> { using type = uint16; };
template <> struct unsigned_of<4> { using type = uint32; };
template <> struct unsigned_of<8> { using type = uint64; };
template <class V> using unsigned_lanes = of<typename unsigned_of<sizeof(number<V>)>::type, V>;

//@ vec.inside needs vec.of
// The lanes of V in which a shift leaves bits of the number: its count is not negative, and below the width.
template <class V, class N> $inline V inside(N count) {
    const number<N> past = number<N>(~(8 * sizeof(number<V>) - 1));
    return V(__builtin_convertvector((count & past) == 0, decltype(V{} == V{})));
}
// The counts of these lanes.
template <class V, class N> $inline V counts(N count) {
    return __builtin_convertvector(count & number<N>(8 * sizeof(number<V>) - 1), V);
}

//@ vec.shl needs vec.inside
// A shift by a count in each lane; one past the width shifts everything out.
template <class V, class N> $inline V shl(V x, N count) {
    using U = unsigned_lanes<V>;
    return V(U(x) << counts<U>(count)) & inside<V>(count);
}

//@ vec.shr needs vec.inside
// The same to the right; a count past the width leaves the sign, or 0.
template <class V, class N> $inline V shr(V x, N count) {
    using T = number<V>;
    const V in = inside<V>(count);
    if constexpr (T(-1) < T(1)) return x >> (counts<V>(count) | (~in & T(8 * sizeof(T) - 1)));
    else return x >> counts<V>(count) & in;
}

//@ bits.OnesCount needs vec.of
// The number of bits in each lane. Compilers know this way to count, and have an instruction for it.
template <class V> $inline V OnesCount(V x) {
    using T = vec::number<V>;
    const T all = T(~T(0));
    x -= (x >> 1) & T(all / 3);
    x = (x & T(all / 15 * 3)) + ((x >> 2) & T(all / 15 * 3));
    x = (x + (x >> 4)) & T(all / 255 * 15);
    return sizeof(T) == 1 ? x : (x * T(all / 255)) >> T(8 * (sizeof(T) - 1));
}

//@ bits.Len needs bits.OnesCount
// The number of bits without leading zeros.
template <class V> $inline V Len(V x) {
    for (int n = 1; n < int(8 * sizeof(vec::number<V>)); n *= 2) x |= x >> vec::number<V>(n);
    return OnesCount(x);
}

//@ bits.TrailingZeros needs bits.OnesCount
// The type's width for 0.
template <class V> $inline V TrailingZeros(V x) { return OnesCount(~x & (x - 1)); }

//@ bits.ReverseBytes needs vec.of
template <class V> $inline V ReverseBytes(V x) {
    using T = vec::number<V>;
    const T all = T(~T(0));
    if constexpr (sizeof(T) > 1) x = (x >> 8 & T(all / 65535 * 255)) | (x & T(all / 65535 * 255)) << 8;
    if constexpr (sizeof(T) > 2) x = (x >> 16 & T(all / 0xffffffff * 65535)) | (x & T(all / 0xffffffff * 65535)) << 16;
    if constexpr (sizeof(T) > 4) x = x >> 32 | x << 32;
    return x;
}

//@ bits.Reverse needs bits.ReverseBytes
// The bits in the opposite order.
template <class V> $inline V Reverse(V x) {
    using T = vec::number<V>;
    const T all = T(~T(0));
    x = (x >> 1 & T(all / 3)) | (x & T(all / 3)) << 1;
    x = (x >> 2 & T(all / 15 * 3)) | (x & T(all / 15 * 3)) << 2;
    x = (x >> 4 & T(all / 255 * 15)) | (x & T(all / 255 * 15)) << 4;
    return ReverseBytes(x);
}

//@ bits.Mul
// The product in each lane: the upper half, and the lower one. Processors multiply vectors of 32 bits to such of 64.
template <class V> $inline pair<V, V> Mul(V x, V y) {
    const uint64 low = 0xffffffff;
    const V a = (x & low) * (y & low);
    const V b = (x >> 32) * (y & low) + (a >> 32);
    const V c = (x & low) * (y >> 32) + (b & low);
    return {(x >> 32) * (y >> 32) + (b >> 32) + (c >> 32), c << 32 | (a & low)};
}

//@ vec.ratio needs vec.of vec.any vec.lanes
// The quotient of integers in lanes, by numbers that are neither 0 nor -1. Processors divide vectors of floats. float32 has all
// integers up to 2^24, and float64 up to 2^53. The quotient of such integers is rounded to the nearest float. That is never an
// integer above the exact quotient, because there is a float between the two.
template <bool is_small> struct exact { using type = float64; };
template <> struct exact<true> { using type = float32; };
template <class V> static __attribute__((noinline)) V ratio_of_each(V a, V b) {
    memory<V> q, x = a, y = b;
    for (uint64 i = 0; i < sizeof(V) / sizeof(number<V>); i++) q[i] = x[i] / y[i];
    return q;
}
template <class V> $inline V ratio(V a, V b) {
    using T = number<V>;
    if constexpr (sizeof(T) < 8) {
        using F = of<typename exact<(sizeof(T) < 4)>::type, V>;
        return __builtin_convertvector(__builtin_convertvector(a, F) / __builtin_convertvector(b, F), V);
    } else {
        // Each lane for itself, if an integer has more than 51 bits.
        using F = of<float64, V>;
        const V high = T(-1) < T(1) ? (a ^ a >> 63) | (b ^ b >> 63) : a | b;
        if (__builtin_expect(any(__builtin_convertvector(high >> 51 != 0, of<int32, V>)), 0)) return ratio_of_each(a, b);
#if defined(__AVX512DQ__) || defined(__aarch64__)
        return __builtin_convertvector(__builtin_convertvector(a, F) / __builtin_convertvector(b, F), V);
#else
        // Others have no instruction that converts them. The bits of 1.5 * 2^52 + n are n more than those of 1.5 * 2^52.
        const float64 base = 0x1.8p52;
        const V bits = V(F{} + base);
        const F q = (F(a + bits) - base) / (F(b + bits) - base);
        F whole = (q + base) - base; // the nearest
        whole -= F(V(F{} + 1) & V(q > 0 & whole > q)) - F(V(F{} + 1) & V(q < 0 & whole < q));
        return V(whole + base) - bits;
#endif
    }
}
// The lanes in which a divisor is 0 or -1; the divisor that is 1 in these lanes.
template <class V> $inline V no_divisor(V b) {
    using T = number<V>;
    return T(-1) < T(1) ? V(b == 0) | V(b == T(-1)) : V(b == 0);
}
template <class V> $inline V divisor(V b) {
    const V none = no_divisor(b);
    return (b & ~none) - none;
}

//@ vec.div needs vec.ratio
// Integer division: 0 where Go panics, and the smallest integer over -1 is itself.
template <class V> $inline V div(V a, V b) {
    using T = number<V>;
    const V q = ratio(a, divisor(b)) & ~V(b == 0);
    if constexpr (T(-1) < T(1)) {
        const V minus = V(b == T(-1));
        return (q ^ minus) - minus;
    } else {
        return q;
    }
}

//@ vec.rem needs vec.ratio
// The remainder of a division; 0 where Go panics.
template <class V> $inline V rem(V a, V b) { return (a - ratio(a, divisor(b)) * b) & ~no_divisor(b); }
