//@ vec.parts
// A vector for each number of an element: see load and store below.
template <class V, int n> struct parts {
    V at[n];
};

template <int... i> struct indices {};
template <int n, int... i> struct count : count<n - 1, n - 1, i...> {};
template <int... i> struct count<0, i...> {
    using type = indices<i...>;
};
// 0 to n-1, as what shuffles take lanes for.
template <int n> using first = typename count<n>::type;
template <class V> constexpr int lanes_in = sizeof(V) / sizeof(V{}[0]);

// Numbers that lie next to each other are those of n parts of elements. What holds so many vectors of them becomes a vector
// of each part, or the other way round: by halves, as long as n is even, then vector by vector.
template <int n, int part, int k, class V, int... l> $inline V taken(V a, V b, indices<l...>) {
    constexpr int N = sizeof...(l);
    return __builtin_shufflevector(a, b, ((l * n + part) / N == k ? N + (l * n + part) % N : k == 1 && l * n + part < N ? l * n + part : l)...);
}
template <int n, int line, int k, class V, int... l> $inline V given(V a, V b, indices<l...>) {
    constexpr int N = sizeof...(l);
    return __builtin_shufflevector(a, b, ((line * N + l) % n == k ? N + (line * N + l) / n : k == 1 && (line * N + l) % n == 0 ? (line * N + l) / n : l)...);
}
template <bool apart, int n, int i, int k, class V> $inline V shuffled(const parts<V, n>& v) {
    if constexpr (k == 0) {
        return v.at[0];
    } else if constexpr (apart) {
        return taken<n, i, k>(shuffled<apart, n, i, k - 1>(v), v.at[k], first<lanes_in<V>>{});
    } else {
        return given<n, i, k>(shuffled<apart, n, i, k - 1>(v), v.at[k], first<lanes_in<V>>{});
    }
}
template <bool apart, int n, class V, int... i> $inline parts<V, n> each_shuffled(const parts<V, n>& v, indices<i...>) {
    return {{shuffled<apart, n, i, n - 1>(v)...}};
}
template <class V, int n> $inline parts<V, n> taken_apart(const parts<V, n>& v);
template <class V, int n, int... j> $inline parts<V, n> halves_apart(const parts<V, n>& v, indices<j...>) {
    constexpr first<lanes_in<V>> lanes{};
    const auto even = taken_apart(parts<V, n / 2>{{taken<2, 0, 1>(v.at[2 * j], v.at[2 * j + 1], lanes)...}});
    const auto odd = taken_apart(parts<V, n / 2>{{taken<2, 1, 1>(v.at[2 * j], v.at[2 * j + 1], lanes)...}});
    parts<V, n> r;
    ((r.at[2 * j] = even.at[j], r.at[2 * j + 1] = odd.at[j]), ...);
    return r;
}
template <class V, int n> $inline parts<V, n> taken_apart(const parts<V, n>& v) {
    if constexpr (n % 2 == 0) {
        return halves_apart(v, first<n / 2>{});
    } else {
        return each_shuffled<true>(v, first<n>{});
    }
}
template <class V, int n> $inline parts<V, n> put_together(const parts<V, n>& v);
template <class V, int n, int... j> $inline parts<V, n> halves_together(const parts<V, n>& v, indices<j...>) {
    constexpr first<lanes_in<V>> lanes{};
    const auto even = put_together(parts<V, n / 2>{{v.at[2 * j]...}}), odd = put_together(parts<V, n / 2>{{v.at[2 * j + 1]...}});
    parts<V, n> r;
    ((r.at[2 * j] = given<2, 0, 1>(even.at[j], odd.at[j], lanes), r.at[2 * j + 1] = given<2, 1, 1>(even.at[j], odd.at[j], lanes)), ...);
    return r;
}
template <class V, int n> $inline parts<V, n> put_together(const parts<V, n>& v) {
    if constexpr (n % 2 == 0) {
        return halves_together(v, first<n / 2>{});
    } else {
        return each_shuffled<false>(v, first<n>{});
    }
}

// Otherwise R numbers of an element, a run, are moved at once: as many as fit so many bytes. A load puts vectors together from runs
// of 16 bytes by itself. A store takes vectors apart by shuffles, of which longer runs need fewer.
// Anywhere is such a run in memory, where it begins where any number may, and may be a part of a struct.
template <class T, int n> struct numbers {
    typedef T type __attribute__((vector_size(n * sizeof(T))));
    typedef T anywhere __attribute__((vector_size(n * sizeof(T)), aligned(sizeof(T)), may_alias));
};
template <class V, int n, int bytes> constexpr int run() {
    int r = 1;
    while (2 * r <= n && 2 * r <= lanes_in<V> && 2 * r * sizeof(V{}[0]) <= bytes) r *= 2;
    return r;
}

// Whether shuffles of lines are what to do with elements that lie next to each other: where processors have shuffles of any lanes
// of two vectors, registers hold all numbers, and vectors of n of the N numbers of each element take fewer shuffles than it takes
// to put them together from runs and transpose these.
template <class V, int N, int n = N> constexpr bool lies_in_lines() {
    if (N == 2) return lanes_in<V> > 1;
    int lines = 0, odd = N;
    for (; odd % 2 == 0; odd /= 2) lines++;
    lines += odd - 1;
    constexpr int R = run<V, n, 16>(); // as loads need it; stores follow
    int runs = int(sizeof(V) / (R * sizeof(V{}[0]))) - 1;
    for (int r = R; r > 1; r /= 2) runs++;
#ifdef __AVX512F__
    return lanes_in<V> > 1 && sizeof(V) <= 64 && N <= 8 && N * lines < (n + R - 1) / R * R * runs;
#else
    return false;
#endif
}

// Four bytes of an element are moved as one number of 32 bits, which shifts take apart. Most often, lanes compute with bytes as
// numbers of 32 bits.
template <class T, int n, int64 by> constexpr bool are_words = sizeof(T) == 1 && n == 4 && by == 4;
template <class V> using words = unsigned __attribute__((vector_size(4 * sizeof(V))));
template <class W, class V, int... l> $inline W joined(V low, V high, indices<l...>) { return __builtin_shufflevector(low, high, l...); }
template <class W, int from, class V, int... l> $inline W part_of(V v, indices<l...>) { return __builtin_shufflevector(v, v, (from + l)...); }

// N numbers: R at p, R so many bytes from there, and so on.
template <int R, int N, int64 step, class T> $inline auto read_runs(const T* p) {
    using V = typename numbers<T, N>::type;
    if constexpr (N == R) {
        V v;
        __builtin_memcpy(&v, p, sizeof(V));
        return v;
    } else {
        const auto low = read_runs<R, N / 2, step>(p), high = read_runs<R, N / 2, step>((const T*)((const char*)p + N / 2 / R * step));
        return joined<V>(low, high, first<N>{});
    }
}

// Exchanges the second D of each 2D lanes of a with the first D of those of b.
template <int D, class V, int... l> $inline void exchange(V& a, V& b, indices<l...>) {
    constexpr int N = sizeof...(l);
    const V c = __builtin_shufflevector(a, b, (l & D ? N + l - D : l)...);
    b = __builtin_shufflevector(a, b, (l & D ? N + l : l + D)...);
    a = c;
}
template <int D, class V, int R, int... i> $inline void exchange_all(parts<V, R>& rows, indices<i...>) {
    (exchange<D>(rows.at[i / D * 2 * D + i % D], rows.at[i / D * 2 * D + i % D + D], first<lanes_in<V>>{}), ...);
}
// Transposes the squares of 2D by 2D numbers that lie side by side in 2D vectors.
template <int D, class V, int R> $inline void transpose(parts<V, R>& rows) {
    if constexpr (D > 0) {
        exchange_all<D>(rows, first<R / 2>{});
        transpose<D / 2>(rows);
    }
}

// Where the run begins that has number k: the last one overlaps the one before if it must.
constexpr int begin_of(int k, int R, int n) { return k + R > n ? n - R : k; }

//@ vec.load_parts needs vec.parts
// Reads n numbers of each of several elements, so many bytes from each other: a vector for each number of an element. With a
// mask only elements in its lanes are read, and what is read in the others is 0.
template <class V, int n, int R, int64 by, class T, int... r> $inline parts<V, R> load_run(const T* p, indices<r...>) {
    parts<V, R> rows{{(V)read_runs<R, lanes_in<V>, R * by>((const T*)((const char*)p + r * by))...}};
    transpose<R / 2>(rows);
    return rows;
}
template <class V, int n, int64 by, class T, int... k> $inline void load_runs(parts<V, n>& v, const T* p, indices<k...>) {
    constexpr int R = run<V, n, 16>();
    ((*(parts<V, R>*)&v.at[begin_of(k * R, R, n)] = load_run<V, n, R, by>(p + begin_of(k * R, R, n), first<R>{})), ...);
}
// Reads the first n numbers of elements that have more. Lines have the numbers in between too, but nothing is read behind the
// last number that is asked for: the last line is read from so many numbers earlier, and then shifted.
template <int by, class V, int... l> $inline V shifted(V v, indices<l...>) { return __builtin_shufflevector(v, v, (l + by) % int(sizeof...(l))...); }
template <class V, int n, int more, class T, int... k> $inline parts<V, n> load_first_parts(const T* p, indices<k...>) {
    constexpr int N = n + more;
    parts<V, N> v;
    __builtin_memcpy(&v, p, (N - 1) * sizeof(V));
    __builtin_memcpy(&v.at[N - 1], p + (N - 1) * lanes_in<V> - more, sizeof(V));
    v.at[N - 1] = shifted<more>(v.at[N - 1], first<lanes_in<V>>{});
    v = taken_apart(v);
    return {{v.at[k]...}};
}
template <class V, int... k> $inline parts<V, sizeof...(k)> out_of_words(const void* p, indices<k...>) {
    words<V> v;
    __builtin_memcpy(&v, p, sizeof(v));
    return {{__builtin_convertvector(v >> 8 * k, V)...}};
}
template <class V, int n, int64 by, class T> $inline parts<V, n> load_parts(const T* p) {
    if constexpr (are_words<T, n, by>) return out_of_words<V>(p, first<n>{});
    parts<V, n> v;
    constexpr int N = n < by / int(sizeof(T)) && by % sizeof(T) == 0 && by / sizeof(T) <= 8 ? by / sizeof(T) : n;
    if constexpr (by == n * sizeof(T) && lies_in_lines<V, n>()) {
        __builtin_memcpy(&v, p, sizeof(v));
        return taken_apart(v);
    } else if constexpr (N > n && N - n < lanes_in<V> && lies_in_lines<V, N, n>()) {
        return load_first_parts<V, n, N - n>(p, first<n>{});
    } else {
        load_runs<V, n, by>(v, p, first<(n - 1) / run<V, n, 16>() + 1>{});
        return v;
    }
}

//@ vec.lines_if needs vec.parts vec.load_if
// The mask of a line: number l of it is one of element l / n.
template <int n, int line, class M, int... l> $inline M of_line(M mask, indices<l...>) {
    return __builtin_shufflevector(mask, mask, ((line * int(sizeof...(l)) + l) / n)...);
}
template <class V, int n, int64 by> constexpr bool lies_in_masked_lines() {
    return by == n * sizeof(V{}[0]) && lies_in_lines<V, n>() && has_masks<sizeof(V{}[0])>;
}

//@ vec.load_parts_if needs vec.load_parts vec.all vec.lines_if
template <class V, int n, class T, class M, int... k> $inline parts<V, n> load_lines(const T* p, M mask, indices<k...>) {
    return {{load<V>(p + k * lanes_in<V>, of_line<n, k>(mask, first<lanes_in<V>>{}))...}};
}
template <class V, int n, int64 by, class T, class M> static __attribute__((noinline)) parts<V, n> load_parts_of_some(const T* p, M mask) {
    if constexpr (lies_in_masked_lines<V, n, by>()) return taken_apart(load_lines<V, n>(p, mask, first<n>{}));
    parts<V, n> v = {};
    for (int i = 0; i < lanes_in<V>; i++) {
        if (mask[i]) {
            for (int k = 0; k < n; k++) v.at[k][i] = ((const T*)((const char*)p + i * by))[k];
        }
    }
    return v;
}
template <class V, int n, int64 by, class T, class M> $inline parts<V, n> load_parts(const T* p, M mask) {
    return all(mask) ? load_parts<V, n, by>(p) : load_parts_of_some<V, n, by>(p, mask);
}

//@ vec.store_parts needs vec.parts
// Writes n numbers of each of several elements, so many bytes from each other; with a mask those of the elements in its lanes only.
template <int a, int b> struct number_is;
template <int a> struct number_is<a, a> { using type = void; };
template <int a, int b> using same_number = typename number_is<a, b>::type;
#if defined(__AVX512F__)
constexpr int registers = 32, register_size = 64;
#elif defined(__AVX__)
constexpr int registers = 16, register_size = 32;
#elif defined(__aarch64__)
constexpr int registers = 32, register_size = 16;
#else
constexpr int registers = 16, register_size = 16;
#endif
// A run that is longer than a register would take more shuffles.
template <class V, int n> constexpr int run_written() { return run<V, n, register_size == 16 ? 16 : 32>(); }
constexpr int least(int a, int b) { return a < b ? a : b; }

// Runs that share a cache line are written one after the other, as memory has them: a line that is written in parts, with others
// in between, is waited for. Until then their vectors are in registers: in at most half of them, unless one run takes more.
template <class V, int R> constexpr int runs_at_once() {
    constexpr int in_line = 64 / (R * sizeof(V{}[0])), each = R * ((sizeof(V) - 1) / register_size + 1);
    return registers / 2 < each ? 1 : least(registers / 2 / each, in_line);
}
template <class V, int R> $inline parts<V, R> transposed(parts<V, R> rows) {
    transpose<R / 2>(rows);
    return rows;
}
template <int R, int from, int element, int64 by, int n, class T, class V, int G, int... k> $inline void write_runs(T* p, const parts<parts<V, R>, G>& group, indices<k...>) {
    using piece = typename numbers<T, R>::type;
    using place = typename numbers<T, R>::anywhere*;
    constexpr int first_lane = element / R * R;
    T* to = (T*)((char*)p + element * by);
    ((*(place)(to + begin_of((from + k) * R, R, n)) = part_of<piece, first_lane>(group.at[k].at[element % R], first<R>{})), ...);
}
template <int R, int from, int64 by, int n, class T, class V, int G, int... element> $inline void write_elements(T* p, const parts<parts<V, R>, G>& group, indices<element...>) {
    (write_runs<R, from, element, by, n>(p, group, first<G>{}), ...);
}
template <int from, int64 by, class T, class V, int n, int... k> $inline void store_group(T* p, const parts<V, n>& v, indices<k...>) {
    constexpr int R = run_written<V, n>();
    const parts<parts<V, R>, sizeof...(k)> group{{transposed(*(const parts<V, R>*)&v.at[begin_of((from + k) * R, R, n)])...}};
    write_elements<R, from, by, n>(p, group, first<lanes_in<V>>{});
}
template <int64 by, class T, class V, int n, int... g> $inline void store_runs(T* p, const parts<V, n>& v, indices<g...>) {
    constexpr int R = run_written<V, n>(), G = runs_at_once<V, R>();
    (store_group<g * G, by>(p, v, first<least(G, (n - 1) / R + 1 - g * G)>{}), ...);
}
// One number of each element. It needs none of the above, which takes compilers long.
template <int64 by, class T, class V, int... element> $inline void store_one(T* p, V v, indices<element...>) {
    ((*(T*)((char*)p + element * by) = v[element]), ...);
}
template <class V, int n, int... k> $inline words<V> into_words(const parts<V, n>& v, indices<k...>) {
    typedef unsigned char bytes __attribute__((vector_size(sizeof(V))));
    return ((__builtin_convertvector((bytes)v.at[k], words<V>) << 8 * k) | ...);
}
template <int64 by, class T, class V, int n> $inline void store_all_parts(T* p, const parts<V, n>& v) {
    if constexpr (are_words<T, n, by>) {
        const auto lines = into_words(v, first<n>{});
        __builtin_memcpy(p, &lines, sizeof(lines));
    } else if constexpr (n == 1) {
        store_one<by>(p, v.at[0], first<lanes_in<V>>{});
    } else if constexpr (by == n * sizeof(T) && lies_in_lines<V, n>()) {
        const auto lines = put_together(v);
        __builtin_memcpy(p, &lines, sizeof(lines));
    } else {
        store_runs<by>(p, v, first<(n - 1) / (run_written<V, n>() * runs_at_once<V, run_written<V, n>()>()) + 1>{});
    }
}
template <int n, int64 by, class T, class V, class... W, class = same_number<n, 1 + sizeof...(W)>> $inline void store_parts(T* p, V v, W... more) {
    store_all_parts<by>(p, parts<V, n>{{v, more...}});
}

//@ vec.store_parts_if needs vec.store_parts vec.all vec.lines_if vec.store_if
template <class V, int n, class T, class M, int... k> $inline void store_lines(T* p, M mask, const parts<V, n>& lines, indices<k...>) {
    (store(p + k * lanes_in<V>, lines.at[k], of_line<n, k>(mask, first<lanes_in<V>>{})), ...);
}
template <int n, int64 by, class T, class V, class M> static __attribute__((noinline)) void store_parts_of_some(T* p, M mask, const parts<V, n>& v) {
    if constexpr (lies_in_masked_lines<V, n, by>()) return store_lines(p, mask, put_together(v), first<n>{});
    for (int i = 0; i < lanes_in<V>; i++) {
        if (mask[i]) {
            for (int k = 0; k < n; k++) ((T*)((char*)p + i * by))[k] = v.at[k][i];
        }
    }
}
template <int n, int64 by, class T, class M, class V, class... W, class = same_number<n, 1 + sizeof...(W)>> $inline void store_parts(T* p, M mask, V v, W... more) {
    const parts<V, n> values{{v, more...}};
    if (all(mask)) store_all_parts<by>(p, values);
    else store_parts_of_some<n, by>(p, mask, values);
}
