/* Runs a command and stops it at a named step, to kill one of its processes there or to change the world around
 * it. Nothing in the command knows of it: a seccomp filter, which every process of the command inherits, reports
 * each call that makes, moves, removes, flushes, mounts or sends something, before it happens
 * (seccomp_unotify(2)). The filter lives as long as anything that inherited it, so the end of the last process is
 * seen for certain.
 *
 *   stopper REPORT STEP ACT COMMAND...
 *
 * REPORT gets a line for each step, and the end. STEP is one of those lines' names, or "-". ACT is the process to
 * kill with SIGKILL: supervisor, helper or init; "sh:" and a line for the shell, which runs while the step waits; or
 * "fail:" and the number of an error, which the step and all later ones like it end with instead of happening. */
#define _GNU_SOURCE
#include "stopper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICK = 50, PATIENCE = 60, AFTER_KILL = 20 };

static FILE *report;
static const char *wanted;
static const char *act;
static struct cast cast;
static int root_status = -1;
static time_t deadline;
static char failing[STEP_SIZE]; /* what fails from now on, without its count */

static _Noreturn void fail(const char *what) {
    perror(what);
    _exit(99);
}

static void reap(int options) {
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, options)) > 0;) {
        if (pid == cast.supervisor) {
            root_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
    }
}

static pid_t victim(void) {
    if (strcmp(act, "supervisor") == 0) {
        return cast.supervisor;
    }
    return strcmp(act, "helper") == 0 ? cast.helper : cast.init;
}

static void strike(void) {
    if (strncmp(act, "sh:", 3) == 0) {
        fprintf(report, "struck %s\n", system(act + 3) == 0 ? "done" : "failed");
        return;
    }
    if (strncmp(act, "fail:", 5) == 0) {
        snprintf(failing, sizeof failing, "%.*s", (int) strcspn(wanted, "#"), wanted);
        fputs("struck failing\n", report);
        return;
    }
    pid_t pid = victim();
    fprintf(report, "struck %s\n", pid > 0 && kill(pid, SIGKILL) == 0 ? act : "nobody");
    deadline = time(NULL) + AFTER_KILL;
}

/* The error that the call is to end with; 0 to let it happen. */
static int step(int listener, const struct seccomp_notif *n) {
    static char name[STEP_SIZE];
    if (!name_step(n, &cast, name)) {
        return 0;
    }
    int times = count_step(name);
    size_t length = strlen(name);
    snprintf(name + length, sizeof name - length, "#%d", times);
    fprintf(report, "step %s%s %s\n", cast.helper > 0 ? "h" : "-", cast.init > 0 ? "i" : "-", name);
    fflush(report);
    __u64 id = n->id;
    if (strcmp(name, wanted) == 0 && ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0) {
        strike();
    }
    name[length] = 0;
    return strcmp(name, failing) == 0 ? -atoi(act + 5) : 0;
}

static void serve(int listener) {
    struct pollfd p = {listener, POLLIN, 0};
    for (;;) {
        poll(&p, 1, TICK);
        reap(WNOHANG);
        if (p.revents & POLLIN) {
            struct seccomp_notif n = {0};
            if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &n) == 0) {
                struct seccomp_notif_resp r = {.id = n.id, .error = step(listener, &n)};
                r.flags = r.error == 0 ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
                ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &r);
            }
        } else if (p.revents & POLLHUP) {
            return;
        }
        if (time(NULL) > deadline) {
            list_survivors(report, listener);
            return;
        }
    }
}

/* The number of the descriptor comes by a pipe: sending the descriptor itself would be a step. */
static void become_the_command(int to_parent, int from_parent, char **command) {
    int listener = install_filter();
    char go;
    if (listener < 0) {
        fail("seccomp");
    }
    if (write(to_parent, &listener, sizeof listener) != sizeof listener || read(from_parent, &go, 1) != 1) {
        fail("pipe");
    }
    close(listener);
    close(to_parent);
    close(from_parent);
    execvp(command[0], command);
    fail(command[0]);
}

static int start(char **command) {
    int up[2];
    int down[2];
    int number;
    if (pipe(up) != 0 || pipe(down) != 0) {
        fail("pipe");
    }
    cast.supervisor = fork();
    if (cast.supervisor == 0) {
        close(up[0]);
        close(down[1]);
        become_the_command(up[1], down[0], command);
    }
    close(up[1]);
    close(down[0]);
    int process = (int) syscall(__NR_pidfd_open, cast.supervisor, 0);
    if (process < 0 || read(up[0], &number, sizeof number) != sizeof number) {
        fail("start");
    }
    int listener = (int) syscall(__NR_pidfd_getfd, process, number, 0);
    if (listener < 0 || write(down[1], "", 1) != 1) {
        fail("pidfd_getfd");
    }
    close(up[0]);
    close(down[1]);
    close(process);
    return listener;
}

int main(int count, char **words) {
    if (count < 5) {
        fputs("usage: stopper REPORT STEP ACT COMMAND...\n", stderr);
        return 2;
    }
    report = fopen(words[1], "we");
    wanted = words[2];
    act = words[3];
    if (report == NULL || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
        fail(words[1]);
    }
    deadline = time(NULL) + PATIENCE;
    serve(start(words + 4));
    reap(0);
    fprintf(report, "end %d\n", root_status);
    return fclose(report) == 0 ? 0 : 99;
}
