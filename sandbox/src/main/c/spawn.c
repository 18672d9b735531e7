/* The spawn server: started once by the supervisor, it makes the first processes of cages. Each begins as a
 * blank, with its namespaces and control groups but nothing else, and becomes a cage once it gets a specification.
 * When the supervisor is gone, so are this process, every blank and every cage. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

static struct cage cage;

/* The first processes that wait for their specification. Each has a place in this table, and the server's end of
 * its seam at FIRST_SEAM + place. */
static struct {
    uint32_t number; /* 0: a free place */
    pid_t pid;
    bool mapped; /* its user is written */
} blanks[SEAMS];

static int place_of(uint32_t number) {
    for (int i = 0; i < SEAMS; i++) {
        if (blanks[i].number == number) {
            return i;
        }
    }
    return -1;
}

/* 0 is harmless, and this process can do nothing without it. */
static void put_back(int number) {
    if (dup3(0, number, O_CLOEXEC) < 0) {
        _exit(1);
    }
}

static void occupy_kept_numbers(void) {
    for (int i = FIRST_IDMAP; i < FIRST_LOOSE; i++) {
        put_back(i);
    }
}

static void become_a_server(void) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_IGN);
    setsid(); /* what the supervisor's terminal sends to its foreground, a hang-up too, is the supervisor's affair */
    signal(SIGCHLD, SIG_IGN); /* the kernel reaps */
    fcntl(CONTROL_FD, F_SETFD, FD_CLOEXEC);
    syscall(__NR_close_range, FIRST_IDMAP, ~0U, 0);
    occupy_standard_streams();
    occupy_kept_numbers();
    prctl(PR_SET_NAME, "cagewright");
    umask(0); /* permissions are given in full */
    if (chdir("/") != 0) {
        _exit(1);
    }
}

/* The blank sees the end of its seam and ends, if it is still one. */
static void let_go(int place) {
    put_back(FIRST_SEAM + place);
    blanks[place].number = 0;
}

/* Without a mount namespace: a blank that waits would keep a view of the host that grows old. */
static pid_t clone_with_namespaces(int *pidfd) {
    unsigned long flags =
        CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_PIDFD | SIGCHLD;
    return (pid_t) syscall(__NR_clone, flags, NULL, pidfd, NULL, NULL);
}

static _Noreturn void build(int seam) {
    die_for_good();
    signal(SIGCHLD, SIG_DFL);
    /* The order matters: each line takes away something that an earlier line still needed. */
    wait_as_blank(&cage, seam);
    name_the_machine(&cage);
    open_net_cell(&cage);
    if (cage.by_root) {
        stage_tree(&cage);
        take_sources(&cage);
    } else {
        open_sources(&cage);
        stage_tree(&cage);
    }
    build_tree(&cage);
    enter_tree(&cage);
    open_own_doors(&cage);
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
}

static void adopt(const struct message *m, const struct passed *passed) {
    memset(&cage, 0, offsetof(struct cage, entry));
    cage.by_root = m->values[0] != 0;
    cage.uid = (uid_t) m->values[1];
    cage.gid = (gid_t) m->values[2];
    cage.grounded = cage.by_root && cage.uid != 0;
    cage.control = passed->fds[0];
    for (int i = 1; i < passed->count; i++) {
        cage.group_fds[cage.groups++] = passed->fds[i];
    }
    report_socket = cage.control;
}

static void make_blank(const struct message *m, const struct passed *passed) {
    int ends[2];
    int pidfd = -1;
    adopt(m, passed);
    int place = place_of(0);
    if (place < 0) {
        errno = EAGAIN;
        die("namespaces", "blank(%d wait already)", SEAMS);
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        die("namespaces", "socketpair()");
    }
    pid_t child = clone_with_namespaces(&pidfd);
    if (child == 0) {
        build(ends[1]);
    }
    if (child < 0) {
        die("namespaces", "clone(NEWUSER|NEWPID|NEWNET|NEWIPC|NEWUTS)");
    }
    announce(child, pidfd);
    if (dup3(ends[0], FIRST_SEAM + place, O_CLOEXEC) < 0) {
        _exit(1);
    }
    blanks[place].number = m->run;
    blanks[place].pid = child;
    blanks[place].mapped = cage.grounded;
    if (cage.grounded) {
        write_maps(child, cage.uid, cage.uid, cage.gid, cage.gid);
        pass_on_identity(FIRST_SEAM + place);
    }
}

/* As root the server itself opens what the cage's user could not, and writes the maps. */
static void fill(const struct message *m, const struct passed *passed, int place) {
    memset(&cage, 0, offsetof(struct cage, entry));
    cage.by_root = m->values[0] != 0;
    report_socket = FIRST_SEAM + place;
    if (cage.by_root) {
        open_payload(&cage.payload, passed->fds[0]);
        read_cage(&cage);
        if (!blanks[place].mapped) {
            write_maps(blanks[place].pid, cage.uid, cage.uid, cage.gid, cage.gid);
        }
    }
    pass_on_payload(FIRST_SEAM + place, passed->fds[0]);
    if (cage.by_root) {
        open_sources(&cage);
        pass_on_sources(&cage, FIRST_SEAM + place);
    }
}

static void cover(const struct message *m, const struct passed *passed) {
    memset(&cage, 0, offsetof(struct cage, entry));
    cage.by_root = m->values[0] != 0;
    report_socket = passed->fds[COVER_DOORS + 1];
    pid_t child = fork();
    if (child == 0) {
        cover_again(&cage, passed);
    }
    if (child < 0) {
        die("masks", "fork()");
    }
}

/* Whatever a request has opened or mapped is given back, also when it failed half-way. */
static void forget_request(void) {
    close_payload(&cage.payload);
    syscall(__NR_close_range, FIRST_LOOSE, ~0U, 0);
}

static void serve(const struct message *m, const struct passed *passed) {
    bool is_new = m->kind == BLANK && m->run != 0;
    bool is_known = m->run != 0 && place_of(m->run) >= 0;
    if (setjmp(after_failure) == 0) {
        if (is_new && !is_known && passed->count >= 1) {
            make_blank(m, passed);
        } else if (m->kind == FILL && is_known && passed->count == 1) {
            fill(m, passed, place_of(m->run));
        } else if (m->kind == COVER && passed->count == COVER_DOORS + 2) {
            cover(m, passed);
        }
    }
    if (!is_new && is_known) {
        let_go(place_of(m->run));
    }
    forget_request();
}

int main(int count, char **arguments) {
    static struct message m;
    static struct passed passed;
    if (count == 2 && strcmp(arguments[1], "probe") == 0) {
        return probe_main();
    }
    become_a_server();
    while (receive(CONTROL_FD, &m, &passed)) {
        serve(&m, &passed);
    }
    return 0;
}
