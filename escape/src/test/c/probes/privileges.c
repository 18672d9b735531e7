/* What only an administrator of the machine may do. Arguments are such that the kernel's permission check comes
 * first and nothing happens after it: outside, the control run must leave the machine as it was. */
#include "probe.h"

#include <linux/capability.h>
#include <linux/kexec.h>
#include <linux/reboot.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <time.h>

static int get_clock(void) {
    struct timespec now;
    return answer(clock_gettime(CLOCK_REALTIME, &now));
}
static int get_ids(void) {
    uid_t real, effective, saved;
    return answer(getresuid(&real, &effective, &saved));
}
static int load_module(void) { return reached(syscall(SYS_init_module, "", 0L, ""), ENOEXEC); }
static int load_module_file(void) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    return reached(syscall(SYS_finit_module, file, "", 0x80000000U), EINVAL);
}
static int remove_module(void) { return reached(syscall(SYS_delete_module, "no_such_module", O_NONBLOCK), ENOENT); }
static int load_kernel(void) { return reached(syscall(SYS_kexec_load, 0L, 99L, NULL, 0x80000000L), EINVAL); }
#ifdef SYS_kexec_file_load
static int load_kernel_file(void) { return reached(syscall(SYS_kexec_file_load, -1, -1, 0L, "", 0x80000000L), EINVAL); }
#else
static int load_kernel_file(void) { return cannot("no kexec_file_load on this architecture"); }
#endif
static int restart_machine(void) { return reached(syscall(SYS_reboot, 1, 2, 3, NULL), EINVAL); }
static int set_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return answer(clock_settime(CLOCK_REALTIME, &now));
}
static int set_day(void) {
    struct timeval now = {0};
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    now.tv_sec = precise.tv_sec;
    now.tv_usec = precise.tv_nsec / 1000;
    return answer(syscall(SYS_settimeofday, &now, NULL));
}
static int adjust_clock(void) {
    struct timex change = {.modes = 0};
    if (adjtimex(&change) < 0)
        return errno;
    change.modes = ADJ_FREQUENCY;
    return answer(adjtimex(&change));
}
static int add_swap(void) { return reached(syscall(SYS_swapon, "/no-such-file", 0), ENOENT); }
static int stop_swap(void) { return reached(syscall(SYS_swapoff, "/no-such-file"), ENOENT); }
static int account(void) { return reached(syscall(SYS_acct, "/no-such-file"), ENOENT); }
static int quota(void) { return reached(syscall(SYS_quotactl, 0x80000100, "/no-such-file", 0, NULL), ENOENT); }

static int read_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    return answer(syscall(SYS_capget, &header, data));
}
static int has_capability(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    syscall(SYS_capget, &header, data);
    return data[0].effective | data[1].effective | data[0].permitted | data[1].permitted | data[0].inheritable ? 0 : EPERM;
}
static int raise_capability(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{1U << CAP_SYS_ADMIN, 1U << CAP_SYS_ADMIN, 0}, {0, 0, 0}};
    return answer(syscall(SYS_capset, &header, data));
}
static int bounding_set(void) {
    for (int capability = 0; capability <= CAP_LAST_CAP; capability++)
        if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1)
            return 0;
    return EPERM;
}
static int become_other(void) { return answer(setresuid(54321, 54321, 54321)); }
static int become_other_group(void) { return answer(setresgid(54321, 54321, 54321)); }
static int join_groups(void) {
    gid_t groups[] = {0, 6, 42};
    return answer(syscall(SYS_setgroups, 3, groups));
}
/* Starts a set-user-id program of the system; in the cage it must not gain anything. */
static int set_user_id_program(void) {
    static const char *const programs[] = {"/usr/bin/su", "/usr/bin/passwd", "/usr/bin/chfn", "/usr/bin/mount", NULL};
    struct stat found;
    int any = 0;
    for (int i = 0; programs[i]; i++)
        any |= stat(programs[i], &found) == 0 && (found.st_mode & S_ISUID);
    if (!any)
        return cannot("no set-user-id program in sight");
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? EPERM : 0;
}
static int give_away(void) { return answer(chown(in_workspace("free/plain"), 54321, 54321)); }
static int touch_own(void) { return answer(chmod(in_workspace("free/plain"), 0600)); }

static int read_release(void) { return act_read("/proc/sys/kernel/osrelease"); }
static int open_core_pattern(void) { return act_open("/proc/sys/kernel/core_pattern", O_WRONLY); }
static int open_forward(void) { return act_open("/proc/sys/net/ipv4/ip_forward", O_WRONLY); }
static int open_host_name(void) { return act_open("/proc/sys/kernel/hostname", O_WRONLY); }
static int open_overcommit(void) { return act_open("/proc/sys/vm/overcommit_memory", O_WRONLY); }
static int open_modprobe(void) { return act_open("/proc/sys/kernel/modprobe", O_WRONLY); }
static int open_binfmt(void) { return act_open("/proc/sys/fs/suid_dumpable", O_WRONLY); }
static int open_sysrq(void) { return act_open("/proc/sysrq-trigger", O_WRONLY); }
static int open_kcore(void) { return act_read("/proc/kcore"); }
static int open_kallsyms(void) {
    char line[64] = "";
    FILE *file = fopen("/proc/kallsyms", "r");
    if (!file)
        return errno;
    char *got = fgets(line, sizeof line, file);
    fclose(file);
    return got && strncmp(line, "0000000000000000", 16) != 0 ? 0 : ENODATA;
}
static int open_uevent(void) { return act_open("/sys/kernel/uevent_helper", O_WRONLY); }
static int open_power(void) { return act_open("/sys/power/state", O_WRONLY); }
static int move_control_group(void) {
    static const char *const files[] = {"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs",
                                        "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/pids/cgroup.procs", NULL};
    int problem = ENOENT;
    for (int i = 0; files[i] && problem; i++)
        problem = act_open(files[i], O_WRONLY);
    return problem;
}
static int own_oom_score(void) { return act_open("/proc/self/oom_score_adj", O_RDONLY); }
static int lower_oom_score(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    return file < 0 ? errno : answer(write(file, "-1000", 5));
}
static int init_oom_score(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/oom_score_adj", fact("init"));
    int file = open(path, O_WRONLY | O_CLOEXEC);
    return file < 0 ? errno : answer(write(file, "1000", 4));
}

#define CLOCK "read the clock", get_clock
#define IDS "read the own ids", get_ids
#define RELEASE "read /proc/sys/kernel/osrelease", read_release
#define CAPS "read the own capabilities", read_capabilities
const struct probe privilege_probes[] = {
    {"init-module", "I6", "load a kernel module", IDS, "init_module", load_module, NULL},
    {"finit-module", "I6", "load a kernel module from a file", IDS, "finit_module", load_module_file, NULL},
    {"delete-module", "I6", "unload a kernel module", IDS, "delete_module", remove_module, NULL},
    {"kexec", "I6", "replace the kernel", IDS, "kexec_load", load_kernel, NULL},
    {"kexec-file", "I6", "replace the kernel from a file", IDS, "kexec_file_load", load_kernel_file, NULL},
    {"reboot", "I6", "restart the machine", IDS, "reboot", restart_machine, NULL},
    {"clock-settime", "I6", "set the clock", CLOCK, "clock_settime", set_clock, NULL},
    {"settimeofday", "I6", "set the day", CLOCK, "settimeofday", set_day, NULL},
    {"adjtimex", "I6", "bend the clock", CLOCK, "adjtimex", adjust_clock, NULL},
    {"swapon", "I6", "add swap", IDS, "swapon", add_swap, NULL},
    {"swapoff", "I6", "stop swap", IDS, "swapoff", stop_swap, NULL},
    {"acct", "I6", "switch process accounting", IDS, "acct", account, NULL},
    {"quotactl", "I6", "change quotas", IDS, "quotactl", quota, NULL},
    {"has-capability", "I8", "hold any capability", CAPS, "capget shows one", has_capability, NULL},
    {"raise-capability", "I8", "raise CAP_SYS_ADMIN", CAPS, "capset", raise_capability, NULL},
    {"bounding-set", "I8", "keep a capability for a later exec", CAPS, "PR_CAPBSET_READ shows one", bounding_set, NULL},
    {"setresuid", "I8", "become another user", IDS, "setresuid", become_other, NULL},
    {"setresgid", "I8", "become another group", IDS, "setresgid", become_other_group, NULL},
    {"setgroups", "I8", "join groups of the host", IDS, "setgroups", join_groups, NULL},
    {"set-user-id-program", "I8", "gain rights by a set-user-id program", IDS, "exec without no_new_privs", set_user_id_program,
     NULL},
    {"chown", "I9", "give a file to another user", "chmod a file of the workspace", touch_own, "chown", give_away, NULL},
    {"core-pattern", "I9", "run a program of its choice on the host by a crash", RELEASE, "open core_pattern for writing",
     open_core_pattern, NULL},
    {"sysctl-forward", "I1", "forward packets", RELEASE, "open ip_forward for writing", open_forward, NULL},
    {"sysctl-hostname", "I6", "rename the machine by /proc", RELEASE, "open kernel/hostname for writing", open_host_name, NULL},
    {"sysctl-memory", "I6", "change the memory policy", RELEASE, "open vm/overcommit_memory for writing", open_overcommit, NULL},
    {"sysctl-modprobe", "I9", "choose the kernel's module loader", RELEASE, "open kernel/modprobe for writing", open_modprobe, NULL},
    {"sysctl-dumpable", "I2", "let set-id programs dump core", RELEASE, "open fs/suid_dumpable for writing", open_binfmt, NULL},
    {"sysrq-trigger", "I6", "send a magic key", RELEASE, "open /proc/sysrq-trigger", open_sysrq, NULL},
    {"kcore", "I2", "read the kernel's memory", RELEASE, "read /proc/kcore", open_kcore, NULL},
    {"kallsyms", "I6", "learn kernel addresses", RELEASE, "find an address in /proc/kallsyms", open_kallsyms, NULL},
    {"uevent-helper", "I9", "choose a program that the kernel starts", RELEASE, "open /sys/kernel/uevent_helper", open_uevent, NULL},
    {"sys-power", "I6", "suspend the machine", RELEASE, "open /sys/power/state", open_power, NULL},
    {"control-group", "I8", "leave the control group", RELEASE, "open cgroup.procs of the root", move_control_group, NULL},
    {"oom-score", "I8", "be spared when memory is short", "read the own oom score", own_oom_score, "lower it to -1000",
     lower_oom_score, NULL},
    {"init-oom-score", "I12", "have PID 1 chosen when memory is short", "read the own oom score", own_oom_score,
     "raise the score of PID 1", init_oom_score, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
