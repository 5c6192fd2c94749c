// A module that can fail, for the fake driver: thread at fails, if the launch has it.

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
fault_record qd_fault;
}

extern "C" void fail_host(const fail_args *args, unsigned, unsigned) {
	if (args->at < args->dim[0] && qd_fault.state == 0) {
		qd_fault = {2, 5, args->at, {args->at, args->dim[0]}};
	}
}
