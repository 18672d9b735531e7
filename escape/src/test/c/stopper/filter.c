/* The calls that are steps, and their filter. */
#define _GNU_SOURCE
#include "calls.h"
#include "stopper.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OLD(name, first, second)
#ifdef __NR_mkdir /* x86_64 still has the calls that aarch64 never had */
#undef OLD
#define OLD(name, first, second) {__NR_##name, #name, first, second},
#endif

const struct call calls[] = {
    OLD(mkdir, PATH, NONE) OLD(rename, NONE, PATH) OLD(unlink, PATH, NONE) OLD(rmdir, PATH, NONE)
    OLD(link, NONE, PATH) OLD(symlink, NONE, PATH) OLD(chmod, PATH, NONE) OLD(vfork, NONE, NONE)
    {__NR_mkdirat, "mkdirat", NONE, PATH},
    {__NR_mknodat, "mknodat", NONE, PATH},
    {__NR_unlinkat, "unlinkat", NONE, PATH},
    {__NR_symlinkat, "symlinkat", NONE, THIRD_PATH},
    {__NR_linkat, "linkat", NONE, FOURTH_PATH},
    {__NR_renameat, "renameat", NONE, FOURTH_PATH},
    {__NR_renameat2, "renameat2", NONE, FOURTH_PATH},
    {__NR_fchmod, "fchmod", FILE_NUMBER, NONE},
    {__NR_fchmodat, "fchmodat", NONE, PATH},
    {__NR_fchownat, "fchownat", NONE, PATH},
    {__NR_utimensat, "utimensat", NONE, PATH},
    {__NR_fsetxattr, "fsetxattr", FILE_NUMBER, NONE},
    {__NR_fsync, "fsync", FILE_NUMBER, NONE},
    {__NR_fdatasync, "fdatasync", FILE_NUMBER, NONE},
    {__NR_ftruncate, "ftruncate", FILE_NUMBER, NONE},
    {__NR_fallocate, "fallocate", FILE_NUMBER, NONE},
    {__NR_pwrite64, "pwrite", FILE_NUMBER, NONE},
    {__NR_copy_file_range, "copy_file_range", NONE, NONE},
    {__NR_sendmsg, "sendmsg", NONE, NONE},
    {__NR_clone, "clone", NONE, NONE},
    {__NR_execve, "execve", PATH, NONE},
    {__NR_mount, "mount", NONE, PATH},
    {__NR_move_mount, "move_mount", NONE, FOURTH_PATH},
    {__NR_pivot_root, "pivot_root", PATH, NONE},
    {__NR_umount2, "umount", PATH, NONE},
    {__NR_sethostname, "sethostname", NONE, NONE},
    {__NR_landlock_restrict_self, "landlock_restrict_self", NONE, NONE},
    {__NR_openat, "create", NONE, PATH},
};

const int call_count = sizeof calls / sizeof calls[0];

enum { NUMBER = offsetof(struct seccomp_data, nr), FLAGS = offsetof(struct seccomp_data, args[2]) };

static bool is_step_always(long number) {
    return number != __NR_openat;
}

int install_filter(void) {
    static struct sock_filter code[2 * sizeof calls / sizeof calls[0] + 8];
    unsigned short size = 0;
    code[size++] = (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, NUMBER);
    for (int i = 0; i < call_count; i++) {
        if (is_step_always(calls[i].number)) {
            code[size++] = (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32) calls[i].number, 0, 1);
            code[size++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
        }
    }
    code[size++] = (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 1, 0);
    code[size++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[size++] = (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, FLAGS);
    code[size++] = (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, 0, 1);
    code[size++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    code[size++] = (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {size, code};
    if (geteuid() != 0) {
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    }
    return (int) syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}
