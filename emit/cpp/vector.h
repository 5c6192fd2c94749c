//@ vec.splat
// Vectors have the threads of a row in their lanes. A mask has -1 in a lane where it holds, else 0.
template <class V, class T> $inline V splat(T x) {
    V v;
    for (uint64 i = 0; i < sizeof(V) / sizeof(T); i++) v[i] = x;
    return v;
}

//@ vec.iota
// 0, 1, 2 and so on.
template <class V, int lanes> $inline V iota() {
    V v;
    for (int i = 0; i < lanes; i++) v[i] = i;
    return v;
}

//@ vec.select
// The lanes of a where the mask holds, else those of b.
template <class M, class V> $inline V select(M m, V a, V b) {
    return __builtin_convertvector(m, decltype(a == a)) ? a : b;
}

//@ vec.any
// Whether a mask holds in any lane.
template <class M> $inline bool any(M m) {
    int32 all = 0;
    for (uint64 i = 0; i < sizeof(M) / sizeof(int32); i++) all |= m[i];
    return all != 0;
}

//@ vec.all
// Whether a mask holds in all lanes.
template <class M> $inline bool all(M m) {
    int32 all = -1;
    for (uint64 i = 0; i < sizeof(M) / sizeof(int32); i++) all &= m[i];
    return all != 0;
}

//@ vec.load
// Reads numbers that lie next to each other; with a mask those of its lanes, and 0 for the others.
template <class V, class T> $inline V load(const T* p) {
    V v;
    __builtin_memcpy(&v, p, sizeof(V));
    return v;
}

//@ vec.load_if needs vec.load vec.all
template <class V, class T, class M> $inline V load(const T* p, M m) {
    if (all(m)) return load<V>(p);
    V v = {};
    for (uint64 i = 0; i < sizeof(V) / sizeof(T); i++) {
        if (m[i]) v[i] = p[i];
    }
    return v;
}

//@ vec.load_bools
// The same of bools, which become a mask.
template <class M> $inline M load_bools(const bool* p) {
    M v;
    for (uint64 i = 0; i < sizeof(M) / sizeof(int32); i++) v[i] = -int32(p[i]);
    return v;
}

//@ vec.load_bools_if
template <class M> $inline M load_bools(const bool* p, M m) {
    M v = {};
    for (uint64 i = 0; i < sizeof(M) / sizeof(int32); i++) {
        if (m[i]) v[i] = -int32(p[i]);
    }
    return v;
}

//@ vec.store
// Writes numbers, or bools, that lie next to each other; with a mask those of its lanes only.
template <class T, class V> $inline void store(T* p, V v) {
    if constexpr (sizeof(v[0]) == sizeof(T)) {
        __builtin_memcpy(p, &v, sizeof(V));
    } else {
        for (uint64 i = 0; i < sizeof(V) / sizeof(v[0]); i++) p[i] = v[i];
    }
}

//@ vec.store_if needs vec.store vec.all
template <class T, class V, class M> $inline void store(T* p, V v, M m) {
    if (all(m)) return store(p, v);
    for (uint64 i = 0; i < sizeof(M) / sizeof(int32); i++) {
        if (m[i]) p[i] = v[i];
    }
}

//@ vec.at
// What lies so many bytes times an index from p.
template <int64 by, class T> $inline T& at(T* p, int64 index) { return *(T*)((char*)p + index * by); }

//@ vec.gather needs vec.at
// Reads numbers that lie anywhere: so many bytes times an index from p.
template <class V, int64 by, class T, class I> $inline V gather(T* p, I index) {
    V v;
    for (uint64 i = 0; i < sizeof(I) / sizeof(int64); i++) v[i] = at<by>(p, index[i]);
    return v;
}

//@ vec.gather_if needs vec.at
template <class V, int64 by, class T, class I, class M> $inline V gather(T* p, I index, M m) {
    V v = {};
    for (uint64 i = 0; i < sizeof(I) / sizeof(int64); i++) {
        if (m[i]) v[i] = at<by>(p, index[i]);
    }
    return v;
}

//@ vec.gather_bools needs vec.at
template <class M, int64 by, class I> $inline M gather_bools(bool* p, I index) {
    M v;
    for (uint64 i = 0; i < sizeof(I) / sizeof(int64); i++) v[i] = -int32(at<by>(p, index[i]));
    return v;
}

//@ vec.gather_bools_if needs vec.at
template <class M, int64 by, class I> $inline M gather_bools(bool* p, I index, M m) {
    M v = {};
    for (uint64 i = 0; i < sizeof(I) / sizeof(int64); i++) {
        if (m[i]) v[i] = -int32(at<by>(p, index[i]));
    }
    return v;
}

//@ vec.scatter needs vec.at
// Writes numbers, or bools, that lie anywhere, one lane after the other.
template <int64 by, class T, class I, class V> $inline void scatter(T* p, I index, V v) {
    for (uint64 i = 0; i < sizeof(I) / sizeof(int64); i++) at<by>(p, index[i]) = v[i];
}

//@ vec.scatter_if needs vec.at
template <int64 by, class T, class I, class V, class M> $inline void scatter(T* p, I index, V v, M m) {
    for (uint64 i = 0; i < sizeof(I) / sizeof(int64); i++) {
        if (m[i]) at<by>(p, index[i]) = v[i];
    }
}

//@ vec.each
// What has no vectors, lane by lane.
template <class R, int lanes, class F, class... V> $inline R each(F f, V... v) {
    R r;
    for (int i = 0; i < lanes; i++) r[i] = f(v[i]...);
    return r;
}

//@ vec.min
template <class V> $inline V min(V a, V b) { return b < a ? b : a; }
//@ vec.max
template <class V> $inline V max(V a, V b) { return a < b ? b : a; }

//@ vec.fmin
// A NaN wins; -0 is less than 0, which only their bits tell apart.
template <class V> $inline V fmin(V a, V b) {
    typedef decltype(a == b) bits;
    return a < b ? a : (b < a ? b : (a == b ? (V)((bits)a | (bits)b) : a + b));
}

//@ vec.fmax
// A NaN wins; 0 is greater than -0, which only their bits tell apart.
template <class V> $inline V fmax(V a, V b) {
    typedef decltype(a == b) bits;
    return a > b ? a : (b > a ? b : (a == b ? (V)((bits)a & (bits)b) : a + b));
}
