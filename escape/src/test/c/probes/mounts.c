/* Mounts and namespaces. Outside, each act first takes a mount namespace of its own, so nothing stays. */
#include "probe.h"

#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>

#define NEW_NAMESPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET)

static void step_aside(void) {
    if (is_outside()) {
        unshare(CLONE_NEWNS | CLONE_NEWUTS);
        mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    }
}
static int mount_tmpfs(void) {
    step_aside();
    return answer(mount("none", "/tmp", "tmpfs", 0, NULL));
}
static int mount_proc(void) {
    step_aside();
    return answer(mount("proc", "/tmp", "proc", 0, NULL));
}
static int remount_root(void) {
    step_aside();
    return reached(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL), EINVAL);
}
static int remount_usr(void) {
    step_aside();
    if (is_outside())
        mount("/usr", "/usr", NULL, MS_BIND, NULL);
    return answer(mount(NULL, "/usr", NULL, MS_REMOUNT | MS_BIND, NULL));
}
static int bind_over(void) {
    step_aside();
    return answer(mount(in_workspace("free"), "/usr/bin", NULL, MS_BIND, NULL));
}
static int make_shared(void) {
    step_aside();
    return answer(mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL));
}
static int unmount_proc(void) {
    step_aside();
    return answer(umount2("/proc", MNT_DETACH));
}
static int unmount_mask(void) {
    step_aside();
    if (is_outside())
        mount(in_workspace(".git"), in_workspace(".git"), NULL, MS_BIND, NULL);
    int problem = answer(umount2(in_workspace(is_outside() ? ".git" : ".git/hooks"), MNT_DETACH));
    if (problem && !is_outside())
        problem = answer(umount2(in_workspace(".git"), MNT_DETACH));
    return problem;
}
static int unmount_workspace(void) {
    step_aside();
    if (is_outside())
        mount(fact("workspace"), fact("workspace"), NULL, MS_BIND, NULL);
    return answer(umount2(fact("workspace"), MNT_DETACH));
}
static int clone_tree(void) {
    step_aside();
    return answer(syscall(SYS_open_tree, AT_FDCWD, "/usr", 1 /* OPEN_TREE_CLONE */));
}
static int move_a_mount(void) {
    step_aside();
    int tree = (int)syscall(SYS_open_tree, AT_FDCWD, "/usr", 1);
    return reached(syscall(SYS_move_mount, tree, "", AT_FDCWD, "/tmp", 4 /* F_EMPTY_PATH */), is_outside() ? 0 : EBADF);
}
static int new_filesystem(void) {
    step_aside();
    return answer(syscall(SYS_fsopen, "tmpfs", 0));
}
static int pick_filesystem(void) {
    step_aside();
    return answer(syscall(SYS_fspick, AT_FDCWD, "/", 0));
}
static int change_mount_flags(void) {
    step_aside();
    struct mount_attr attributes = {.attr_clr = MOUNT_ATTR_RDONLY};
    if (is_outside())
        mount("/usr", "/usr", NULL, MS_BIND, NULL);
    return answer(syscall(SYS_mount_setattr, AT_FDCWD, is_outside() ? "/usr" : "/", 0, &attributes, sizeof attributes));
}
static int pivot(void) {
    step_aside();
    if (is_outside())
        mount(in_workspace("free"), in_workspace("free"), NULL, MS_BIND, NULL);
    return answer(syscall(SYS_pivot_root, in_workspace("free"), in_workspace("free")));
}
static int change_root(void) { return answer(chroot(in_workspace("free"))); }
static int change_folder(void) { return answer(chdir(in_workspace("free"))); }
static int read_mounts(void) { return act_read("/proc/self/mountinfo"); }
static int change_hostname(void) {
    step_aside();
    return answer(sethostname("probe", 5));
}
static int change_domain(void) {
    step_aside();
    return answer(setdomainname("probe", 5));
}
static int mounts_name_host_paths(void) {
    static char text[65536];
    step_aside();
    if (is_outside())
        mount(fact("sibling"), fact("sibling"), NULL, MS_BIND, NULL);
    int file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    long got = 0;
    for (long n; file >= 0 && (n = read(file, text + got, sizeof text - 1 - (size_t)got)) > 0;)
        got += n;
    text[got] = 0;
    char state[4096];
    snprintf(state, sizeof state, "%s/", fact("state")); // the homes of agents are beside it, and cages see them
    return strstr(text, state) || strstr(text, fact("sibling")) ? 0 : ENOENT;
}

static int unshare_files(void) { return answer(unshare(CLONE_FILES | CLONE_FS)); }
static int unshare_user(void) { return answer(unshare(CLONE_NEWUSER)); }
static int unshare_mounts(void) { return answer(unshare(CLONE_NEWNS)); }
static int unshare_network(void) { return answer(unshare(CLONE_NEWNET)); }
static int unshare_processes(void) { return answer(unshare(CLONE_NEWPID)); }
static int unshare_time(void) { return answer(unshare(0x80)); }
static int unshare_user_and_mounts(void) { return answer(unshare(CLONE_NEWUSER | CLONE_NEWNS)); }
static int plain_fork(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : answer(waitpid(pid, NULL, 0));
}
static int clone_into(unsigned long namespaces) {
    long pid = syscall(SYS_clone, SIGCHLD | namespaces, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : answer(waitpid((pid_t)pid, NULL, 0));
}
static int clone_user(void) { return clone_into(CLONE_NEWUSER); }
static int clone_all(void) { return clone_into(NEW_NAMESPACES); }
static int clone3_user(void) {
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls;
    } arguments = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    long pid = syscall(SYS_clone3, &arguments, sizeof arguments);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : answer(waitpid((pid_t)pid, NULL, 0));
}
static int set_namespace(const char *name) {
    int file = open(name, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    return answer(setns(file, 0));
}
static int set_own_network(void) { return set_namespace("/proc/self/ns/net"); }
static int set_own_mounts(void) { return set_namespace("/proc/self/ns/mnt"); }
static int set_init_mounts(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/ns/mnt", fact("init"));
    return set_namespace(path);
}
static int read_own_namespace(void) {
    char link[64];
    return answer(readlink("/proc/self/ns/net", link, sizeof link));
}
static int write_map(void) {
    int problem = act_open("/proc/self/uid_map", O_WRONLY);
    if (problem || is_outside())
        return problem;
    int file = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
    return answer(write(file, "0 0 1\n", 6));
}

#define MOUNTED "read /proc/self/mountinfo", read_mounts
#define FORKED "fork", plain_fork
const struct probe mount_probes[] = {
    {"mount-tmpfs", "I6", "mount something new", MOUNTED, "mount tmpfs on /tmp", mount_tmpfs, NULL},
    {"mount-proc", "I6", "mount a proc of its own", MOUNTED, "mount proc on /tmp", mount_proc, NULL},
    {"remount-root", "I6", "make the root writable", MOUNTED, "remount / without read-only", remount_root, NULL},
    {"remount-usr", "I6", "make /usr writable", MOUNTED, "remount /usr without read-only", remount_usr, NULL},
    {"bind-over", "I6", "cover the system's programs", MOUNTED, "bind a folder over /usr/bin", bind_over, NULL},
    {"mount-shared", "I6", "let mounts travel to the host", MOUNTED, "make / shared", make_shared, NULL},
    {"unmount-proc", "I6", "uncover what is below a mount", MOUNTED, "umount2 /proc", unmount_proc, NULL},
    {"unmount-mask", "I9", "take the mask off the git hooks", MOUNTED, "umount2 .git/hooks and .git", unmount_mask, NULL},
    {"unmount-workspace", "I6", "uncover what is below the workspace", MOUNTED, "umount2 the workspace", unmount_workspace, NULL},
    {"B150-open-tree", "I6", "clone a mount", MOUNTED, "open_tree(OPEN_TREE_CLONE)", clone_tree, NULL},
    {"B150-move-mount", "I6", "move a mount", MOUNTED, "move_mount to /tmp", move_a_mount, NULL},
    {"B150-fsopen", "I6", "make a file system", MOUNTED, "fsopen tmpfs", new_filesystem, NULL},
    {"fspick", "I6", "reconfigure the root's file system", MOUNTED, "fspick /", pick_filesystem, NULL},
    {"B127-mount-setattr", "I6", "clear read-only", MOUNTED, "mount_setattr clears read-only on /", change_mount_flags, NULL},
    {"B150-pivot-root", "I6", "change the root", "change the working directory", change_folder, "pivot_root", pivot, NULL},
    {"B150-chroot", "I6", "change the root of this process", "change the working directory", change_folder, "chroot", change_root,
     NULL},
    {"mountinfo-host-paths", "I7", "learn host folders from mountinfo", MOUNTED, "find the state folder or a sibling in mountinfo",
     mounts_name_host_paths, NULL},
    {"hostname", "I6", "rename the machine", MOUNTED, "sethostname", change_hostname, NULL},
    {"domain-name", "I6", "rename the machine's domain", MOUNTED, "setdomainname", change_domain, NULL},
    {"B150-unshare-user", "I8", "get capabilities in a user namespace", "unshare files", unshare_files, "unshare(CLONE_NEWUSER)",
     unshare_user, NULL},
    {"B150-unshare-user-mounts", "I8", "get a mount namespace through a user namespace", "unshare files", unshare_files,
     "unshare(CLONE_NEWUSER|CLONE_NEWNS)", unshare_user_and_mounts, NULL},
    {"unshare-mounts", "I8", "leave the mount namespace", "unshare files", unshare_files, "unshare(CLONE_NEWNS)", unshare_mounts, NULL},
    {"unshare-network", "I1", "leave the network namespace", "unshare files", unshare_files, "unshare(CLONE_NEWNET)",
     unshare_network, NULL},
    {"unshare-processes", "I12", "leave the process namespace", "unshare files", unshare_files, "unshare(CLONE_NEWPID)",
     unshare_processes, NULL},
    {"unshare-time", "I8", "leave the time namespace", "unshare files", unshare_files, "unshare(CLONE_NEWTIME)", unshare_time, NULL},
    {"clone-user", "I8", "fork into a user namespace", FORKED, "clone(CLONE_NEWUSER)", clone_user, NULL},
    {"clone-all", "I8", "fork into a cage of its own", FORKED, "clone with user, mount, pid and net", clone_all, NULL},
    {"B150-clone3-user", "I8", "fork into a user namespace by clone3", FORKED, "clone3(CLONE_NEWUSER)", clone3_user, NULL},
    {"B150-setns-network", "I1", "enter a network namespace", "name the own namespace", read_own_namespace, "setns /proc/self/ns/net",
     set_own_network, NULL},
    {"setns-mounts", "I8", "enter a mount namespace", "name the own namespace", read_own_namespace, "setns /proc/self/ns/mnt",
     set_own_mounts, NULL},
    {"setns-init", "I6", "enter a namespace of PID 1", "name the own namespace", read_own_namespace, "setns /proc/1/ns/mnt",
     set_init_mounts, NULL},
    {"uid-map", "I8", "change the user map", "name the own namespace", read_own_namespace, "write /proc/self/uid_map", write_map, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
