/* Tries what a cage must not allow: attempts NAME [PATH...] prints "NAME WORD", the word being "ok" or the
 * kernel's name for its refusal. Raw system calls, because a shell cannot express most of them. */

#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

static const char *path = "/nowhere";
static const char *other = "/nowhere";

#define CALL(name, ...) \
    static long name(void) { \
        return syscall(__VA_ARGS__); \
    }

/* Ways to change what stands at a path. */
CALL(do_openat, __NR_openat, AT_FDCWD, path, O_WRONLY)
CALL(do_creat, __NR_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644)
CALL(do_renameat2, __NR_renameat2, AT_FDCWD, other, AT_FDCWD, path, 0)
CALL(do_exchange, __NR_renameat2, AT_FDCWD, other, AT_FDCWD, path, 2)
CALL(do_rename_away, __NR_renameat2, AT_FDCWD, path, AT_FDCWD, "moved", 0)
CALL(do_linkat, __NR_linkat, AT_FDCWD, path, AT_FDCWD, "linked", 0)
CALL(do_unlinkat, __NR_unlinkat, AT_FDCWD, path, 0)
CALL(do_rmdir, __NR_unlinkat, AT_FDCWD, path, AT_REMOVEDIR)
CALL(do_truncate, __NR_truncate, path, 0)
CALL(do_fchmodat, __NR_fchmodat, AT_FDCWD, path, 0777)
CALL(do_fchmodat2, __NR_fchmodat2, AT_FDCWD, path, 0777, 0)
CALL(do_fchownat, __NR_fchownat, AT_FDCWD, path, getuid(), getgid(), 0)
CALL(do_setxattr, __NR_setxattr, path, "user.cage", "1", 1, 0)
CALL(do_utimensat, __NR_utimensat, AT_FDCWD, path, NULL, 0)
CALL(do_mount_setattr, __NR_mount_setattr, AT_FDCWD, path, 0, NULL, 0)
CALL(do_name_to_handle, __NR_name_to_handle_at, AT_FDCWD, path, NULL, NULL, 0)
#ifdef __NR_open
CALL(do_open, __NR_open, path, O_WRONLY)
CALL(do_old_creat, __NR_creat, path, 0644)
CALL(do_rename, __NR_rename, other, path)
CALL(do_renameat, __NR_renameat, AT_FDCWD, other, AT_FDCWD, path)
CALL(do_link, __NR_link, path, "linked")
CALL(do_unlink, __NR_unlink, path)
CALL(do_chmod, __NR_chmod, path, 0777)
#endif
static long do_openat2(void) {
    return open_by(AT_FDCWD, path, O_WRONLY, 0);
}
static long do_map_write(void) {
    int fd = open(path, O_RDWR);
    return fd;
}

/* Set-id bits that would count on the host. */
CALL(set_id_chmod, __NR_fchmodat, AT_FDCWD, path, 04755)
CALL(set_id_fchmodat2, __NR_fchmodat2, AT_FDCWD, path, 02755, 0)
CALL(set_id_open, __NR_openat, AT_FDCWD, "made-set-id", O_WRONLY | O_CREAT, 06755)
CALL(set_id_mknod, __NR_mknodat, AT_FDCWD, "node-set-id", S_IFREG | 04755, 0)
CALL(plain_open, __NR_openat, AT_FDCWD, "made", O_WRONLY | O_CREAT, 0755)
CALL(plain_chmod, __NR_fchmodat, AT_FDCWD, path, 0755)

/* Changing the view, reaching others, old holes. */
CALL(do_unshare_user, __NR_unshare, CLONE_NEWUSER)
CALL(do_unshare_mount, __NR_unshare, CLONE_NEWNS)
CALL(do_clone_user, __NR_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)
CALL(do_clone3, __NR_clone3, NULL, 0)
CALL(do_fsopen, __NR_fsopen, "tmpfs", 0)
CALL(do_fsmount, __NR_fsmount, -1, 0, 0)
CALL(do_move_mount, __NR_move_mount, -1, "", -1, "", 0)
CALL(do_open_tree, __NR_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE)
CALL(do_open_tree_attr, __NR_open_tree_attr, AT_FDCWD, "/", OPEN_TREE_CLONE, NULL, 0)
CALL(do_mount, __NR_mount, "none", "/tmp", "tmpfs", 0, NULL)
CALL(do_umount, __NR_umount2, "/tmp", 0)
CALL(do_pivot_root, __NR_pivot_root, "/", "/")
CALL(do_chroot, __NR_chroot, "/tmp")
CALL(do_keyctl, __NR_keyctl, 0, -3, 0)
CALL(do_bpf, __NR_bpf, 0, NULL, 0)
CALL(do_perf, __NR_perf_event_open, NULL, 0, -1, -1, 0)
CALL(do_userfaultfd, __NR_userfaultfd, 1)
CALL(do_ptrace, __NR_ptrace, 0, 0, 0, 0)
CALL(do_readv, __NR_process_vm_readv, 1, NULL, 0, NULL, 0, 0)
CALL(do_getfd, __NR_pidfd_getfd, -1, 0, 0)
CALL(do_io_uring, __NR_io_uring_setup, 1, NULL)
CALL(do_reboot, __NR_reboot, 0, 0, 0, NULL)
CALL(do_syslog, __NR_syslog, 2, NULL, 0)
CALL(do_linux32, __NR_personality, 8)
CALL(do_handle, __NR_open_by_handle_at, -1, NULL, 0)
CALL(do_sethostname, __NR_sethostname, "x", 1)
CALL(do_future, 900)
static long do_setns(void) {
    return syscall(__NR_setns, open("/proc/self/ns/net", O_RDONLY), 0);
}
static long do_sti(void) {
    return ioctl(0, TIOCSTI, "x");
}
static long do_sti_high(void) {
    return syscall(__NR_ioctl, 0, 0x100000000UL + TIOCSTI, "x");
}
static long do_tioclinux(void) {
    return syscall(__NR_ioctl, 0, 0x541CUL, "\2");
}
static long do_vsock(void) {
    return socket(40, SOCK_STREAM, 0);
}
static long do_packet(void) {
    return socket(17, SOCK_RAW, 0);
}
static long do_alg(void) {
    return socket(38, SOCK_SEQPACKET, 0);
}
static long do_netfilter(void) {
    return socket(AF_NETLINK, SOCK_RAW, 12);
}
static long do_raw(void) {
    return socket(AF_INET, SOCK_RAW, 1);
}
static long do_route(void) {
    return socket(AF_NETLINK, SOCK_RAW, 0);
}
static long abstract(int type) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    size_t size = (size_t) snprintf(a.sun_path + 1, sizeof a.sun_path - 1, "%s", path);
    return connect(socket(AF_UNIX, type, 0), (void *) &a, (socklen_t) (offsetof(struct sockaddr_un, sun_path) + 1 + size));
}
static long do_abstract_stream(void) {
    return abstract(SOCK_STREAM);
}
static long do_abstract_datagram(void) {
    return abstract(SOCK_DGRAM);
}
static long do_path_socket(void) {
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
    return connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *) &a, sizeof a);
}
static long memory_exec(unsigned flags) {
    int fd = (int) syscall(__NR_memfd_create, "x", flags);
    if (fd < 0) {
        return -1;
    }
    int from = open(path, O_RDONLY);
    char buffer[4096];
    for (ssize_t n; (n = read(from, buffer, sizeof buffer)) > 0;) {
        if (write(fd, buffer, (size_t) n) != n) {
            return -1;
        }
    }
    char *const argv[] = {"x", NULL};
    return syscall(__NR_execveat, fd, "", argv, argv + 1, AT_EMPTY_PATH);
}
static long do_memory_exec(void) {
    return memory_exec(0);
}
static long do_sealed_memory_exec(void) {
    return memory_exec(8 /* MFD_NOEXEC_SEAL */);
}
static void *nothing(void *argument) {
    return argument;
}
static long do_thread(void) {
    pthread_t t;
    errno = pthread_create(&t, NULL, nothing, NULL);
    return errno == 0 ? pthread_join(t, NULL) : -1;
}
static long do_fork(void) {
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    return child < 0 ? -1 : waitpid(child, NULL, 0);
}

/* Other doors into the kernel: each in a child, whose death is the answer. */
#if defined(__x86_64__)
static long do_int80(void) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid */) : "memory");
    return result;
}
CALL(do_x32, 0x40000000L + __NR_getpid)
#endif

struct attempt {
    const char *name;
    long (*call)(void);
};
static const struct attempt attempts[] = {
    {"openat", do_openat}, {"creat", do_creat}, {"renameat2", do_renameat2}, {"exchange", do_exchange},
    {"rename-away", do_rename_away}, {"linkat", do_linkat}, {"unlinkat", do_unlinkat}, {"rmdir", do_rmdir},
    {"truncate", do_truncate}, {"fchmodat", do_fchmodat}, {"fchmodat2", do_fchmodat2}, {"fchownat", do_fchownat},
    {"setxattr", do_setxattr}, {"utimensat", do_utimensat}, {"mount_setattr", do_mount_setattr},
    {"name_to_handle_at", do_name_to_handle}, {"openat2", do_openat2}, {"map-write", do_map_write},
#ifdef __NR_open
    {"open", do_open}, {"old-creat", do_old_creat}, {"rename", do_rename}, {"renameat", do_renameat},
    {"link", do_link}, {"unlink", do_unlink}, {"chmod", do_chmod},
#endif
    {"set-id-chmod", set_id_chmod}, {"set-id-fchmodat2", set_id_fchmodat2}, {"set-id-open", set_id_open},
    {"set-id-mknod", set_id_mknod}, {"plain-open", plain_open}, {"plain-chmod", plain_chmod},
    {"unshare-user", do_unshare_user}, {"unshare-mount", do_unshare_mount}, {"clone-user", do_clone_user},
    {"clone3", do_clone3}, {"fsopen", do_fsopen}, {"fsmount", do_fsmount}, {"move_mount", do_move_mount},
    {"open_tree", do_open_tree}, {"open_tree_attr", do_open_tree_attr}, {"mount", do_mount},
    {"umount", do_umount}, {"pivot_root", do_pivot_root}, {"chroot", do_chroot}, {"keyctl", do_keyctl},
    {"bpf", do_bpf}, {"perf_event_open", do_perf}, {"userfaultfd", do_userfaultfd}, {"ptrace", do_ptrace},
    {"process_vm_readv", do_readv}, {"pidfd_getfd", do_getfd}, {"io_uring_setup", do_io_uring},
    {"reboot", do_reboot}, {"syslog", do_syslog}, {"linux32", do_linux32}, {"open_by_handle_at", do_handle},
    {"sethostname", do_sethostname}, {"beyond", do_future}, {"setns", do_setns}, {"TIOCSTI", do_sti},
    {"TIOCSTI-high", do_sti_high}, {"TIOCLINUX", do_tioclinux}, {"vsock", do_vsock}, {"packet", do_packet},
    {"alg", do_alg}, {"netfilter", do_netfilter}, {"raw", do_raw}, {"route", do_route},
    {"abstract-stream", do_abstract_stream}, {"abstract-datagram", do_abstract_datagram},
    {"path-socket", do_path_socket}, {"memory-exec", do_memory_exec}, {"sealed-memory-exec", do_sealed_memory_exec}, {"thread", do_thread}, {"fork", do_fork},
#if defined(__x86_64__)
    {"int80", do_int80}, {"x32", do_x32},
#endif
};

static void attempt(const char *name) {
    for (size_t i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
        if (strcmp(attempts[i].name, name) == 0) {
            errno = 0;
            long result = attempts[i].call();
            printf("%s %s\n", name, result < 0 && errno != 0 ? strerrorname_np(errno) : "ok");
            fflush(stdout);
            return;
        }
    }
    printf("%s unknown\n", name);
}

/* attempts NAME[,NAME...] [PATH [OTHER]] */
int main(int argc, char **argv) {
    if (argc > 2) {
        path = argv[2];
    }
    if (argc > 3) {
        other = argv[3];
    }
    for (char *name = strtok(argv[1], ","); name != NULL; name = strtok(NULL, ",")) {
        attempt(name);
    }
    return 0;
}
