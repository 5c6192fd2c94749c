// A module that can fail: each thread writes to its element, and one without an
// element fails before it does.

typedef long long int64;

struct fault_record {
	int state, site;
	int64 thread;
	int64 values[4];
};
extern "C" {
fault_record qd_fault;
}

struct mark_args {
	int64 dim[4];
	signed char *x;
	int64 n;
};
extern "C" void mark(const mark_args *a, int64 begin, int64 end) {
	for (int64 i = begin; i < end; i++) {
		if (i >= a->n) {
			int none = 0;
			if (__atomic_compare_exchange_n(&qd_fault.state, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
				qd_fault.site = 7;
				qd_fault.thread = i;
				qd_fault.values[0] = i;
				qd_fault.values[1] = a->n;
				__atomic_store_n(&qd_fault.state, 2, __ATOMIC_RELEASE);
			}
			return;
		}
		a->x[i]++;
	}
}
