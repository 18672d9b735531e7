/* The smaller things a cage gives up, and its place in the host's control groups. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* While the process is still the supervisor's user: cgroup.procs checks who opened it and who moves. */
void join_control_groups(const struct cage *c) {
    for (int i = 0; i < c->groups; i++) {
        if (write(c->group_fds[i], "0", 1) != 1) {
            die("control groups", "write(cgroup.procs)");
        }
        close(c->group_fds[i]);
    }
    if (unshare(CLONE_NEWCGROUP) != 0) {
        die("namespaces", "unshare(NEWCGROUP)");
    }
}

/* The kernel's out-of-memory killer shall take a cage before anything else. */
void volunteer_for_the_oom_killer(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        (void) !write(fd, "1000", 4);
        close(fd);
    }
}

void name_the_machine(const struct cage *c) {
    if (sethostname(c->hostname, strlen(c->hostname)) != 0 || setdomainname("", 0) != 0) {
        die("namespaces", "sethostname(%s)", c->hostname);
    }
}

/* What no program may ever get, by execve(2); this process keeps what it has until drop_capabilities(). */
void bound_capabilities(void) {
    for (int capability = 0; capability <= 63; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability) != 0 && errno != EINVAL) {
            die("capabilities", "prctl(PR_CAPBSET_DROP, %d)", capability);
        }
    }
}

void drop_capabilities(void) {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP
                                     | SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED
                                     | SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED) != 0) {
        die("capabilities", "prctl(PR_SET_SECUREBITS)");
    }
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    if (syscall(__NR_capset, &head, none) != 0) {
        die("capabilities", "capset(0)");
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        die("capabilities", "prctl(PR_SET_NO_NEW_PRIVS)");
    }
}

/* After the last change of identity, which would clear both. */
void bind_to_supervisor(const struct cage *c) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_DUMPABLE, 0) != 0) {
        die("privileges", "prctl(PR_SET_PDEATHSIG)");
    }
    struct pollfd gone = {c->control, POLLIN, 0};
    if (poll(&gone, 1, 0) > 0 && (gone.revents & POLLHUP) != 0) {
        _exit(1);
    }
}

static void lower(int resource, const char *name, uint64_t wanted) {
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t) resource, &now) != 0) {
        die("limits", "getrlimit(%s)", name);
    }
    rlim_t value = wanted == UINT64_MAX ? RLIM_INFINITY : (rlim_t) wanted;
    struct rlimit next = {value < now.rlim_cur ? value : now.rlim_cur, value < now.rlim_max ? value : now.rlim_max};
    if (setrlimit((__rlimit_resource_t) resource, &next) != 0) {
        die("limits", "setrlimit(%s)", name);
    }
}

void set_limits(const struct cage *c) {
    lower(RLIMIT_CORE, "RLIMIT_CORE", 0);
    lower(RLIMIT_NPROC, "RLIMIT_NPROC", c->limits.processes);
    lower(RLIMIT_NOFILE, "RLIMIT_NOFILE", c->limits.open_files);
    lower(RLIMIT_FSIZE, "RLIMIT_FSIZE", c->limits.file_size);
    lower(RLIMIT_DATA, "RLIMIT_DATA", c->limits.data);
    lower(RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK", 64 << 20);
    lower(RLIMIT_MSGQUEUE, "RLIMIT_MSGQUEUE", 819200);
}
