//@ qd.CheckIndex needs qd.stop
// Of x[i].
$inline void CheckIndex(int64 i, int64 len, int32 site) {
    if (uint64(i) >= uint64(len)) stop(site, i, len);
}
//@ qd.CheckSlice needs qd.stop
// Of x[lo:hi].
$inline void CheckSlice(int64 lo, int64 hi, int64 len, int32 site) {
    if (uint64(lo) > uint64(hi) || uint64(hi) > uint64(len)) stop(site, lo, hi, len);
}
//@ qd.CheckDivide needs qd.stop
template <class T> $inline void CheckDivide(T divisor, int32 site) {
    if (divisor == 0) stop(site);
}
//@ qd.CheckShift needs qd.stop
template <class T> $inline void CheckShift(T count, int32 site) {
    if (count < 0) stop(site, uint64(count));
}
//@ qd.CheckNil needs qd.stop
$inline void CheckNil(const void* ptr, int32 site) {
    if (ptr == nullptr) stop(site);
}
//@ qd.Assert needs qd.stop
$inline void Assert(bool cond, int32 site) {
    if (!cond) stop(site);
}
//@ qd.CheckSync needs qd.stop
$inline void CheckSync(bool cond, int32 site) {
    if (!cond) stop(site);
}

//@ qd.Panic needs qd.stop
template <class... Args> [[noreturn]] $inline void Panic(int32 site, Args... args) {
    stop(site, word(args)...);
}
