/* The first process of a cage: starts programs, reaps everything, reports how each ended. Beside it only the leader of
 * a terminal's session waits, for its program. When it ends, the kernel kills all the rest. */
#include "cage.h"
#include "kernel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>

enum { MAX_RUNS = 256, LAST_SIGNAL = 64, KERNEL_TERMIOS = 36 };

struct program {
    uint32_t run; /* 0: a free place */
    pid_t pid;    /* whose end is the program's: itself, or the leader of its terminal's session */
    pid_t group;  /* the program's own */
    bool is_on_terminal;
};

struct launch {
    const char *program;
    const char *directory;
    uint32_t rows; /* 0: no terminal */
    uint32_t columns;
    const char *settings; /* the terminal's, a struct termios of the kernel's; none if their size is 0 */
    uint32_t settings_size;
    char **argv;
    char **envp;
    size_t pointers;
    int fds[3];
    int master;
    bool is_whole;        /* nothing of it lives on when it has ended */
    struct payload *acts; /* what is done instead of executing a program */
};

static struct program programs[MAX_RUNS];
static int control = -1;
static int mounts = -1;
static int64_t uncovered; /* how often the host has taken a mount away */

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
    l->settings = take_text(p, &l->settings_size);
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
    if (l->settings_size == KERNEL_TERMIOS && ioctl(slave, TCSETS, l->settings) != 0) {
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
 * close-on-exec mark, and one in another's place would be overwritten. Whatever is above 2 is closed last, but for
 * `kept`, if that is not -1. */
static int take_streams(const struct launch *l, int kept) {
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
    if (kept > FIRST_FREE && syscall(__NR_close_range, FIRST_FREE, kept - 1, 0) != 0) {
        return -1;
    }
    return (int) syscall(__NR_close_range, kept < 0 ? FIRST_FREE : kept + 1, ~0U, 0);
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

static _Noreturn void become(const struct launch *l) {
    if (enter_directory(l->directory) != 0) {
        give_up("chdir");
    }
    reset_signals();
    execve(l->program, l->argv, l->envp);
    give_up("execve");
}

static __attribute__((noinline)) pid_t launch(const struct launch *l) {
    failed_call = NULL;
    pid_t pid = vfork();
    if (pid != 0) {
        return pid;
    }
    if (take_streams(l, -1) != 0) {
        give_up("streams");
    }
    become(l);
}

/* The program can neither signal nor trace whoever leads it, where the kernel knows how to say that. */
static __attribute__((noinline)) pid_t launch_apart(const struct launch *l) {
    pid_t pid = vfork();
    if (pid != 0) {
        return pid;
    }
    if (setsid() < 0 || keep_to_itself() != 0) {
        give_up("landlock");
    }
    become(l);
}

/* The program's group is the terminal's foreground from its first instruction on. */
static __attribute__((noinline)) pid_t launch_in_front(const struct launch *l) {
    pid_t pid = vfork();
    if (pid != 0) {
        return pid;
    }
    if (setpgid(0, 0) != 0 || tcsetpgrp(0, getpid()) != 0) {
        give_up("tcsetpgrp");
    }
    become(l);
}

static _Noreturn void end_like(int status) {
    const struct rlimit no_core = {0, 0};
    if (WIFSIGNALED(status)) {
        sigset_t one;
        int number = WTERMSIG(status);
        setrlimit(RLIMIT_CORE, &no_core);
        syscall(__NR_rt_sigaction, number, default_action, NULL, 8);
        sigemptyset(&one);
        sigaddset(&one, number);
        kill(getpid(), number);
        sigprocmask(SIG_UNBLOCK, &one, NULL);
        _exit(128 + number);
    }
    _exit(WEXITSTATUS(status));
}

/* Stops when the program has stopped, so that the first process sees it, and goes on with it. One that is told to go
 * on at the same time, as everybody is after a pause, does not stop. */
static void stop_with(pid_t program) {
    const struct timespec at_once = {0, 0};
    sigset_t on;
    sigemptyset(&on);
    sigaddset(&on, SIGCONT);
    if (sigtimedwait(&on, NULL, &at_once) != SIGCONT) {
        kill(getpid(), SIGSTOP);
        sigtimedwait(&on, NULL, &at_once);
        tcsetpgrp(0, program);
    }
    kill(-program, SIGCONT);
}

static _Noreturn void follow(pid_t program) {
    sigset_t all;
    sigfillset(&all);
    for (;;) {
        int status;
        int number = sigwaitinfo(&all, NULL);
        if (number == SIGCHLD) {
            while (waitpid(program, &status, WNOHANG | WUNTRACED) > 0) {
                if (!WIFSTOPPED(status)) {
                    end_like(status);
                }
                stop_with(program);
            }
        } else if (number == SIGCONT || number == SIGHUP) {
            kill(-program, number);
        }
    }
}

struct news {
    pid_t program;
    int error;
    const char *call; /* NULL: it runs */
};

/* The leader of a terminal's session, the program's parent. With none in its session the program's group would be an
 * orphaned one, which Ctrl-Z does not stop and which may not read again once it was in the background. */
static _Noreturn void lead(const struct launch *l, int report) {
    struct news news = {0};
    failed_call = NULL;
    if (take_streams(l, report) != 0) {
        news = (struct news){0, errno, "streams"};
    } else {
        news.program = launch_in_front(l);
        news.error = news.program < 0 ? errno : failed_errno;
        news.call = news.program < 0 ? "vfork" : failed_call;
    }
    if (write(report, &news, sizeof news) != sizeof news || news.call != NULL) {
        _exit(127);
    }
    close(report);
    follow(news.program);
}

static pid_t parent_of(const char *process) {
    char path[32];
    char text[512];
    if (snprintf(path, sizeof path, "/proc/%.16s/stat", process) >= (int) sizeof path) {
        return -1;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    ssize_t size = read(fd, text, sizeof text - 1);
    close(fd);
    text[size < 0 ? 0 : size] = '\0';
    const char *name_end = strrchr(text, ')');
    int parent = -1;
    return name_end != NULL && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? parent : -1;
}

static void kill_children(void) {
    DIR *processes = opendir("/proc");
    if (processes == NULL) {
        return;
    }
    for (const struct dirent *one; (one = readdir(processes)) != NULL;) {
        if (one->d_name[0] >= '1' && one->d_name[0] <= '9' && parent_of(one->d_name) == getpid()) {
            kill((pid_t) strtol(one->d_name, NULL, 10), SIGKILL);
        }
    }
    closedir(processes);
}

/* Whatever lost its parent below has become this process's child. */
static _Noreturn void outlive(pid_t program) {
    int status;
    int last = 0;
    pid_t gone;
    while ((gone = waitpid(-1, &status, 0)) != program) {
        if (gone < 0 && errno != EINTR) {
            _exit(127);
        }
    }
    last = status;
    while ((gone = waitpid(-1, &status, WNOHANG)) >= 0) {
        if (gone == 0) {
            kill_children();
            waitpid(-1, &status, 0);
        }
    }
    end_like(last);
}

/* Like the leader of a terminal's session, but for a program of which nothing is to live on. */
static _Noreturn void lead_to_the_end(const struct launch *l, int report) {
    struct news news = {0, 0, "streams"};
    failed_call = NULL;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || take_streams(l, report) != 0) {
        news.error = errno;
    } else {
        news.program = launch_apart(l);
        news.error = news.program < 0 ? errno : failed_errno;
        news.call = news.program < 0 ? "vfork" : failed_call;
    }
    if (write(report, &news, sizeof news) != sizeof news || news.call != NULL) {
        _exit(127);
    }
    syscall(__NR_close_range, 0, ~0U, 0); /* the streams are the program's alone */
    outlive(news.program);
}

/* The leader's number, or -1 as fork() has it. */
static pid_t launch_led(const struct launch *l, pid_t *program) {
    struct news news = {0, ECHILD, "fork"};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return -1;
    }
    pid_t leader = fork();
    if (leader == 0 && l->rows == 0) {
        lead_to_the_end(l, ends[1]);
    }
    if (leader == 0) {
        lead(l, ends[1]);
    }
    close(ends[1]);
    if (leader > 0) {
        if (read(ends[0], &news, sizeof news) < 0) {
            news.error = errno;
        }
        failed_call = news.call;
        failed_errno = news.error;
        *program = news.program;
    }
    close(ends[0]);
    return leader;
}

static pid_t launch_act(const struct launch *l) {
    failed_call = NULL;
    pid_t pid = fork();
    if (pid == 0) {
        reset_signals();
        if (take_streams(l, -1) != 0) {
            _exit(1);
        }
        act_on_file(l->acts);
        _exit(1);
    }
    return pid;
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
    pid_t program = 0;
    bool is_led = l->rows != 0 || l->is_whole;
    pid_t pid = l->acts != NULL ? launch_act(l) : is_led ? launch_led(l, &program) : launch(l);
    if (pid < 0) {
        refuse(run, "vfork", "");
    } else if (failed_call != NULL) {
        errno = failed_errno;
        refuse(run, failed_call, strcmp(failed_call, "chdir") == 0 ? l->directory : l->program);
    } else {
        *place = (struct program){run, pid, is_led ? program : pid, l->rows != 0};
        announce(run, pid, l);
    }
}

static void start(const struct message *m, const struct passed *passed) {
    struct payload payload = {0};
    struct launch l = {.fds = {-1, -1, -1}, .master = -1, .is_whole = m->values[0] != 0};
    open_payload(&payload, passed->fds[0]);
    if (m->kind == ACT) {
        l.acts = &payload;
    } else if (read_launch(&l, &payload) != 0) {
        refuse(m->run, "mmap", "arguments");
        close_launch(&l, passed);
        close_payload(&payload);
        return;
    }
    if (l.rows == 0 && passed->count < 4) {
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
    int number = (int) m->values[0];
    if (p == NULL) {
        return;
    }
    bool is_led = p->group != p->pid;
    if (is_led && p->is_on_terminal && number == SIGCONT) {
        kill(p->pid, SIGCONT); /* the leader hands it on when the program has its terminal again */
        return;
    }
    if (kill(-p->group, number) != 0) {
        kill(p->group, number);
    }
    if (is_led && p->is_on_terminal && number == SIGKILL) {
        kill(p->pid, SIGCONT); /* one that has stopped with its program sees the end of it */
    }
}

/* The host has taken a mask away: before anybody here can make use of it, all stand still. */
static void stop_uncovered(void) {
    struct message m = {.kind = UNCOVERED, .values = {++uncovered}};
    kill(-1, SIGSTOP);
    post(control, &m, 0, NULL);
}

static void acknowledge(void) {
    struct message done = {.kind = DONE, .values = {uncovered}};
    post(control, &done, 0, NULL);
}

static void stop_everybody(void) {
    kill(-1, SIGSTOP);
    acknowledge();
}

/* An order that knows less than has been taken away meanwhile lets nobody go on. */
static void let_go_on(int64_t covered) {
    struct pollfd change = {mounts, POLLPRI, 0};
    if (poll(&change, 1, 0) > 0 && (change.revents & POLLPRI) != 0) {
        stop_uncovered();
    }
    if (covered == uncovered) {
        kill(-1, SIGCONT);
    }
    acknowledge();
}

/* Whoever gets it connects it: nothing of the cage has a say in where it goes. */
static void hand_out_socket(const struct message *m) {
    int family = m->values[0] == 6 ? AF_INET6 : AF_INET;
    int s = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct message answer = {.kind = SOCKET, .run = m->run, .values = {s < 0 ? errno : 0}};
    struct passed made = {s >= 0, {s}};
    post(control, &answer, 0, &made);
    if (s >= 0) {
        close(s);
    }
}

static void obey(void) {
    static struct message m;
    static struct passed passed;
    if (!receive(control, &m, &passed)) {
        _exit(0); /* the supervisor is gone */
    }
    switch (m.kind) {
        case EXEC:
        case ACT:
            if (passed.count > 0) {
                start(&m, &passed);
            }
            break;
        case SIGNAL: send_signal(&m); break;
        case PAUSE: stop_everybody(); break;
        case RESUME: let_go_on(m.values[0]); break;
        case KILL: kill(-1, SIGKILL); break;
        case DIAL: hand_out_socket(&m); break;
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
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG | WUNTRACED, &used)) > 0;) {
        struct program *p = find_pid(pid);
        if (p != NULL && WIFSTOPPED(status)) {
            if (p->is_on_terminal) {
                struct message m = {.kind = STOPPED, .run = p->run};
                post(control, &m, 0, NULL);
            }
        } else if (p != NULL) {
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

/* Only these stay, and above the standard streams: a program's own streams are moved there, and one that already had
 * such a number would be lost on the way. */
static void close_all_but(const struct pollfd *kept, int count) {
    occupy_standard_streams();
    for (int from = FIRST_FREE, next = FIRST_FREE; next >= 0; from = next + 1) {
        next = -1;
        for (int i = 0; i < count; i++) {
            if (kept[i].fd >= from && (next < 0 || kept[i].fd < next)) {
                next = kept[i].fd;
            }
        }
        if (next != from) {
            syscall(__NR_close_range, from, next < 0 ? ~0U : (unsigned) next - 1, 0);
        }
    }
}

void serve_programs(const struct cage *c) {
    struct message ready = {.kind = READY, .values = {c->ready}};
    control = c->control;
    mounts = c->mounts;
    struct pollfd events[3] = {{control, POLLIN, 0}, {listen_for_children(), POLLIN, 0}, {mounts, POLLPRI, 0}};
    post(control, &ready, 0, &c->net);
    close_all_but(events, 3);
    for (;;) {
        if (poll(events, 3, -1) < 0 && errno != EINTR) {
            _exit(1);
        }
        if ((events[2].revents & POLLPRI) != 0) {
            stop_uncovered();
        }
        if (events[1].revents != 0) {
            reap(events[1].fd);
        }
        if (events[0].revents != 0) {
            obey();
        }
    }
}
