//@ qd.tile
// N numbers in a vector register.
template <class T, int64 N> struct vector_of {
    typedef T type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, int64 N> using vector = typename vector_of<T, N>::type;

// The numbers 0 to N-1, as what a shuffle takes lanes for.
template <int64... I> struct indices {};
template <class, int64... I> using indices_of = indices<I...>;
template <int64 N> using first_indices = __make_integer_seq<indices_of, int64, N>;

template <class W, class V, int64... I> static inline void join(W& whole, const V& low, const V& high, indices<I...>) {
    whole = __builtin_shufflevector(low, high, I...);
}

template <class W, class V, int64... I> static inline void split(const W& whole, V& low, V& high, indices<I...>) {
    low = __builtin_shufflevector(whole, whole, I...);
    high = __builtin_shufflevector(whole, whole, I + int64(sizeof...(I))...);
}

// Reads N numbers: R at p, R at p + step, ...
template <class T, int64 N, int64 R> static inline void read_runs(vector<T, N>& whole, const T* p, int64 step) {
    if constexpr (N == R) {
        __builtin_memcpy(&whole, p, sizeof whole);
    } else {
        vector<T, N / 2> low, high;
        read_runs<T, N / 2, R>(low, p, step);
        read_runs<T, N / 2, R>(high, p + N / 2 / R * step, step);
        join(whole, low, high, first_indices<N>{});
    }
}

// Writes N numbers: R at p, R at p + step, ...
template <class T, int64 N, int64 R> static inline void write_runs(const vector<T, N>& whole, T* p, int64 step) {
    if constexpr (N == R) {
        __builtin_memcpy(p, &whole, sizeof whole);
    } else {
        vector<T, N / 2> low, high;
        split(whole, low, high, first_indices<N / 2>{});
        write_runs<T, N / 2, R>(low, p, step);
        write_runs<T, N / 2, R>(high, p + N / 2 / R * step, step);
    }
}

// Exchanges the second D of each 2D lanes of a with the first D of those of b.
template <int64 D, class V, int64... I> static inline void exchange(V& a, V& b, indices<I...>) {
    constexpr int64 N = sizeof...(I);
    const V first = __builtin_shufflevector(a, b, (I & D ? N + I - D : I)...);
    b = __builtin_shufflevector(a, b, (I & D ? N + I : I + D)...);
    a = first;
}

// Transposes the squares of 2D by 2D numbers that lie side by side in 2D vectors of N.
template <int64 D, int64 N, class V, int64 R> static inline void transpose(V (&rows)[R]) {
    if constexpr (D > 0) {
        for (int64 i = 0; i < R; i++) {
            if (!(i & D)) exchange<D>(rows[i], rows[i + D], first_indices<N>{});
        }
        transpose<D / 2, N>(rows);
    }
}

// The elements of as many threads as a vector of 64 bytes has numbers T, each number of them side by
// side for all threads.
template <class E, class T> struct tile {
    static constexpr int64 threads = 64 / sizeof(T), numbers = sizeof(E) / sizeof(T);
    alignas(64) T at[numbers][threads];

    E operator[](int64 thread) const {
        E e;
        for (int64 k = 0; k < numbers; k++) ((T*)&e)[k] = at[k][thread];
        return e;
    }

    void set(int64 thread, const E& e) {
        for (int64 k = 0; k < numbers; k++) at[k][thread] = ((const T*)&e)[k];
    }

    // How many numbers of an element are moved at once: a power of two, at most limit.
    static constexpr int64 run(int64 limit) {
        int64 r = 1;
        while (2 * r <= numbers && 2 * r <= limit) r *= 2;
        return r;
    }

    // Where the run of R numbers begins that has number k: the last one overlaps the one before if it must.
    static constexpr int64 begin(int64 k, int64 R) { return k + R > numbers ? numbers - R : k; }

    // How many of R numbers of an element are one after the other with those of the next thread.
    static constexpr int64 together(int64 R) { return numbers == 1 ? threads : R; }

    // Where to find, line by line, what is needed two tiles later: between what is read and written for one tile
    // there is so much to compute that processors do not look that far ahead, except to read small elements.
    static const void* later(const E* now, int64 line) {
        return (const void*)((__UINTPTR_TYPE__)now + 2 * sizeof(E) * threads + line);
    }

    void load(const E* from) {
        for (int64 line = 0; sizeof(E) >= 64 && line < int64(sizeof(E) * threads); line += 64) __builtin_prefetch(later(from, line));
        constexpr int64 R = run(4);
#pragma clang loop unroll(full)
        for (int64 k = 0; k < numbers; k += R) {
            const int64 first = begin(k, R);
            vector<T, threads> rows[R];
            for (int64 i = 0; i < R; i++) read_runs<T, threads, together(R)>(rows[i], (const T*)from + i * numbers + first, R * numbers);
            transpose<R / 2, threads>(rows);
            for (int64 i = 0; i < R; i++) __builtin_memcpy(at[first + i], &rows[i], sizeof rows[i]);
        }
    }

    void store(E* to) const {
        for (int64 line = 0; line < int64(sizeof(E) * threads); line += 64) __builtin_prefetch(later(to, line), 1);
        constexpr int64 R = run(threads); // whole lines of memory, where elements are long enough
#pragma clang loop unroll(full)
        for (int64 k = 0; k < numbers; k += R) {
            const int64 first = begin(k, R);
            vector<T, threads> rows[R];
            for (int64 i = 0; i < R; i++) __builtin_memcpy(&rows[i], at[first + i], sizeof rows[i]);
            transpose<R / 2, threads>(rows);
            for (int64 i = 0; i < R; i++) write_runs<T, threads, together(R)>(rows[i], (T*)to + i * numbers + first, R * numbers);
        }
    }
};

// Copies n elements, and the last one once more for each that is missing to N.
template <class E, int64 N> static slice<E> pad(E (&copy)[N], const E* from, int64 n) {
    for (int64 i = 0; i < N; i++) copy[i] = from[i < n ? i : n - 1];
    return {copy, N};
}
