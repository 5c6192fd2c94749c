// A module of two kernels that can fail, for the fake driver: thread at fails, if the launch has it.

typedef long long int64;

struct fail_args {
	int64 dim[4];
	int64 at;
};

struct fault_record {
	int state, site;
	int64 thread;
	int64 values[4];
};
extern "C" {
fault_record qd_fault[2];
}

static void run(const fail_args *args, fault_record &fault, int site) {
	if (args->at < args->dim[0] && fault.state == 0) {
		fault = {2, site, args->at, {args->at, args->dim[0]}};
	}
}

extern "C" void fail_host(const fail_args *args, unsigned, unsigned) { run(args, qd_fault[0], 5); }

extern "C" void fails_too_host(const fail_args *args, unsigned, unsigned) { run(args, qd_fault[1], 6); }
