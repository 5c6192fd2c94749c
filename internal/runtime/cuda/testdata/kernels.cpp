// A module for the fake driver: kernels as it calls them.

typedef long long int64;
typedef unsigned long long uint64;

struct add_args {
	int64 dim[4];
	int64 *data;
	int64 len;
	int64 value;
};

// add adds value to each element.
extern "C" void add_host(const add_args *args, unsigned grid, unsigned block) {
	for (int64 i = 0; i < (int64)grid * block; i++) {
		if (i < args->dim[0] * args->dim[1] * args->dim[2] * args->dim[3]) {
			args->data[i] += args->value;
		}
	}
}

// past writes just past the end.
extern "C" void past_host(const add_args *args, unsigned, unsigned) {
	args->data[args->len] = 1;
}

// shape stores grid and block.
extern "C" void shape_host(const add_args *args, unsigned grid, unsigned block) {
	args->data[0] = grid;
	args->data[1] = block;
}

// scale multiplies each element by value.
extern "C" void scale_host(const add_args *args, unsigned, unsigned) {
	for (int64 i = 0; i < args->dim[0]; i++) {
		args->data[i] *= args->value;
	}
}
