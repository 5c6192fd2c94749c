// A module of two kernels that can fail: each thread writes to its element, and one without an
// element fails before it does.

typedef long long int64;

struct fault_record {
	int state, site;
	int64 thread;
	int64 values[4];
};
extern "C" {
fault_record qd_fault[2];
}

struct args {
	int64 dim[4];
	signed char *x;
	int64 n;
};

static void add(const args *a, int64 begin, int64 end, int by, fault_record &fault, int site) {
	for (int64 i = begin; i < end; i++) {
		if (i >= a->n) {
			int none = 0;
			if (__atomic_compare_exchange_n(&fault.state, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
				fault.site = site;
				fault.thread = i;
				fault.values[0] = i;
				fault.values[1] = a->n;
				__atomic_store_n(&fault.state, 2, __ATOMIC_RELEASE);
			}
			return;
		}
		a->x[i] += by;
	}
}

extern "C" void mark(const args *a, int64 begin, int64 end) { add(a, begin, end, 1, qd_fault[0], 7); }

extern "C" void unmark(const args *a, int64 begin, int64 end) { add(a, begin, end, -1, qd_fault[1], 8); }
