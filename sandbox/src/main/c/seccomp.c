/* The system call filter. The namespaces and mounts carry the promises; the filter takes away what the
 * kernel offers besides: calls that change a view, reach into other processes, or have a long history of
 * holes. Everything not named is allowed, up to the newest call known here. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#define X32_BIT 0x40000000u
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#error "no filter for this architecture"
#endif

#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif
#define NOEXEC_SEAL 8u /* MFD_NOEXEC_SEAL, since Linux 6.3 */
#define SET_ID 06000u
#define TMPFILE_BIT 020000000u /* __O_TMPFILE, asm-generic/fcntl.h */

enum verdict {
    REFUSE,        /* EPERM */
    ABSENT,        /* ENOSYS, so that libraries fall back */
    NO_NAMESPACES, /* clone and unshare without CLONE_NEW* */
    NO_INJECTION,  /* ioctl without TIOCSTI and TIOCLINUX, compared in 32 bits as the kernel does */
    FAMILIES,      /* unix, internet and route sockets only */
    PERSONALITIES, /* the native ones */
    MODE_1,        /* argument 1 is a mode: no set-id bits */
    MODE_2,
    SEALED_MEMORY, /* memfd_create only with MFD_NOEXEC_SEAL, where only named programs may run */
    OPEN_1,        /* argument 1 is flags, the next a mode where the flags create */
    OPEN_2
};

struct rule {
    unsigned call;
    enum verdict verdict;
};

/* While a cage is built nothing needs these: a blank gives them up before it knows which cage it will be. */
static struct rule ahead[] = {
    {__NR_clone, NO_NAMESPACES}, {__NR_setns, REFUSE}, {__NR_clone3, ABSENT},
    {__NR_io_uring_setup, ABSENT}, {__NR_io_uring_enter, ABSENT}, {__NR_io_uring_register, ABSENT},
    {__NR_ioctl, NO_INJECTION}, {__NR_personality, PERSONALITIES},
    /* set-id files made here would keep their bits on the host, where the mount is not nosuid */
    {__NR_fchmod, MODE_1}, {__NR_fchmodat, MODE_2}, {__NR_fchmodat2, MODE_2}, {__NR_mknodat, MODE_2},
    {__NR_openat, OPEN_2},
#ifdef __NR_chmod
    {__NR_chmod, MODE_1}, {__NR_mknod, MODE_1}, {__NR_creat, MODE_1}, {__NR_open, OPEN_1},
#endif
    /* other processes */
    {__NR_ptrace, REFUSE}, {__NR_process_vm_readv, REFUSE}, {__NR_process_vm_writev, REFUSE}, {__NR_kcmp, REFUSE},
    {__NR_pidfd_getfd, REFUSE}, {__NR_move_pages, REFUSE}, {__NR_migrate_pages, REFUSE},
    {__NR_perf_event_open, REFUSE}, {__NR_userfaultfd, REFUSE}, {__NR_bpf, REFUSE}, {__NR_vmsplice, REFUSE},
    {__NR_keyctl, REFUSE}, {__NR_add_key, REFUSE}, {__NR_request_key, REFUSE},
    /* the view of the file tree */
    {__NR_chroot, REFUSE}, {__NR_open_tree_attr, REFUSE}, {__NR_fspick, REFUSE},
    {__NR_name_to_handle_at, REFUSE}, {__NR_open_by_handle_at, REFUSE}, {__NR_fanotify_init, REFUSE},
    {__NR_statmount, REFUSE}, {__NR_listmount, REFUSE}, {__NR_listns, REFUSE}, {__NR_quotactl, REFUSE},
    {__NR_quotactl_fd, REFUSE}, {__NR_file_setattr, REFUSE},
    /* the machine */
    {__NR_swapon, REFUSE}, {__NR_swapoff, REFUSE}, {__NR_reboot, REFUSE}, {__NR_kexec_load, REFUSE},
    {__NR_init_module, REFUSE}, {__NR_finit_module, REFUSE}, {__NR_delete_module, REFUSE}, {__NR_acct, REFUSE},
    {__NR_vhangup, REFUSE}, {__NR_settimeofday, REFUSE}, {__NR_clock_settime, REFUSE}, {__NR_clock_adjtime, REFUSE},
    {__NR_adjtimex, REFUSE}, {__NR_syslog, REFUSE},
    {__NR_lsm_get_self_attr, REFUSE}, {__NR_lsm_set_self_attr, REFUSE}, {__NR_lsm_list_modules, REFUSE},
#ifdef __NR_kexec_file_load
    {__NR_kexec_file_load, REFUSE},
#endif
#ifdef __NR_nfsservctl
    {__NR_nfsservctl, REFUSE},
#endif
#ifdef __NR_lookup_dcookie
    {__NR_lookup_dcookie, REFUSE},
#endif
#ifdef __NR_iopl
    {__NR_iopl, REFUSE}, {__NR_ioperm, REFUSE}, {__NR_modify_ldt, REFUSE},
#endif
#ifdef __NR_uselib
    {__NR_uselib, REFUSE}, {__NR_ustat, REFUSE}, {__NR_sysfs, REFUSE}, {__NR__sysctl, REFUSE},
#endif
};

/* These build a cage, or depend on what it may do: given up last. */
static struct rule last[] = {
    {__NR_unshare, NO_NAMESPACES}, {__NR_socket, FAMILIES}, {__NR_socketpair, FAMILIES},
    {__NR_memfd_create, SEALED_MEMORY}, {__NR_openat2, ABSENT},
    {__NR_mount, REFUSE}, {__NR_umount2, REFUSE}, {__NR_pivot_root, REFUSE}, {__NR_move_mount, REFUSE},
    {__NR_open_tree, REFUSE}, {__NR_fsopen, REFUSE}, {__NR_fsconfig, REFUSE}, {__NR_fsmount, REFUSE},
    {__NR_mount_setattr, REFUSE}, {__NR_sethostname, REFUSE}, {__NR_setdomainname, REFUSE},
};
enum { MAX_PROGRAM = 1024 };

static struct sock_filter program[MAX_PROGRAM];
static unsigned short used;
static bool exec_named;

static unsigned short emit(struct sock_filter step) {
    if (used == MAX_PROGRAM) {
        errno = E2BIG;
        die("seccomp", "filter of %d steps", MAX_PROGRAM);
    }
    program[used] = step;
    return used++;
}

static void give(uint32_t action) {
    emit((struct sock_filter) BPF_STMT(BPF_RET | BPF_K, action));
}

static void deny(unsigned reason) {
    give(SECCOMP_RET_ERRNO | reason);
}

static void load(size_t offset) {
    emit((struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t) offset));
}

/* The low half of an argument: all that the kernel looks at for the arguments judged here. */
static void load_argument(unsigned number) {
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "low half of an argument"
#endif
    load(offsetof(struct seccomp_data, args) + 8 * number);
}

static void jump(unsigned short how, uint32_t value, uint8_t yes, uint8_t no) {
    emit((struct sock_filter) BPF_JUMP((unsigned short) (BPF_JMP | how | BPF_K), value, yes, no));
}

static void allow_unless_set(unsigned argument, uint32_t bits) {
    load_argument(argument);
    jump(BPF_JSET, bits, 0, 1);
    deny(EPERM);
    give(SECCOMP_RET_ALLOW);
}

static void judge_open(unsigned flags) {
    load_argument(flags);
    jump(BPF_JSET, O_CREAT | TMPFILE_BIT, 1, 0);
    give(SECCOMP_RET_ALLOW);
    allow_unless_set(flags + 1, SET_ID);
}

static void judge_ioctl(void) {
    load_argument(1);
    jump(BPF_JEQ, TIOCSTI, 2, 0);
    jump(BPF_JEQ, TIOCLINUX, 1, 0);
    give(SECCOMP_RET_ALLOW);
    deny(EPERM);
}

static void judge_family(void) {
    load_argument(0);
    jump(BPF_JEQ, AF_UNIX, 5, 0);
    jump(BPF_JEQ, AF_INET, 4, 0);
    jump(BPF_JEQ, AF_INET6, 3, 0);
    jump(BPF_JEQ, AF_NETLINK, 0, 3);
    load_argument(2);
    jump(BPF_JEQ, 0 /* NETLINK_ROUTE */, 0, 1);
    give(SECCOMP_RET_ALLOW);
    deny(EAFNOSUPPORT);
}

static void judge_personality(void) {
    load_argument(0);
    jump(BPF_JEQ, 0xffffffffu, 2, 0);
    jump(BPF_JEQ, 0, 1, 0);
    jump(BPF_JEQ, ADDR_NO_RANDOMIZE, 0, 1);
    give(SECCOMP_RET_ALLOW);
    deny(EPERM);
}

static void judge_namespaces(unsigned call) {
    uint32_t bits = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID
                    | CLONE_NEWNET;
    /* CLONE_NEWTIME shares its bit with clone's exit signal */
    allow_unless_set(0, call == __NR_unshare ? bits | 0x80 : bits);
}

/* A file in memory has no path that Landlock could judge. */
static void judge_memory(void) {
    if (!exec_named) {
        give(SECCOMP_RET_ALLOW);
        return;
    }
    load_argument(1);
    jump(BPF_JSET, NOEXEC_SEAL, 0, 1);
    give(SECCOMP_RET_ALLOW);
    deny(EACCES);
}

static void judge(const struct rule *r) {
    switch (r->verdict) {
        case REFUSE: deny(EPERM); break;
        case ABSENT: deny(ENOSYS); break;
        case NO_NAMESPACES: judge_namespaces(r->call); break;
        case NO_INJECTION: judge_ioctl(); break;
        case FAMILIES: judge_family(); break;
        case PERSONALITIES: judge_personality(); break;
        case MODE_1: allow_unless_set(1, SET_ID); break;
        case MODE_2: allow_unless_set(2, SET_ID); break;
        case SEALED_MEMORY: judge_memory(); break;
        case OPEN_1: judge_open(1); break;
        case OPEN_2: judge_open(2); break;
    }
}

/* A jump over what comes next, its distance filled in by land(). */
static unsigned short leap(void) {
    return emit((struct sock_filter) BPF_STMT(BPF_JMP | BPF_JA, 0));
}

static void land(unsigned short from) {
    program[from].k = (uint32_t) (used - from - 1);
}

static void judge_one_of(const struct rule *rules, int first, int end) {
    for (int i = first; i < end; i++) {
        jump(BPF_JEQ, rules[i].call, 1, 0);
        unsigned short next = leap();
        judge(&rules[i]);
        land(next);
    }
    give(SECCOMP_RET_ALLOW);
}

/* A search tree: the kernel runs the filter for every call number once to find the always allowed ones,
 * and a list would make that the costliest step of a cage. */
static void search(const struct rule *rules, int first, int end) {
    if (end - first <= 3) {
        judge_one_of(rules, first, end);
        return;
    }
    int middle = first + (end - first) / 2;
    jump(BPF_JGE, rules[middle].call, 0, 1);
    unsigned short upper = leap();
    search(rules, first, middle);
    land(upper);
    search(rules, middle, end);
}

static void sort_rules(struct rule *rules, int count) {
    for (int i = 1; i < count; i++) {
        for (int k = i; k > 0 && rules[k].call < rules[k - 1].call; k--) {
            struct rule lower = rules[k];
            rules[k] = rules[k - 1];
            rules[k - 1] = lower;
        }
    }
}

static void only_this_architecture(void) {
    load(offsetof(struct seccomp_data, arch));
    jump(BPF_JEQ, NATIVE, 1, 0);
    give(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(struct seccomp_data, nr));
#ifdef X32_BIT
    jump(BPF_JSET, X32_BIT, 0, 1);
    deny(ENOSYS);
#endif
    jump(BPF_JGT, NEWEST_KNOWN_CALL, 0, 1);
    deny(ENOSYS);
}

static void install(struct rule *rules, int count) {
    used = 0;
    sort_rules(rules, count);
    only_this_architecture();
    search(rules, 0, count);
    struct sock_fprog filter = {used, program};
    if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) {
        die("seccomp", "seccomp(SECCOMP_SET_MODE_FILTER, %u steps)", used);
    }
}

/* Of both filters the stricter answer counts; a rule stands in one of them. */
void filter_what_no_cage_needs(void) {
    install(ahead, sizeof ahead / sizeof ahead[0]);
}

void filter_system_calls(const struct cage *c) {
    exec_named = c->exec_named;
    install(last, sizeof last / sizeof last[0]);
}
