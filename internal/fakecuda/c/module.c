// Modules and kernels.

#include "fake.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct function *functions;
static struct module *modules;

// elf_size is where the section headers end, which linkers put last: the driver is
// told an image's address only.
static size_t elf_size(const void *image) {
	const Elf64_Ehdr *h = image;
	return h->e_shoff + (size_t)h->e_shnum * h->e_shentsize;
}

static void *load(const void *image, char *log, size_t log_size) {
	if (memcmp(image, ELFMAG, SELFMAG)) {
		snprintf(log, log_size, "fake driver: the image is not for the host: %.20s\n", (const char *)image);
		return NULL;
	}
	char path[] = "/tmp/fakecuda-XXXXXX";
	int fd = mkstemp(path);
	if (fd < 0) {
		snprintf(log, log_size, "fake driver: no temporary file\n");
		return NULL;
	}
	size_t size = elf_size(image);
	int written = write(fd, image, size) == (ssize_t)size;
	close(fd);
	void *lib = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	if (!lib) {
		snprintf(log, log_size, "fake driver: %s\n", written ? dlerror() : "no room for a temporary file");
	}
	unlink(path);
	return lib;
}

API CUresult cuModuleLoadDataEx(struct module **module, const void *image, unsigned n, int *options, void **values) {
	ENTER_CONTEXT;
	char none[1], *log = none, *info = none;
	size_t log_size = 0, info_size = 0;
	for (unsigned i = 0; i < n; i++) {
		switch (options[i]) {
		case 3:
			info = values[i];
			break;
		case 4:
			info_size = (size_t)values[i];
			break;
		case 5:
			log = values[i];
			break;
		case 6:
			log_size = (size_t)values[i];
			break;
		default:
			return INVALID_VALUE;
		}
	}
	void *lib = load(image, log, log_size);
	if (!lib) {
		return memcmp(image, ELFMAG, SELFMAG) ? INVALID_PTX : NO_BINARY_FOR_GPU;
	}
	snprintf(info, info_size, "fake driver: loaded\n");
	struct module *m = calloc(1, sizeof *m);
	*m = (struct module){modules, current, lib};
	*module = modules = m;
	return SUCCESS;
}

API CUresult cuModuleUnload(struct module *module) {
	ENTER_CONTEXT;
	struct module *m = FIND(modules, module);
	if (!m) {
		return INVALID_HANDLE;
	}
	run_all(current); // nothing of it may be running
	for (struct memory **v = &memories; *v;) {
		struct memory *gone = *v;
		Dl_info info;
		struct link_map *map;
		if (gone->variable && dladdr1(gone->base, &info, (void **)&map, RTLD_DL_LINKMAP) && map == m->lib) {
			*v = gone->next;
			free(gone);
		} else {
			v = &gone->next;
		}
	}
	dlclose(m->lib);
	UNLINK(modules, m);
	free(m);
	return SUCCESS;
}

API CUresult cuModuleGetFunction(struct function **function, struct module *module, const char *name) {
	ENTER_CONTEXT;
	struct module *m = FIND(modules, module);
	if (!m) {
		return INVALID_HANDLE;
	}
	char symbol[256];
	snprintf(symbol, sizeof symbol, "%s_host", name);
	void *host = dlsym(m->lib, symbol);
	if (!host) {
		return NOT_FOUND;
	}
	struct function *f = calloc(1, sizeof *f);
	f->next = functions;
	f->host = (void (*)(const void *, unsigned, unsigned))host;
	snprintf(symbol, sizeof symbol, "qd_block_memory_%s", name);
	void *needs = dlsym(m->lib, symbol);
	Dl_info info;
	Elf64_Sym *sym = NULL;
	if (needs && dladdr1(needs, &info, (void **)&sym, RTLD_DL_SYMENT) && sym) {
		f->needs = (unsigned)sym->st_size;
	}
	*function = functions = f;
	return SUCCESS;
}

API CUresult cuModuleGetGlobal_v2(ull *p, size_t *size, struct module *module, const char *name) {
	ENTER_CONTEXT;
	struct module *m = FIND(modules, module);
	if (!m) {
		return INVALID_HANDLE;
	}
	void *var = dlsym(m->lib, name);
	Dl_info info;
	Elf64_Sym *sym = NULL;
	if (!var || !dladdr1(var, &info, (void **)&sym, RTLD_DL_SYMENT) || !sym) {
		return NOT_FOUND;
	}
	if (!in_memory(var, sym->st_size)) {
		struct memory *v = calloc(1, sizeof *v);
		*v = (struct memory){memories, current, var, sym->st_size, 1};
		memories = v;
	}
	*p = (ull)var;
	*size = sym->st_size;
	return SUCCESS;
}

API CUresult cuFuncGetAttribute(int *value, int attribute, struct function *f) {
	ENTER_CONTEXT;
	(void)f;
	switch (attribute) {
	case 0: // threads in a block
		*value = config.max_threads;
		return SUCCESS;
	case 1: // shared and local memory
	case 3:
		*value = 0;
		return SUCCESS;
	case 4: // registers
		*value = 32;
		return SUCCESS;
	}
	return INVALID_VALUE;
}

API CUresult cuFuncSetAttribute(struct function *f, int attribute, int value) {
	ENTER_CONTEXT;
	if (attribute != 8 || value < 0 || value > config.block_memory) { // dynamic shared memory
		return INVALID_VALUE;
	}
	f->asked = (unsigned)value;
	return SUCCESS;
}

CUresult launch_op(struct op *op, const struct launch_params *l) {
	struct function *f = functions;
	while (f && f != l->function) {
		f = f->next;
	}
	if (!f) {
		return INVALID_HANDLE;
	}
	if (l->gx == 0 || l->gx > 0x7fffffff || l->gy != 1 || l->gz != 1 || l->bx == 0 || l->bx > (unsigned)config.max_threads || l->by != 1 || l->bz != 1 || l->shared != f->needs || l->shared > f->asked || l->params || !l->extra) {
		return INVALID_VALUE;
	}
	const void *args = NULL;
	size_t size = 0;
	for (void **extra = l->extra; *extra; extra += 2) {
		if (*extra == (void *)1) {
			args = extra[1];
		} else if (*extra == (void *)2) {
			size = *(size_t *)extra[1];
		} else {
			return INVALID_VALUE;
		}
	}
	if (!args || !size) {
		return INVALID_VALUE;
	}
	*op = (struct op){.kind = LAUNCH, .from = copy_args(args, size), .size = size, .kernel = f->host, .grid = l->gx, .block = l->bx};
	return SUCCESS;
}

void *copy_args(const void *args, size_t size) {
	void *copy = aligned_alloc(16, (size + 15) / 16 * 16);
	memcpy(copy, args, size);
	return copy;
}

API CUresult cuLaunchKernel(struct function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
						unsigned shared, struct stream *stream, void **params, void **extra) {
	ENTER_CONTEXT;
	struct stream *s = FIND(streams, stream);
	if (!s) {
		return INVALID_HANDLE;
	}
	struct op op;
	CUresult code = launch_op(&op, &(struct launch_params){function, gx, gy, gz, bx, by, bz, shared, params, extra});
	return code ? code : queue(s, op);
}
