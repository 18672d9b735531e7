/* Who the workload is: never the host's root, always one unprivileged user who owns the workspace. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static void write_file(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        die("identity", "open(%s)", path);
    }
    if (write(fd, text, strlen(text)) < 0) {
        die("identity", "write(%s, \"%s\")", path, text);
    }
    close(fd);
}

static void write_map(const char *process, const char *file, unsigned inside, unsigned outside) {
    char path[64];
    char text[64];
    snprintf(path, sizeof path, "/proc/%s/%s", process, file);
    snprintf(text, sizeof text, "%u %u 1", inside, outside);
    write_file(path, text);
}

void write_maps(pid_t child, uid_t inside_uid, uid_t outside_uid, gid_t inside_gid, gid_t outside_gid) {
    char process[16];
    snprintf(process, sizeof process, "%d", child);
    write_map(process, "gid_map", inside_gid, outside_gid);
    write_map(process, "uid_map", inside_uid, outside_uid);
}

/* A user namespace in which the owner on disk is the cage's user; only its descriptor stays. */
static int new_idmap_namespace(const struct entry *e, const struct cage *c) {
    pid_t child = (pid_t) syscall(__NR_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) {
            pause();
        }
    }
    if (child < 0) {
        die("identity", "clone(NEWUSER)");
    }
    write_maps(child, e->disk_uid, c->uid, e->disk_gid, c->gid);
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/ns/user", child);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int reason = errno;
    kill(child, SIGKILL);
    if (fd < 0) {
        errno = reason;
        die("identity", "open(%s)", path);
    }
    return fd;
}

struct mapping {
    uid_t disk_uid, uid;
    gid_t disk_gid, gid;
};

/* Making one costs a process, and most cages need the same. Nothing runs in it, so nothing is shared. */
int idmap_namespace(const struct entry *e, const struct cage *c) {
    static struct mapping known[IDMAPS];
    static unsigned count;
    struct mapping wanted = {e->disk_uid, c->uid, e->disk_gid, c->gid};
    for (unsigned i = 0; i < count && i < IDMAPS; i++) {
        if (memcmp(&known[i], &wanted, sizeof wanted) == 0) {
            return FIRST_IDMAP + (int) i;
        }
    }
    int made = new_idmap_namespace(e, c);
    unsigned place = count % IDMAPS;
    if (dup3(made, FIRST_IDMAP + (int) place, O_CLOEXEC) < 0) {
        die("identity", "dup3()");
    }
    known[place] = wanted;
    count++;
    return FIRST_IDMAP + (int) place;
}

static void take_mapped_identity(const struct cage *c) {
    if (setgroups(0, NULL) != 0) {
        die("identity", "setgroups(0)");
    }
    if (setresgid(c->gid, c->gid, c->gid) != 0) {
        die("identity", "setresgid(%u)", c->gid);
    }
    if (setresuid(c->uid, c->uid, c->uid) != 0) {
        die("identity", "setresuid(%u)", c->uid);
    }
}

void take_identity(const struct cage *c) {
    if (c->uid == 0) {
        errno = EPERM;
        die("identity", "uid 0 in a cage");
    }
    if (c->by_root) {
        take_mapped_identity(c);
        return;
    }
    write_file("/proc/self/setgroups", "deny");
    write_map("self", "gid_map", c->gid, c->gid);
    write_map("self", "uid_map", c->uid, c->uid);
}
