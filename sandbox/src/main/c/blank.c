/* A blank: the first process of a cage that does not know yet which. It has its namespaces and sits in its control
 * groups, because the kernel makes the first move of a process into one of version 1 wait until every processor has
 * passed a quiet point; that takes longer than all the rest. It has given up what no cage needs while it is built. Where
 * its user is known and the server opens the sources, it has left the host's mounts for an empty ground; otherwise it
 * has no mount namespace yet, because one that waits would keep a view of the host that grows old. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

enum { SEAM_FD = CONTROL_FD + 1 };

/* Of the server's descriptors only the control socket, the seam and the groups stay; those go one by one. */
static void take_ends(struct cage *c, int seam) {
    if (dup3(c->control, CONTROL_FD, O_CLOEXEC) < 0 || dup3(seam, SEAM_FD, O_CLOEXEC) < 0) {
        die("namespaces", "dup3()");
    }
    c->control = CONTROL_FD;
    report_socket = CONTROL_FD;
    syscall(__NR_close_range, SEAM_FD + 1, FIRST_LOOSE - 1, 0);
}

/* The server could not do its part; the supervisor hears of it by this process's line. */
static _Noreturn void pass_on_failure(const struct cage *c, const struct message *m) {
    size_t step = strnlen(m->text, MAX_TEXT - 1) + 1;
    size_t call = strnlen(m->text + step, MAX_TEXT - step);
    post(c->control, m, step + call, NULL);
    _exit(1);
}

/* Ends this process when nobody needs it any more. */
static void hear(const struct cage *c, uint32_t kind, struct message *m, struct passed *passed) {
    struct pollfd events[2] = {{SEAM_FD, POLLIN, 0}, {c->control, POLLIN, 0}};
    int count;
    do {
        count = poll(events, 2, -1);
    } while (count < 0 && errno == EINTR);
    memset(m->text, 0, sizeof m->text);
    if (events[0].revents == 0 || !receive(SEAM_FD, m, passed)) {
        _exit(0);
    }
    if (m->kind == FAILED) {
        pass_on_failure(c, m);
    }
    if (m->kind != kind) {
        _exit(1);
    }
}

static void keep_sources(struct cage *c, const struct message *m, const struct passed *passed) {
    uint32_t numbers[MAX_PASSED];
    memcpy(numbers, m->text, sizeof numbers);
    for (int i = 0; i < passed->count; i++) {
        if (numbers[i] >= c->entries) {
            errno = EBADMSG;
            die("request", "source %u", numbers[i]);
        }
        c->source_fd[numbers[i]] = passed->fds[i];
    }
}

void take_sources(struct cage *c) {
    static struct message m;
    static struct passed passed;
    do {
        hear(c, SOURCES, &m, &passed);
        keep_sources(c, &m, &passed);
    } while (m.values[0] != 0);
}

static void hear_specification(struct cage *c) {
    static struct message m;
    static struct passed passed;
    hear(c, FILL, &m, &passed);
    if (passed.count != 1) {
        _exit(1);
    }
    open_payload(&c->payload, passed.fds[0]);
    read_cage(c);
}

static void hear_identity(struct cage *c) {
    static struct message m;
    static struct passed passed;
    hear(c, MAPPED, &m, &passed);
    take_identity(c);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* the change of identity has cleared it */
}

/* Who it is cannot be changed any more. */
static void require_identity(const struct cage *c, uid_t uid, gid_t gid) {
    if (c->uid != uid || c->gid != gid) {
        errno = EPERM;
        die("identity", "user %u:%u in a blank of %u:%u", c->uid, c->gid, uid, gid);
    }
}

static void leave_the_hosts_namespace(void) {
    if (unshare(CLONE_NEWNS) != 0) {
        die("namespaces", "unshare(NEWNS)");
    }
}

void wait_as_blank(struct cage *c, int seam) {
    take_ends(c, seam);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    join_control_groups(c);
    syscall(__NR_close_range, SEAM_FD + 1, ~0U, 0); /* the server's end of the seam too: its end must be seen */
    volunteer_for_the_oom_killer();
    if (!c->by_root) {
        take_identity(c);
    }
    raise_loopback(c);
    if (c->grounded) {
        hear_identity(c);
        leave_the_hosts_namespace();
        lay_ground();
    }
    bound_capabilities();
    filter_what_no_cage_needs();
    uid_t uid = c->uid;
    gid_t gid = c->gid;
    hear_specification(c);
    if (c->grounded) {
        require_identity(c, uid, gid);
        return;
    }
    if (c->by_root) {
        take_identity(c); /* the server has written the maps before it wrote to us */
    }
    leave_the_hosts_namespace();
}

static void pass_on(int seam, const struct message *m, size_t text, const struct passed *passed) {
    if (post(seam, m, text, passed) != 0) {
        die("namespaces", "sendmsg(blank)");
    }
}

void pass_on_identity(int seam) {
    struct message m = {.kind = MAPPED};
    pass_on(seam, &m, 0, NULL);
}

void pass_on_payload(int seam, int payload) {
    struct message m = {.kind = FILL};
    struct passed passed = {1, {payload}};
    pass_on(seam, &m, 0, &passed);
}

void pass_on_sources(const struct cage *c, int seam) {
    struct message m = {.kind = SOURCES, .values = {1}};
    struct passed passed = {0};
    for (uint32_t i = 0; i < c->entries; i++) {
        if (c->source_fd[i] < 0) {
            continue;
        }
        if (passed.count == MAX_PASSED) {
            pass_on(seam, &m, sizeof i * MAX_PASSED, &passed);
            passed.count = 0;
        }
        memcpy(m.text + sizeof i * (size_t) passed.count, &i, sizeof i);
        passed.fds[passed.count++] = c->source_fd[i];
    }
    m.values[0] = 0;
    pass_on(seam, &m, sizeof(uint32_t) * (size_t) passed.count, &passed);
}
