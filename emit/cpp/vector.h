//@ vec.splat
// A number in all lanes, each of which runs a thread. A mask has -1 in a lane where it holds, else 0.
template <class V, class T> $inline V splat(T x) {
    decltype(V{} == V{}) bits = {};
    auto word = bits[0];
    __builtin_memcpy(&word, &x, sizeof(x));
    return (V)(bits | word);
}

//@ vec.lanes
// The lanes of a vector, for loops over them: those of a long one in memory, as compilers do not unroll such loops.
template <class V> struct memory {
    __typeof__(V{}[0]) x[sizeof(V) / sizeof(V{}[0])];
    memory() {}
    memory(V v) { __builtin_memcpy(x, &v, sizeof(V)); }
    operator V() const {
        V v;
        __builtin_memcpy(&v, x, sizeof(V));
        return v;
    }
    auto& operator[](uint64 i) { return x[i]; }
};
template <class V, bool is_long> struct lanes_of { using type = V; };
template <class V> struct lanes_of<V, true> { using type = memory<V>; };
template <class V> using lanes = typename lanes_of<V, (sizeof(V) / sizeof(V{}[0]) > 16)>::type;

//@ vec.stored needs vec.lanes
// A vector in memory, for a loop over its lanes with so much in it that compilers do not unroll it. They would write the whole
// vector to memory for each lane. What stands for a vector stays as it is: see row and same.
template <class V> $inline memory<V> stored(V v) { return v; }

//@ vec.iota needs vec.lanes
// 0, 1, 2 and so on.
template <class V, int n> $inline V iota() {
    lanes<V> v;
    for (int i = 0; i < n; i++) v[i] = i;
    return v;
}

//@ vec.select
// The lanes of a where the mask holds, else those of b.
template <class M, class V> $inline V select(M m, V a, V b) {
    return __builtin_convertvector(m, decltype(a == a)) ? a : b;
}

//@ vec.extract
// Lanes of a vector that follow each other.
template <class V, int from, class U> $inline V extract(U u) {
    V v;
    __builtin_memcpy(&v, (const char*)&u + from * sizeof(u[0]), sizeof(V));
    return v;
}

//@ vec.concat
// Vectors behind each other, as one.
template <class V, class... U> $inline V concat(U... us) {
    V v;
    auto to = (char*)&v;
    ((__builtin_memcpy(to, &us, sizeof(us)), to += sizeof(us)), ...);
    return v;
}

//@ vec.any
// Whether a mask holds in any lane. Where processors have registers for masks, a comparison puts it there.
template <class M> $inline bool any(M m) {
#if __has_builtin(__builtin_reduce_or)
#ifdef __AVX512F__
    m = m != 0;
#endif
    return __builtin_reduce_or(m) != 0;
#else
    int32 some = 0;
    for (uint64 i = 0; i < sizeof(M) / sizeof(int32); i++) some |= m[i];
    return some != 0;
#endif
}

//@ vec.all needs vec.any
// Whether a mask holds in all lanes.
template <class M> $inline bool all(M m) { return !any(~m); }

//@ vec.load
// Reads numbers that lie next to each other; with a mask those of its lanes, and 0 for the others.
template <class V, class T> $inline V load(const T* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof(V));
    return v;
}

//@ vec.load_if needs vec.load vec.all vec.lanes vec.masked
// What asks each lane is long, and out of line.
template <class V, class T, class M> static __attribute__((noinline)) V load_some(const T* p, M mask) {
    lanes<V> v = V{};
    lanes<M> m = mask;
    for (uint64 i = 0; i < sizeof(V) / sizeof(T); i++) {
        if (m[i]) v[i] = p[i];
    }
    return v;
}
template <class V, class T, class M> $inline V load(const T* p, M mask) {
    if (all(mask)) return load<V>(p);
    if constexpr (has_masks<sizeof(T)>) return (V)read_masked(p, __builtin_convertvector(mask, integers<V>));
    else return load_some<V>(p, mask);
}

//@ vec.load_bools
// The same of bools, which become a mask.
template <class M> $inline M load_bools(const bool* p) {
    uint8 __attribute__((vector_size(sizeof(M) / sizeof(int32)))) v;
    __builtin_memcpy(&v, p, sizeof(v));
    return -__builtin_convertvector(v, M);
}

//@ vec.load_bools_if needs vec.load_if
template <class M> $inline M load_bools(const bool* p, M mask) {
    return -__builtin_convertvector(load<vector<char, sizeof(M) / sizeof(int32)>>((const char*)p, mask), M);
}

//@ vec.store
// Writes numbers, or bools, that lie next to each other; with a mask those of its lanes only.
template <class T, class V> $inline void store(T* p, V v) {
    if constexpr (sizeof(v[0]) == sizeof(T)) {
        __builtin_memcpy(p, &v, sizeof(V));
    } else {
        using bytes = uint8 __attribute__((vector_size(sizeof(V) / sizeof(v[0]))));
        store((uint8*)p, __builtin_convertvector(-v, bytes));
    }
}

//@ vec.store_if needs vec.store vec.all vec.lanes vec.masked
template <class T, class V, class M> static __attribute__((noinline)) void store_some(T* p, V value, M mask) {
    lanes<V> v = value;
    lanes<M> m = mask;
    for (uint64 i = 0; i < sizeof(M) / sizeof(int32); i++) {
        if (m[i]) p[i] = v[i];
    }
}
template <class T, class V, class M> $inline void store(T* p, V value, M mask) {
    if constexpr (sizeof(value[0]) != sizeof(T)) { // bools, which are bytes in memory
        store((char*)p, __builtin_convertvector(-value, vector<char, sizeof(V) / sizeof(value[0])>), mask);
    } else if constexpr (has_masks<sizeof(T)>) {
        if (all(mask)) store(p, value);
        else write_masked(p, (integers<V>)value, __builtin_convertvector(mask, integers<V>));
    } else {
        return all(mask) ? store(p, value) : store_some(p, value, mask);
    }
}

//@ vec.prefetch
// Asks for elements that will be read soon, which may be outside the slice. They come to the second cache: those of
// several iterations are too many for the first one.
template <int64 n, class T> $inline void prefetch(slice<T> s, int64 i) {
    const uint64 first = uint64(s.data) + uint64(i) * sizeof(T);
    for (uint64 k = 0; k < n * sizeof(T); k += 64) __builtin_prefetch((const void*)(first + k), 0, 2);
}

//@ vec.at
// What lies so many bytes times an index from p.
template <int64 by, class T> $inline T& at(T* p, int64 index) { return *(T*)((char*)p + index * by); }

//@ vec.load_strided needs vec.load vec.lanes
// Reads numbers, each stride times so many bytes behind the one before. Rows have the stride 1, and are loaded whole. Other
// numbers go through memory one by one, so that the code for them does not slow that for rows.
template <class V, int64 by, class T> $inline V load_strided(const T* p, int64 stride) {
    if (by == sizeof(T) && __builtin_expect(stride == 1, 1)) return load<V>(p);
    memory<V> v;
    uint64 from = uint64(p);
#pragma clang loop unroll_count(4) vectorize(disable)
    for (uint64 i = 0; i < sizeof(V) / sizeof(T); i++, from += by * stride) v[i] = *(const T*)from;
    return v;
}

//@ vec.load_strided_if needs vec.load_if vec.at vec.lanes
template <class V, int64 by, class T, class M> static __attribute__((noinline)) V load_strided_some(const T* p, int64 stride, M mask) {
    lanes<V> v = V{};
    lanes<M> m = mask;
    for (uint64 i = 0; i < sizeof(V) / sizeof(T); i++) {
        if (m[i]) v[i] = at<by>(p, i * stride);
    }
    return v;
}
template <class V, int64 by, class T, class M> $inline V load_strided(const T* p, int64 stride, M mask) {
    return by == sizeof(T) && stride == 1 ? load<V>(p, mask) : load_strided_some<V, by>(p, stride, mask);
}

//@ vec.store_strided needs vec.store vec.lanes
// Writes such numbers, one lane after the other.
template <int64 by, class T, class V> $inline void store_strided(T* p, int64 stride, V value) {
    if (by == sizeof(T) && __builtin_expect(stride == 1, 1)) return store(p, value);
    memory<V> v = value;
    uint64 to = uint64(p);
#pragma clang loop unroll_count(4) vectorize(disable)
    for (uint64 i = 0; i < sizeof(V) / sizeof(T); i++, to += by * stride) *(T*)to = v[i];
}

//@ vec.store_strided_if needs vec.store_if vec.at vec.lanes
template <int64 by, class T, class V, class M> static __attribute__((noinline)) void store_strided_some(T* p, int64 stride, V value, M mask) {
    lanes<V> v = value;
    lanes<M> m = mask;
    for (uint64 i = 0; i < sizeof(V) / sizeof(T); i++) {
        if (m[i]) at<by>(p, i * stride) = v[i];
    }
}
template <int64 by, class T, class V, class M> $inline void store_strided(T* p, int64 stride, V value, M mask) {
    return by == sizeof(T) && stride == 1 ? store(p, value, mask) : store_strided_some<by>(p, stride, value, mask);
}

//@ vec.gather needs vec.at vec.lanes
// Reads numbers that lie anywhere: so many bytes times an index from p.
template <class V, int64 by, class T, class I> $inline V gather(T* p, I index) {
    lanes<V> v;
    lanes<I> n = index;
    for (uint64 i = 0; i < sizeof(I) / sizeof(index[0]); i++) v[i] = at<by>(p, n[i]);
    return v;
}

//@ vec.gather_if needs vec.at vec.lanes vec.anywhere
template <class V, int64 by, class T, class I, class M> static __attribute__((noinline)) V gather_some(T* p, I index, M mask) {
    lanes<V> v = V{};
    lanes<I> n = index;
    lanes<M> m = mask;
    for (uint64 i = 0; i < sizeof(I) / sizeof(index[0]); i++) {
        if (m[i]) v[i] = at<by>(p, n[i]);
    }
    return v;
}
template <class V, int64 by, class T, class I, class M> $inline V gather(T* p, I index, M mask) {
    if constexpr (reads_anywhere<sizeof(T), M>) return read_anywhere<by, V>(p, index, mask);
    else if constexpr (sizeof(T) == 1 && reads_anywhere<4, M>) return __builtin_convertvector(read_bytes<by>(p, index, mask), V);
    else return gather_some<V, by>(p, index, mask);
}

//@ vec.gather_bools needs vec.at vec.lanes
template <class M, int64 by, class I> $inline M gather_bools(bool* p, I index) {
    lanes<M> v;
    lanes<I> n = index;
    for (uint64 i = 0; i < sizeof(I) / sizeof(index[0]); i++) v[i] = -int32(at<by>(p, n[i]));
    return v;
}

//@ vec.gather_bools_if needs vec.at vec.lanes vec.anywhere
template <class M, int64 by, class I> static __attribute__((noinline)) M gather_bools_some(bool* p, I index, M mask) {
    lanes<M> v = M{}, m = mask;
    lanes<I> n = index;
    for (uint64 i = 0; i < sizeof(I) / sizeof(index[0]); i++) {
        if (m[i]) v[i] = -int32(at<by>(p, n[i]));
    }
    return v;
}
template <class M, int64 by, class I> $inline M gather_bools(bool* p, I index, M mask) {
    if constexpr (reads_anywhere<4, M>) return -read_bytes<by>(p, index, mask);
    else return gather_bools_some<M, by>(p, index, mask);
}

//@ vec.scatter needs vec.at vec.lanes
// Writes numbers, or bools, that lie anywhere, one lane after the other.
template <int64 by, class T, class I, class V> $inline void scatter(T* p, I index, V value) {
    lanes<I> n = index;
    lanes<V> v = value;
    for (uint64 i = 0; i < sizeof(I) / sizeof(index[0]); i++) at<by>(p, n[i]) = v[i];
}

//@ vec.scatter_if needs vec.at vec.lanes vec.anywhere
template <int64 by, class T, class I, class V, class M> static __attribute__((noinline)) void scatter_some(T* p, I index, V value, M mask) {
    lanes<I> n = index;
    lanes<V> v = value;
    lanes<M> m = mask;
    for (uint64 i = 0; i < sizeof(I) / sizeof(index[0]); i++) {
        if (m[i]) at<by>(p, n[i]) = v[i];
    }
}
template <int64 by, class T, class I, class V, class M> $inline void scatter(T* p, I index, V value, M mask) {
    if constexpr (writes_anywhere<sizeof(T), M>) write_anywhere<by>(p, index, value, mask);
    else scatter_some<by>(p, index, value, mask);
}

//@ vec.same
// A number that is the same in all lanes.
template <class T> struct same {
    T x;
    T operator[](uint64) const { return x; }
};
template <class T> $inline same<T> stored(same<T> s) { return s; }

//@ vec.row
// Numbers that lie next to each other: a lane reads its own when it is asked for.
template <class T> struct row {
    const T* p;
    T operator[](uint64 i) const { return p[i]; }
};
template <class T> $inline row<T> stored(row<T> r) { return r; }

//@ vec.atomic needs vec.at vec.stored
// An atomic operation on what lies anywhere, one lane after the other, which gives what was there before.
template <class R, int64 by, class F, class T, class I, class... V> $inline R atomic(F f, T* p, I index, V... values) {
    memory<R> old;
    auto n = stored(index);
    auto run = [&](auto... v) {
        for (uint64 i = 0; i < sizeof(R) / sizeof(R{}[0]); i++) old[i] = f(&at<by>(p, n[i]), v[i]...);
    };
    run(stored(values)...);
    return old;
}

//@ vec.atomic_if needs vec.at vec.stored
template <class R, int64 by, class F, class T, class I, class M, class... V> static __attribute__((noinline)) R atomic(F f, M mask, T* p, I index, V... values) {
    memory<R> old = R{};
    auto n = stored(index);
    auto m = stored(mask);
    auto run = [&](auto... v) {
        for (uint64 i = 0; i < sizeof(R) / sizeof(R{}[0]); i++) {
            if (m[i]) old[i] = f(&at<by>(p, n[i]), v[i]...);
        }
    };
    run(stored(values)...);
    return old;
}

//@ vec.add needs vec.at vec.stored vec.load vec.store
// An addition to what lies anywhere, one lane after the other: by a function of one of them if others may add at the same time. What
// lies next to each other is added at once.
template <int64 by, class F, class T, class I, class V> $inline void add(F f, T* p, I index, V value, bool alone) {
    constexpr uint64 count = sizeof(I) / sizeof(index[0]);
    auto n = stored(index);
    if constexpr (by == sizeof(T) && sizeof(V) == count * sizeof(T)) {
        bool row = alone;
        for (uint64 i = 1; i < count; i++) row &= n[i] == n[0] + int64(i);
        if (row) {
            T* const first = &at<by>(p, n[0]);
            return store(first, load<V>(first) + value);
        }
    }
    auto v = stored(value);
    for (uint64 i = 0; i < count; i++) {
        if (alone) at<by>(p, n[i]) += v[i];
        else f(&at<by>(p, n[i]), v[i]);
    }
}

//@ vec.add_if needs vec.at vec.stored
template <int64 by, class F, class T, class I, class M, class V> static __attribute__((noinline)) void add(F f, M mask, T* p, I index, V value, bool alone) {
    auto n = stored(index);
    auto v = stored(value);
    auto m = stored(mask);
    for (uint64 i = 0; i < sizeof(I) / sizeof(index[0]); i++) {
        if (!m[i]) continue;
        if (alone) at<by>(p, n[i]) += v[i];
        else f(&at<by>(p, n[i]), v[i]);
    }
}

//@ vec.reduce
// What a function makes of all lanes: of the lower half and the upper half, and so on.
template <class V, class F> $inline auto reduce(V values, F f) {
    using T = __typeof__(V{}[0]);
    if constexpr (sizeof(V) == sizeof(T)) {
        return values[0];
    } else if constexpr (sizeof(V) == 2 * sizeof(T)) {
        return f(values[0], values[1]);
    } else {
        using half = T __attribute__((vector_size(sizeof(V) / 2)));
        half low, high;
        __builtin_memcpy(&low, &values, sizeof(half));
        __builtin_memcpy(&high, (const char*)&values + sizeof(half), sizeof(half));
        return reduce(f(low, high), f);
    }
}

//@ vec.each needs vec.lanes
// What has no vectors, lane by lane.
template <class R, int n, class F, class... V> $inline R each(F f, V... values) {
    lanes<R> r;
    auto run = [&](auto... v) {
        for (int i = 0; i < n; i++) r[i] = f(v[i]...);
    };
    run(lanes<V>(values)...);
    return r;
}

//@ vec.to_int32 needs vec.select
// Integers of floats. What an int32 cannot hold gives the smallest one, as on amd64.
template <class R, class V> $inline R to_int32(V x) {
    const V least = V{} - 2147483648.0f;
    return __builtin_convertvector(select(x >= least & x < -least, x, least), R);
}

//@ vec.to_int64 needs vec.select
// What an int64 cannot hold gives the smallest one, as on amd64.
template <class R, class V> $inline R to_int64(V x) {
    const V least = V{} - 9223372036854775808.0f;
    return __builtin_convertvector(select(x >= least & x < -least, x, least), R);
}

//@ vec.to_uint64 needs vec.to_int64
// What neither a uint64 nor an int64 can hold gives 1 << 63, as on amd64.
template <class R, class V> $inline R to_uint64(V x) {
    using ints = long long __attribute__((vector_size(sizeof(R))));
    const V limit = V{} + 9223372036854775808.0f;
    // One bit more than an int64 has for the number is the highest one.
    const auto large = x >= limit & x < 2 * limit;
    return (R)to_int64<ints>(select(large, x - limit, x)) ^ ((R)__builtin_convertvector(large, ints) << 63);
}

//@ vec.min
template <class V> $inline V min(V a, V b) { return b < a ? b : a; }
//@ vec.max
template <class V> $inline V max(V a, V b) { return a < b ? b : a; }

//@ vec.fmin
// Two instructions of x86 give x and y, which differ for 0 and -0 alone if there is no NaN.
// A NaN wins; -0 is less than 0, which only their bits tell apart.
template <class V> $inline V fmin(V a, V b) {
    typedef decltype(a == b) bits;
    const V x = a < b ? a : b, y = b < a ? b : a;
    return ((a != a) | (b != b)) ? a + b : (V)((bits)x | (bits)y);
}

//@ vec.fmax
// A NaN wins; 0 is greater than -0, which only their bits tell apart.
template <class V> $inline V fmax(V a, V b) {
    typedef decltype(a == b) bits;
    const V x = a > b ? a : b, y = b > a ? b : a;
    return ((a != a) | (b != b)) ? a + b : (V)((bits)x & (bits)y);
}
