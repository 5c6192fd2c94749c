//@ elementary.power_32 needs elementary.types32 elementary.mul_add.float32 elementary.mul_add_lanes
// Exp, Exp2 and Log are those of package internal/single, operation by operation: see there for what they do. V is float32, or a vector
// of float32 numbers. Choices and constants are expressions: compilers take longer for calls. Products in mul_add are exact, so that the
// result does not depend on whether a processor has it.
//
// e^r for r up to log(2)/2 in size.
template <class V> $inline V power_32(V r) {
    const V r2 = r * r;
    const V high = 0x1.6a2434p-10f * r + 0x1.1239e2p-7f;
    const V low = 0x1.5558f2p-5f * r + 0x1.555492p-3f;
    const V q = (high * r2 + low) * r + 0x1.fffffcp-2f;
    return q * r2 + r + 1;
}

//@ elementary.scaled_32 needs elementary.types32
// p * 2^k, rounded once, where t is k + shift.
template <class V> $inline V scaled_32(V p, V t) {
    const words32<V> bits = bits32(t), half = bits >> 1;
    return p * of_bits32<V>(half << 23) * of_bits32<V>((bits - half) << 23);
}

//@ elementary.within_32 needs elementary.types32
template <class V> $inline V within_32(V x, float32 least, float32 most) {
    const V low = x < least ? least - V{} : x;
    return low > most ? most - V{} : low;
}

//@ elementary.exp_32 needs elementary.power_32 elementary.scaled_32 elementary.within_32
template <class V> $inline V Exp(V x) {
    const V v = within_32(x, -104, 89), shift = 0x1.8p23f + 254 - V{};
    const V t = v * 0x1.715476p+0f + shift, k = t - shift;
    const V r = mul_add(k, -0x1.62e4p-1f - V{}, v);
    return scaled_32(power_32(mul_add(k, -0x1.7f7ep-20f - V{}, r)), t);
}

//@ elementary.exp2_32 needs elementary.power_32 elementary.scaled_32 elementary.within_32
template <class V> $inline V Exp2(V x) {
    const V v = within_32(x, -151, 129), shift = 0x1.8p23f + 254 - V{};
    const V t = v + shift;
    return scaled_32(power_32((v - (t - shift)) * 0x1.62e43p-1f), t);
}

//@ elementary.log_32 needs elementary.types32 elementary.mul_add.float32 elementary.mul_add_lanes
template <class V> $inline V Log(V x) {
    const auto small = x < 0x1p-126f;
    const V y = small ? x * 0x1p23f : x;
    const words32<V> bits = bits32(y) + (0x3f800000u - 0x3f3504f3u);
    const V k = of_bits32<V>((bits >> 23) | 0x4b000000u) - (small ? 0x1p23f + 150 - V{} : 0x1p23f + 127 - V{});
    const V f = of_bits32<V>((bits & 0x7fffffu) + 0x3f3504f3u) - 1;

    const V f2 = f * f;
    const V a = -0x1.000226p-2f * f + 0x1.555554p-2f, b = -0x1.547244p-3f * f + 0x1.99a008p-3f;
    const V c = -0x1.0d8546p-3f * f + 0x1.22da1ap-3f, d = -0x1.38b5a6p-4f * f + 0x1.055b84p-3f;
    const V p = (d * f2 + c) * (f2 * f2) + (b * f2 + a);
    const V rest = f2 * (f * p - 0.5f);

    const V high = mul_add(k, 0x1.62e4p-1f - V{}, f), low = f - mul_add(k, -0x1.62e4p-1f - V{}, high);
    const V sum = high + (low + mul_add(k, 0x1.7f7ep-20f - V{}, rest));
    const V inf = of_bits32<V>(words32<V>{} + 0x7f800000u), nan = of_bits32<V>(words32<V>{} + 0x7fc00000u);
    return x > 0 ? x < inf ? sum : x : x == 0 ? -inf : nan;
}
