// Start, errors, devices and contexts.

#include "fake.h"

#include <stdio.h>

static const struct {
	CUresult code;
	const char *name, *text;
} errors[] = {
	{SUCCESS, "CUDA_SUCCESS", "no error"},
	{INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	{NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
	{INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	{222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
	{INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	{NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	{NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
	{ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	{701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
	{719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	{803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH", "system has unsupported display driver / cuda driver combination"},
};

API CUresult cuInit(unsigned flags) {
	ENTER(0);
	if (flags) {
		return INVALID_VALUE;
	}
	if (config.devices == 0) {
		return NO_DEVICE;
	}
	initialized = 1;
	return SUCCESS;
}

API CUresult cuDriverGetVersion(int *version) {
	ENTER(0);
	*version = config.version;
	return SUCCESS;
}

static const char *error_text(CUresult code, int name) {
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		if (errors[i].code == code) {
			return name ? errors[i].name : errors[i].text;
		}
	}
	return NULL;
}

API CUresult cuGetErrorName(CUresult code, const char **s) {
	*s = error_text(code, 1);
	return *s ? SUCCESS : INVALID_VALUE;
}

API CUresult cuGetErrorString(CUresult code, const char **s) {
	*s = error_text(code, 0);
	return *s ? SUCCESS : INVALID_VALUE;
}

API CUresult cuDeviceGetCount(int *n) {
	ENTER(1);
	*n = config.devices;
	return SUCCESS;
}

API CUresult cuDeviceGet(int *device, int ordinal) {
	ENTER(1);
	if (ordinal < 0 || ordinal >= config.devices || ordinal >= MAX_DEVICES) {
		return INVALID_DEVICE;
	}
	*device = ordinal;
	return SUCCESS;
}

API CUresult cuDeviceGetName(char *name, int len, int device) {
	ENTER(1);
	snprintf(name, len, "Fake GPU %d", device);
	return SUCCESS;
}

API CUresult cuDeviceTotalMem_v2(size_t *bytes, int device) {
	ENTER(1);
	(void)device;
	*bytes = config.memory;
	return SUCCESS;
}

API CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
	ENTER(1);
	(void)device;
	switch (attribute) {
	case 16: // multiprocessors
		*value = 4;
		return SUCCESS;
	case 75: // compute capability
		*value = 9;
		return SUCCESS;
	case 76:
		*value = 0;
		return SUCCESS;
	case 97: // shared memory of a block that asks for it
		*value = config.block_memory;
		return SUCCESS;
	}
	return INVALID_VALUE;
}

API CUresult cuDevicePrimaryCtxRetain(struct context **ctx, int device) {
	ENTER(1);
	if (device < 0 || device >= config.devices) {
		return INVALID_DEVICE;
	}
	contexts[device].device = device;
	contexts[device].refs++;
	*ctx = &contexts[device];
	return SUCCESS;
}

API CUresult cuDevicePrimaryCtxRelease_v2(int device) {
	ENTER(1);
	if (device < 0 || device >= config.devices || contexts[device].refs == 0) {
		return INVALID_CONTEXT;
	}
	contexts[device].refs--;
	return SUCCESS;
}

API CUresult cuCtxSetCurrent(struct context *ctx) {
	ENTER(1);
	if (ctx && (ctx < contexts || ctx >= contexts + MAX_DEVICES || ctx->refs == 0)) {
		return INVALID_CONTEXT;
	}
	current = ctx;
	return SUCCESS;
}

enum { STACK_SIZE = 0, FIRST_STACK = 1 << 10, MOST_STACK = 512 << 10 };

API CUresult cuCtxGetLimit(size_t *value, int limit) {
	ENTER_CONTEXT;
	if (limit != STACK_SIZE) {
		return INVALID_VALUE;
	}
	*value = current->stack ? current->stack : FIRST_STACK;
	return SUCCESS;
}

API CUresult cuCtxSetLimit(int limit, size_t value) {
	ENTER_CONTEXT;
	if (limit != STACK_SIZE || value > MOST_STACK) {
		return INVALID_VALUE;
	}
	current->stack = value;
	return SUCCESS;
}

API CUresult cuCtxSynchronize(void) {
	ENTER_CONTEXT;
	return run_all(current);
}
