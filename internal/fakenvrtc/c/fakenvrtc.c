// A stand-in for NVRTC whose "cubin" is a shared library for the host: see the
// package's documentation. It hands each source to the program that
// QD_FAKENVRTC_HELPER names, which compiles it behind the host shim. That program is a test with
// much to set up, so it stays for the next source.

#define _GNU_SOURCE // pipe2
#include <fcntl.h>
#include <pthread.h>
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

// A helper is a process that compiles: for each name of a directory on its standard input, a line, it answers with one
// byte when it is done. It ends at the end of its input, which comes with the end of this process.
typedef struct helper {
    pid_t pid;
    int to, from;
    struct helper *next; // among those with nothing to do
} helper;

static helper *idle;
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;

// own_pipe makes a pipe whose ends no other process inherits, whatever this one starts meanwhile: a helper ends only when
// nobody can write to it any more.
static int own_pipe(int ends[2]) {
#ifdef __linux__
    return pipe2(ends, O_CLOEXEC);
#else
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

// start_helper starts a helper, NULL if it cannot.
static helper *start_helper(void) {
    char *program = getenv("QD_FAKENVRTC_HELPER");
    helper *h = calloc(1, sizeof *h);
    char **env = helper_environ();
    int in[2], out[2];
    if (!program || !h || !env || own_pipe(in) != 0) {
        free(h), free(env);
        return NULL;
    }
    if (own_pipe(out) != 0) {
        close(in[0]), close(in[1]);
        free(h), free(env);
        return NULL;
    }
    h->to = in[1], h->from = out[0];
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[0], 0);
    posix_spawn_file_actions_adddup2(&files, out[1], 1);
    char name[] = "fakenvrtc";
    char *args[] = {program, name, NULL};
    // Not fork, which copies the tables of all memory: under the race detector that takes longer than to compile.
    int failed = posix_spawn(&h->pid, program, &files, NULL, args, env);
    posix_spawn_file_actions_destroy(&files);
    free(env);
    close(in[0]), close(out[1]);
    if (failed) {
        close(h->to), close(h->from);
        free(h);
        return NULL;
    }
    return h;
}

// ask has a helper compile what is in a directory, and reports whether there was an answer.
static int ask(helper *h, const char *dir, char *answer) {
    char line[64];
    int n = snprintf(line, sizeof line, "%s\n", dir);
    return write(h->to, line, n) == n && read(h->from, answer, 1) == 1;
}

// compile_in has a helper compile what is in a directory, and reports whether it could. One that has died while it had
// nothing to do says nothing about the source, so the next one is asked.
static int compile_in(const char *dir) {
    for (;;) {
        pthread_mutex_lock(&idle_lock);
        helper *h = idle;
        if (h) idle = h->next;
        pthread_mutex_unlock(&idle_lock);
        int fresh = !h;
        if (fresh) h = start_helper();
        if (!h) return 0;
        char answer;
        if (ask(h, dir, &answer)) {
            pthread_mutex_lock(&idle_lock);
            h->next = idle;
            idle = h;
            pthread_mutex_unlock(&idle_lock);
            return answer == '+';
        }
        close(h->to), close(h->from);
        waitpid(h->pid, NULL, 0);
        free(h);
        if (fresh) return 0;
    }
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
    char dir[] = "/tmp/fakenvrtc-XXXXXX";
    if (!mkdtemp(dir)) return INVALID_PROGRAM;
    char in[64], out[64], log[64];
    snprintf(in, sizeof in, "%s/in.cu", dir);
    snprintf(out, sizeof out, "%s/out.so", dir);
    snprintf(log, sizeof log, "%s/log", dir);
    FILE *f = fopen(in, "wb");
    if (!f) return INVALID_PROGRAM;
    fputs(prog->source, f);
    fclose(f);
    int compiled = compile_in(dir);
    prog->image = read_file(out, &prog->image_size);
    prog->log = read_file(log, &prog->log_size);
    if (prog->log) prog->log_size++;
    unlink(in), unlink(out), unlink(log), rmdir(dir);
    return compiled && prog->image_size > 0 ? SUCCESS : COMPILATION;
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
