/* The spawn server: started once by the supervisor, it turns each request into the first process of a new
 * cage. It holds no state but its socket; when the supervisor is gone, so are this process and every cage. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

static struct cage cage;

static void become_a_server(void) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_IGN);
    setsid(); /* what the supervisor's terminal sends to its foreground, a hang-up too, is the supervisor's affair */
    signal(SIGCHLD, SIG_IGN); /* the kernel reaps */
    fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
    syscall(__NR_close_range, CONTROL_FD + 1, ~0U, 0);
    occupy_standard_streams();
    prctl(PR_SET_NAME, "cagewright");
    umask(0); /* permissions are given in full */
    if (chdir("/") != 0) {
        _exit(1);
    }
}

static void adopt(const struct message *m, const struct passed *passed) {
    memset(&cage, 0, offsetof(struct cage, entry));
    cage.by_root = m->values[0] != 0;
    cage.control = passed->fds[1];
    cage.maps_ready = -1;
    for (int i = 2; i < passed->count; i++) {
        cage.group_fds[cage.groups++] = passed->fds[i];
    }
    report_socket = cage.control;
}

static pid_t clone_with_namespaces(int *pidfd) {
    unsigned long flags = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
                          | CLONE_PIDFD | SIGCHLD;
    return (pid_t) syscall(__NR_clone, flags, NULL, pidfd, NULL, NULL);
}

static _Noreturn void build(void) {
    signal(SIGCHLD, SIG_DFL);
    close(CONTROL_FD);
    /* The order matters: each line takes away something that an earlier line still needed. */
    join_control_groups(&cage);
    volunteer_for_the_oom_killer();
    take_identity(&cage);
    name_the_machine(&cage);
    raise_loopback(&cage);
    open_net_cell(&cage);
    if (!cage.by_root) {
        open_sources(&cage);
    }
    build_tree(&cage);
    enter_tree();
    drop_capabilities();
    bind_to_supervisor(&cage);
    set_limits(&cage);
    landlock_everything_else(&cage);
    filter_system_calls(&cage);
    serve_programs(&cage);
}

static void announce(pid_t child, int pidfd) {
    struct message m = {.kind = SPAWNED, .values = {child}};
    struct passed fds = {1, {pidfd}};
    post(cage.control, &m, 0, &fds);
    close(pidfd);
}

/* The server itself runs as root here: it opens what the cage's user could not, and writes the maps. */
static void prepare_as_root(int payload_fd, int maps[2]) {
    open_payload(&cage.payload, payload_fd);
    read_cage(&cage);
    open_sources(&cage);
    if (pipe2(maps, O_CLOEXEC) != 0) {
        die("identity", "pipe2()");
    }
    cage.maps_ready = maps[0];
}

static void spawn(int payload_fd) {
    int maps[2] = {-1, -1};
    int pidfd = -1;
    if (cage.by_root) {
        prepare_as_root(payload_fd, maps);
    }
    pid_t child = clone_with_namespaces(&pidfd);
    if (child == 0) {
        die_for_good();
        close(maps[1]);
        if (!cage.by_root) {
            open_payload(&cage.payload, payload_fd);
            read_cage(&cage);
        }
        build();
    }
    if (child < 0) {
        die("namespaces", "clone(NEWUSER|NEWNS|NEWPID|NEWNET|NEWIPC|NEWUTS)");
    }
    announce(child, pidfd);
    if (cage.by_root) {
        write_maps(child, cage.uid, cage.uid, cage.gid, cage.gid);
        if (write(maps[1], "", 1) != 1) {
            die("identity", "write(maps)");
        }
    }
}

/* Whatever a request has opened or mapped is given back, also when it failed half-way. */
static void forget_request(void) {
    close_payload(&cage.payload);
    syscall(__NR_close_range, CONTROL_FD + 1, ~0U, 0);
}

int main(int count, char **arguments) {
    static struct message m;
    static struct passed passed;
    if (count == 2 && strcmp(arguments[1], "probe") == 0) {
        return probe_main();
    }
    become_a_server();
    while (receive(CONTROL_FD, &m, &passed)) {
        if (m.kind == CREATE && passed.count >= 2 && setjmp(after_failure) == 0) {
            adopt(&m, &passed);
            spawn(passed.fds[0]);
        }
        forget_request();
    }
    return 0;
}
