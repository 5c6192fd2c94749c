// A stand-in for NVRTC whose "cubin" is a shared library for the host: see the
// package's documentation. It hands each source to the program that
// QD_FAKENVRTC_HELPER names, which compiles it behind the host shim.

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define API __attribute__((visibility("default"))) int

extern char **environ;

enum { SUCCESS = 0, OUT_OF_MEMORY = 1, INVALID_PROGRAM = 4, COMPILATION = 6 };

typedef struct program {
    char *source;
    char *image;
    size_t image_size;
    char *log;
    size_t log_size; // with the final zero
} program;

// read_file gives the contents of a file with a zero behind them.
static char *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *data = NULL;
    size_t n = 0, capacity = 0;
    for (;;) {
        if (n + 65536 > capacity) {
            capacity = 2 * capacity + 131072;
            char *more = realloc(data, capacity);
            if (!more) break;
            data = more;
        }
        size_t got = fread(data + n, 1, 65535, f);
        n += got;
        if (got == 0) break;
    }
    fclose(f);
    if (data) data[n] = 0;
    *size = n;
    return data;
}

// helper_environ is the environment of the program that compiles. The race detector has a program wait for a second at its end, for races of
// goroutines that are left: there are none, and tests start hundreds of these programs.
static char **helper_environ(void) {
    static char exit_at_once[] = "GORACE=atexit_sleep_ms=0";
    size_t n = 0;
    while (environ[n]) n++;
    char **env = calloc(n + 2, sizeof *env);
    if (!env) return NULL;
    env[0] = exit_at_once; // the first one counts
    memcpy(env + 1, environ, n * sizeof *env);
    return env;
}

API nvrtcVersion(int *major, int *minor) {
    *major = 12;
    *minor = 4;
    return SUCCESS;
}

__attribute__((visibility("default"))) const char *nvrtcGetErrorString(int result) {
    return result == SUCCESS ? "NVRTC_SUCCESS" : result == COMPILATION ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_INTERNAL_ERROR";
}

API nvrtcGetNumSupportedArchs(int *n) {
    *n = 2;
    return SUCCESS;
}

API nvrtcGetSupportedArchs(int *archs) {
    archs[0] = 80;
    archs[1] = 90;
    return SUCCESS;
}

API nvrtcCreateProgram(program **prog, const char *src, const char *name, int n, const char *const *headers, const char *const *names) {
    (void)name, (void)n, (void)headers, (void)names;
    *prog = calloc(1, sizeof **prog);
    if (!*prog) return OUT_OF_MEMORY;
    (*prog)->source = strdup(src);
    return SUCCESS;
}

API nvrtcDestroyProgram(program **prog) {
    free((*prog)->source);
    free((*prog)->image);
    free((*prog)->log);
    free(*prog);
    *prog = NULL;
    return SUCCESS;
}

API nvrtcCompileProgram(program *prog, int n, const char *const *options) {
    (void)n, (void)options;
    const char *helper = getenv("QD_FAKENVRTC_HELPER");
    char dir[] = "/tmp/fakenvrtc-XXXXXX";
    if (!helper || !mkdtemp(dir)) return INVALID_PROGRAM;
    char in[64], out[64], log[64];
    snprintf(in, sizeof in, "%s/in.cu", dir);
    snprintf(out, sizeof out, "%s/out.so", dir);
    snprintf(log, sizeof log, "%s/log", dir);
    FILE *f = fopen(in, "wb");
    if (!f) return INVALID_PROGRAM;
    fputs(prog->source, f);
    fclose(f);
    int status = -1;
    char name[] = "fakenvrtc";
    char *args[] = {(char *)helper, name, in, out, log, NULL};
    pid_t pid;
    char **env = helper_environ();
    // Not fork, which copies the tables of all memory: under the race detector that takes longer than to compile.
    if (!env || posix_spawn(&pid, helper, NULL, NULL, args, env) != 0 || waitpid(pid, &status, 0) != pid) status = -1;
    free(env);
    prog->image = read_file(out, &prog->image_size);
    prog->log = read_file(log, &prog->log_size);
    if (prog->log) prog->log_size++;
    unlink(in), unlink(out), unlink(log), rmdir(dir);
    return status == 0 && prog->image_size > 0 ? SUCCESS : COMPILATION;
}

API nvrtcGetProgramLogSize(program *prog, size_t *size) {
    *size = prog->log_size;
    return SUCCESS;
}

API nvrtcGetProgramLog(program *prog, char *log) {
    memcpy(log, prog->log, prog->log_size);
    return SUCCESS;
}

static const char ptx[] = "// none: this is the host's code\n";

API nvrtcGetPTXSize(program *prog, size_t *size) {
    (void)prog;
    *size = sizeof ptx;
    return SUCCESS;
}

API nvrtcGetPTX(program *prog, char *out) {
    (void)prog;
    memcpy(out, ptx, sizeof ptx);
    return SUCCESS;
}

API nvrtcGetCUBINSize(program *prog, size_t *size) {
    *size = prog->image_size;
    return SUCCESS;
}

API nvrtcGetCUBIN(program *prog, char *out) {
    memcpy(out, prog->image, prog->image_size);
    return SUCCESS;
}
