/* Other processes: PID 1 of the cage and those of the host. Outside a cage the fact `init` names a harmless
 * process of the test, so the control run touches nothing else. */
#include "probe.h"

#include <dirent.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>

static pid_t init(void) { return fact_number("init"); }
static pid_t host_process(void) { return fact_number("host-pid"); }

static pid_t sleeping_child(void) {
    pid_t pid = fork();
    if (pid == 0) {
        pause();
        _exit(0);
    }
    return pid;
}
static int end(pid_t pid, int problem) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return problem;
}

static int wait_for_child(void) {
    pid_t pid = sleeping_child();
    return end(pid, answer(kill(pid, 0)));
}
static int seize(pid_t pid) {
    if (ptrace(PTRACE_SEIZE, pid, 0, 0) < 0)
        return errno;
    ptrace(PTRACE_INTERRUPT, pid, 0, 0);
    waitpid(pid, NULL, __WALL);
    ptrace(PTRACE_DETACH, pid, 0, 0);
    return 0;
}
static int seize_init(void) { return seize(init()); }
static int seize_child(void) {
    pid_t pid = sleeping_child();
    return end(pid, seize(pid));
}
static int trace_me(void) { return answer(ptrace(PTRACE_TRACEME, 0, 0, 0)); }

static int read_memory(pid_t pid, int is_write) {
    static char here[8];
    static char there[8];
    struct iovec local = {here, sizeof here};
    struct iovec remote = {there, sizeof there};
    long moved = is_write ? process_vm_writev(pid, &local, 1, &remote, 1, 0) : process_vm_readv(pid, &local, 1, &remote, 1, 0);
    /* EFAULT: the target has nothing there, but the kernel did look. */
    return reached(moved, EFAULT);
}
static int vm_read_init(void) { return read_memory(init(), 0); }
static int vm_write_child(void) {
    pid_t pid = sleeping_child();
    return end(pid, read_memory(pid, 1));
}

static int steal_descriptor(pid_t pid) {
    int handle = (int)syscall(SYS_pidfd_open, pid, 0);
    if (handle < 0)
        return errno;
    return answer(syscall(SYS_pidfd_getfd, handle, 1, 0));
}
static int pidfd_child(void) {
    pid_t pid = sleeping_child();
    return end(pid, answer(syscall(SYS_pidfd_open, pid, 0)));
}
static int pidfd_steal_init(void) { return steal_descriptor(init()); }
static int pidfd_steal_child(void) {
    pid_t pid = sleeping_child();
    return end(pid, steal_descriptor(pid));
}
static int compare_kernel_objects(void) { return answer(syscall(SYS_kcmp, init(), getpid(), 0, 0, 0)); }

static int kill_child(void) {
    pid_t pid = sleeping_child();
    return end(pid, answer(kill(pid, SIGTERM)));
}
static int kill_host(void) { return answer(kill(host_process(), 0)); }
static int queue_signal_host(void) {
    siginfo_t info = {.si_signo = 0, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    return answer(syscall(SYS_rt_sigqueueinfo, host_process(), 0, &info));
}
static int pidfd_host(void) { return answer(syscall(SYS_pidfd_open, host_process(), 0)); }

/* The kernel takes the call and drops a signal that init's own namespace sends; being alive is the proof. */
static int kill_init(void) {
    if (is_outside()) {
        pid_t stand_in = sleeping_child();
        kill(stand_in, SIGKILL);
        return answer(waitpid(stand_in, NULL, 0));
    }
    if (kill(init(), SIGKILL) < 0)
        return errno;
    usleep(200000);
    return EALREADY;
}
static int stop_init(void) {
    char path[64];
    char line[512] = "";
    if (kill(init(), SIGSTOP) < 0)
        return errno;
    usleep(20000);
    snprintf(path, sizeof path, "/proc/%d/stat", init());
    FILE *file = fopen(path, "r");
    if (!file)
        return errno;
    char *got = fgets(line, sizeof line, file);
    fclose(file);
    char *state = got ? strrchr(line, ')') : NULL;
    kill(init(), SIGCONT);
    return state && state[2] == 'T' ? 0 : EALREADY;
}

static int own_process_is_seen(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", getpid());
    return act_read(path);
}
static int host_process_is_seen(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", host_process());
    return act_read(path);
}
/* A cage holds PID 1, this program and its child: far from the number of processes of a host. */
static int many_processes(void) {
    DIR *dir = opendir("/proc");
    int count = 0;
    if (!dir)
        return errno;
    for (struct dirent *entry; (entry = readdir(dir));)
        count += atoi(entry->d_name) > 0;
    closedir(dir);
    return count > 8 ? 0 : ESRCH;
}
static int supervisor_in_command_line(void) {
    static char text[4096];
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/cmdline", init());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    long got = read(file, text, sizeof text - 1);
    close(file);
    for (long i = 0; i < got; i++)
        if (text[i] == '/' || text[i] == '=')
            return 0;
    return ENODATA;
}

static int limit_self(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return errno;
    limit.rlim_cur /= 2;
    return answer(setrlimit(RLIMIT_NOFILE, &limit));
}
static int limit_host(void) {
    struct rlimit limit;
    return answer(syscall(SYS_prlimit64, host_process(), RLIMIT_NOFILE, NULL, &limit));
}
static int raise_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_RTPRIO, &limit) < 0)
        return errno;
    limit.rlim_max += 1;
    return answer(setrlimit(RLIMIT_RTPRIO, &limit));
}
static int nice_self(void) { return answer(setpriority(PRIO_PROCESS, 0, 5)); }
static int nice_host(void) { return answer(setpriority(PRIO_PROCESS, (id_t)host_process(), 5)); }
static int nicer_self(void) { return answer(setpriority(PRIO_PROCESS, 0, -10)); }

static int crash_quietly(void) { return answer(raise(0)); }
static int raise_core_limit(void) {
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return answer(setrlimit(RLIMIT_CORE, &limit));
}
static int crash(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
    if (is_outside()) {
        limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
        setrlimit(RLIMIT_CORE, &limit);
    }
    if (chdir(in_workspace("free")) < 0)
        return errno;
    pid_t pid = fork();
    if (pid == 0) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    int status;
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status) && WCOREDUMP(status)) {
        unlink("core");
        return 0;
    }
    return ENODATA;
}

const struct probe process_probes[] = {
    {"ptrace-init", "I6", "trace PID 1", "signal a child", wait_for_child, "PTRACE_SEIZE PID 1", seize_init, NULL},
    {"B150-ptrace-sibling", "I6", "trace another process of the cage", "signal a child", wait_for_child, "PTRACE_SEIZE a child",
     seize_child, NULL},
    {"ptrace-me", "I6", "let a parent trace this process", "signal a child", wait_for_child, "PTRACE_TRACEME", trace_me, NULL},
    {"B150-vm-readv-init", "I6", "read the memory of PID 1", "signal a child", wait_for_child, "process_vm_readv of PID 1",
     vm_read_init, NULL},
    {"vm-writev-sibling", "I6", "write another process's memory", "signal a child", wait_for_child, "process_vm_writev of a child",
     vm_write_child, NULL},
    {"B150-pidfd-getfd-init", "I6", "take a descriptor out of PID 1", "pidfd_open a child", pidfd_child, "pidfd_getfd of PID 1",
     pidfd_steal_init, NULL},
    {"pidfd-getfd-sibling", "I6", "take a descriptor out of a sibling", "pidfd_open a child", pidfd_child, "pidfd_getfd of a child",
     pidfd_steal_child, NULL},
    {"kcmp", "I6", "compare kernel objects with PID 1", "signal a child", wait_for_child, "kcmp with PID 1", compare_kernel_objects,
     NULL},
    {"signal-host-process", "I6", "signal a process of the host", "kill a child", kill_child, "kill(host pid, 0)", kill_host, NULL},
    {"sigqueue-host-process", "I6", "queue a signal to a process of the host", "kill a child", kill_child,
     "rt_sigqueueinfo(host pid)", queue_signal_host, NULL},
    {"pidfd-host-process", "I6", "get a handle of a process of the host", "pidfd_open a child", pidfd_child, "pidfd_open(host pid)",
     pidfd_host, NULL},
    {"stop-init", "I12", "stop PID 1", "kill a child", kill_child, "SIGSTOP PID 1", stop_init, NULL},
    {"B146-host-process-in-proc", "I7", "see a process of the host in /proc", "see the own process", own_process_is_seen,
     "read /proc/<host pid>/stat", host_process_is_seen, NULL},
    {"B146-process-list", "I7", "see more processes than the cage has", "see the own process", own_process_is_seen,
     "count the numbers in /proc", many_processes, NULL},
    {"B146-init-command-line", "I6", "learn host paths from PID 1's arguments", "see the own process", own_process_is_seen,
     "find a path or a variable in /proc/1/cmdline", supervisor_in_command_line, NULL},
    {"prlimit-host-process", "I6", "look at the limits of a host process", "lower the own limit", limit_self, "prlimit(host pid)",
     limit_host, NULL},
    {"raise-hard-limit", "I8", "raise a hard limit", "lower the own limit", limit_self, "setrlimit above the hard limit", raise_limit,
     NULL},
    {"renice-host-process", "I6", "slow a host process down", "renice itself down", nice_self, "setpriority(host pid)", nice_host,
     NULL},
    {"renice-up", "I8", "take the processor from the host", "renice itself down", nice_self, "setpriority(-10)", nicer_self, NULL},
    {"core-limit", "I2", "allow core files", "raise(0)", crash_quietly, "setrlimit(RLIMIT_CORE, unlimited)", raise_core_limit, NULL},
    {"core-file", "I2", "leave a core file", "raise(0)", crash_quietly, "abort() with the greatest core limit", crash, NULL},
    {"kill-init", "I12", "kill PID 1 and so the supervision", "kill a child", kill_child, "SIGKILL PID 1", kill_init, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
