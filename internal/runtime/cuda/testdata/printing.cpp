// A module that prints, for the fake driver: each thread records value + its index.

typedef long long int64;
typedef unsigned long long uint64;

struct hello_args {
	int64 dim[4];
	int64 value;
};

struct printf_buffer {
	uint64 *words;
	uint64 capacity;
	uint64 used;
};
extern "C" {
printf_buffer qd_printf_buffer;
}

extern "C" void hello_host(const hello_args *args, unsigned, unsigned) {
	for (int64 i = 0; i < args->dim[0]; i++) {
		uint64 at = qd_printf_buffer.used;
		qd_printf_buffer.used += 2;
		if (at + 2 <= qd_printf_buffer.capacity) {
			qd_printf_buffer.words[at] = (uint64)1 << 32;
			qd_printf_buffer.words[at + 1] = args->value + i;
		}
	}
}
