/* The first process of a cage: starts programs, reaps everything, reports how each ended. The only caller
 * of wait4 in here. When it ends, the kernel kills all the rest. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { MAX_RUNS = 256, LAST_SIGNAL = 64 };

struct program {
    uint32_t run; /* 0: a free place */
    pid_t pid;
};

struct launch {
    const char *program;
    const char *directory;
    uint32_t rows; /* 0: no terminal */
    uint32_t columns;
    char **argv;
    char **envp;
    size_t pointers;
    int fds[3];
    int master;
};

static struct program programs[MAX_RUNS];
static int control = -1;

static struct program *find_run(uint32_t run) {
    for (int i = 0; i < MAX_RUNS; i++) {
        if (programs[i].run == run) {
            return &programs[i];
        }
    }
    return NULL;
}

static struct program *find_pid(pid_t pid) {
    for (int i = 0; i < MAX_RUNS; i++) {
        if (programs[i].run != 0 && programs[i].pid == pid) {
            return &programs[i];
        }
    }
    return NULL;
}

static void refuse(uint32_t run, const char *call, const char *argument) {
    struct message m = {.kind = REFUSED, .run = run, .values = {errno}};
    int size = snprintf(m.text, sizeof m.text, "%s(%s)", call, argument);
    post(control, &m, size < (int) sizeof m.text ? (size_t) size : sizeof m.text - 1, NULL);
}

/* Pointers into the payload, NULL-terminated, argv first. */
static int read_launch(struct launch *l, struct payload *p) {
    l->program = take_text(p, NULL);
    l->directory = take_text(p, NULL);
    l->rows = take_u32(p);
    l->columns = take_u32(p);
    uint32_t arguments = take_u32(p);
    uint32_t variables = take_u32(p);
    l->pointers = sizeof(char *) * ((size_t) arguments + variables + 2);
    void *space = mmap(NULL, l->pointers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (space == MAP_FAILED) {
        return -1;
    }
    l->argv = space;
    l->envp = l->argv + arguments + 1;
    for (uint32_t i = 0; i < arguments; i++) {
        l->argv[i] = (char *) (uintptr_t) take_text(p, NULL);
    }
    for (uint32_t i = 0; i < variables; i++) {
        l->envp[i] = (char *) (uintptr_t) take_text(p, NULL);
    }
    return 0;
}

/* Opened inside, so that the terminal belongs to the cage's own devpts. */
static int open_terminal(struct launch *l) {
    struct winsize size = {.ws_row = (unsigned short) l->rows, .ws_col = (unsigned short) l->columns};
    int locked = 0;
    l->master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (l->master < 0 || ioctl(l->master, TIOCSPTLCK, &locked) != 0) {
        return -1;
    }
    int slave = ioctl(l->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) != 0) {
        return -1;
    }
    l->fds[0] = l->fds[1] = l->fds[2] = slave;
    return 0;
}

static const uint64_t default_action[4]; /* the kernel's struct sigaction with SIG_DFL */

static void reset_signals(void) {
    sigset_t none;
    for (int s = 1; s <= LAST_SIGNAL; s++) {
        syscall(__NR_rt_sigaction, s, default_action, NULL, 8); /* the C library keeps two for itself */
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(022);
}

/* In the child. The streams are lifted above 2 first: one that sits at its own place already would keep its
 * close-on-exec mark, and one in another's place would be overwritten. Whatever is above 2 is closed last. */
static int take_streams(const struct launch *l) {
    if (setsid() < 0) {
        return -1;
    }
    if (l->rows != 0 && ioctl(l->fds[0], TIOCSCTTY, 0) != 0) {
        return -1;
    }
    int lifted[3];
    for (int i = 0; i < 3; i++) {
        lifted[i] = fcntl(l->fds[i], F_DUPFD_CLOEXEC, 3);
        if (lifted[i] < 0) {
            return -1;
        }
    }
    for (int i = 0; i < 3; i++) {
        if (dup2(lifted[i], i) < 0) {
            return -1;
        }
    }
    return (int) syscall(__NR_close_range, FIRST_FREE, ~0U, 0);
}

/* The path must lead to a place inside the root: getcwd() marks the others as "(unreachable)". */
static int enter_directory(const char *path) {
    char where[4096];
    if (chdir(path) != 0) {
        return -1;
    }
    if (getcwd(where, sizeof where) == NULL || where[0] != '/') {
        errno = ENOENT;
        return -1;
    }
    return 0;
}

static const char *volatile failed_call;
static volatile int failed_errno;

static _Noreturn void give_up(const char *call) {
    failed_errno = errno;
    failed_call = call;
    _exit(127);
}

static __attribute__((noinline)) pid_t launch(const struct launch *l) {
    failed_call = NULL;
    pid_t pid = vfork();
    if (pid != 0) {
        return pid;
    }
    if (take_streams(l) != 0) {
        give_up("streams");
    }
    if (enter_directory(l->directory) != 0) {
        give_up("chdir");
    }
    reset_signals();
    execve(l->program, l->argv, l->envp);
    give_up("execve");
}

static void announce(uint32_t run, pid_t pid, const struct launch *l) {
    struct message m = {.kind = STARTED, .run = run, .values = {pid}};
    struct passed master = {l->master >= 0, {l->master}};
    post(control, &m, 0, &master);
}

static void close_launch(struct launch *l, const struct passed *passed) {
    if (l->rows != 0) {
        if (l->master >= 0) {
            close(l->master);
        }
        if (l->fds[0] >= 0) {
            close(l->fds[0]);
        }
    }
    for (int i = 0; i < passed->count; i++) {
        close(passed->fds[i]);
    }
    if (l->argv != NULL) {
        munmap(l->argv, l->pointers);
    }
}

static void try_launch(uint32_t run, struct launch *l) {
    struct program *place = find_run(0);
    if (place == NULL) {
        errno = EAGAIN;
        refuse(run, "start", "256 programs run already");
        return;
    }
    pid_t pid = launch(l);
    if (pid < 0) {
        refuse(run, "vfork", "");
    } else if (failed_call != NULL) {
        errno = failed_errno;
        refuse(run, failed_call, strcmp(failed_call, "chdir") == 0 ? l->directory : l->program);
    } else {
        *place = (struct program){run, pid};
        announce(run, pid, l);
    }
}

static void start(const struct message *m, const struct passed *passed) {
    struct payload payload = {0};
    struct launch l = {.fds = {-1, -1, -1}, .master = -1};
    open_payload(&payload, passed->fds[0]);
    if (read_launch(&l, &payload) != 0) {
        refuse(m->run, "mmap", "arguments");
    } else if (l.rows == 0 && passed->count < 4) {
        errno = EBADF;
        refuse(m->run, "start", "no streams");
    } else if (l.rows != 0 && open_terminal(&l) != 0) {
        refuse(m->run, "open", "/dev/ptmx");
    } else {
        if (l.rows == 0) {
            memcpy(l.fds, passed->fds + 1, sizeof l.fds);
        }
        try_launch(m->run, &l);
    }
    close_launch(&l, passed);
    close_payload(&payload);
}

static void send_signal(const struct message *m) {
    const struct program *p = m->run == 0 ? NULL : find_run(m->run);
    if (p != NULL && kill(-p->pid, (int) m->values[0]) != 0) {
        kill(p->pid, (int) m->values[0]);
    }
}

static void signal_everybody(int number) {
    struct message done = {.kind = DONE};
    kill(-1, number);
    post(control, &done, 0, NULL);
}

static void obey(void) {
    static struct message m;
    static struct passed passed;
    if (!receive(control, &m, &passed)) {
        _exit(0); /* the supervisor is gone */
    }
    switch (m.kind) {
        case EXEC:
            if (passed.count > 0) {
                start(&m, &passed);
            }
            break;
        case SIGNAL: send_signal(&m); break;
        case PAUSE: signal_everybody(SIGSTOP); break;
        case RESUME: signal_everybody(SIGCONT); break;
        case KILL: kill(-1, SIGKILL); break;
        default: break;
    }
}

static int64_t microseconds(struct timeval t) {
    return (int64_t) t.tv_sec * 1000000 + t.tv_usec;
}

static void reap(int signals) {
    struct signalfd_siginfo ignored;
    while (read(signals, &ignored, sizeof ignored) > 0) {
    }
    int status;
    struct rusage used;
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &used)) > 0;) {
        struct program *p = find_pid(pid);
        if (p != NULL) {
            struct message m = {
                .kind = ENDED,
                .run = p->run,
                .values = {status, microseconds(used.ru_utime), microseconds(used.ru_stime), used.ru_maxrss}};
            p->run = 0;
            post(control, &m, 0, NULL);
        }
    }
}

static int listen_for_children(void) {
    sigset_t all;
    sigset_t child;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) {
        die("init", "signalfd()");
    }
    return signals;
}

/* Only the two stay, and above the standard streams: a program's own streams are moved there, and one that
 * already had such a number would be lost on the way. */
static void close_all_but(int one, int other) {
    int low = one < other ? one : other;
    int high = one < other ? other : one;
    occupy_standard_streams();
    if (low > FIRST_FREE) {
        syscall(__NR_close_range, FIRST_FREE, low - 1, 0);
    }
    if (high - low > 1) {
        syscall(__NR_close_range, low + 1, high - 1, 0);
    }
    syscall(__NR_close_range, high + 1, ~0U, 0);
}

void serve_programs(const struct cage *c) {
    struct message ready = {.kind = READY, .values = {c->ready}};
    control = c->control;
    int signals = listen_for_children();
    post(control, &ready, 0, &c->net);
    close_all_but(control, signals);
    for (;;) {
        struct pollfd events[2] = {{control, POLLIN, 0}, {signals, POLLIN, 0}};
        if (poll(events, 2, -1) < 0 && errno != EINTR) {
            _exit(1);
        }
        if (events[1].revents != 0) {
            reap(signals);
        }
        if (events[0].revents != 0) {
            obey();
        }
    }
}
