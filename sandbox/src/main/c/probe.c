/* What this host lets the current user do, found out by doing it: each probe runs in a process of its own, which is
 * killed after five seconds. One line a probe: its name, the errno (0 when it worked), and words for a person. */
#include "cage.h"
#include "kernel.h"
#include "netlink.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { PATIENCE_MS = 5000, LINE_SIZE = 256, PORT = 3128, LO = 1 };
enum { TRANSPARENT_V4 = 19 };
enum { LANDLOCK_VERSION = 1, LANDLOCK_ERRATA = 2 };
#ifndef MFD_EXEC
#define MFD_EXEC 0x10U
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

static int answer; /* where a probe's line goes */

static _Noreturn void tell(int reason, const char *format, ...) {
    char line[LINE_SIZE];
    int size = snprintf(line, sizeof line, "%d ", reason);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(line + size, sizeof line - (size_t) size, format, arguments);
    va_end(arguments);
    size = more < 0 ? size : size + more;
    if (size >= (int) sizeof line) {
        size = sizeof line - 1;
    }
    (void) !write(answer, line, (size_t) size);
    _exit(0);
}

static _Noreturn void failed(const char *call) {
    int reason = errno;
    tell(reason, "%s: %s", call, strerror(reason));
}

static void must(int result, const char *call) {
    if (result < 0) {
        failed(call);
    }
}

static void write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0) {
        failed(path);
    }
    close(fd);
}

/* A user namespace of our own in which we are ourselves, and `others` besides. */
static void own_user_and(int others) {
    char map[64];
    unsigned uid = (unsigned) geteuid();
    unsigned gid = (unsigned) getegid();
    must(unshare(CLONE_NEWUSER), "unshare(CLONE_NEWUSER)");
    write_text("/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%u %u 1", uid, uid);
    write_text("/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%u %u 1", gid, gid);
    write_text("/proc/self/gid_map", map);
    if (others != 0) {
        must(unshare(others), "unshare");
    }
}

static void own_mounts(int others) {
    own_user_and(CLONE_NEWNS | others);
    must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount(/, MS_PRIVATE)");
    must(mount("probe", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=1m"), "mount(tmpfs)");
}

static void probe_userns(void) {
    own_user_and(0);
    tell(0, "works");
}

static void probe_mntns(void) {
    own_user_and(CLONE_NEWNS);
    must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount(/, MS_PRIVATE)");
    tell(0, "works");
}

static void probe_pidns(void) {
    own_user_and(CLONE_NEWPID);
    pid_t child = fork();
    must(child, "fork");
    if (child == 0) {
        _exit(getpid() == 1 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    tell(status == 0 ? 0 : EINVAL, status == 0 ? "works" : "the first process is not number 1");
}

static void probe_netns(void) {
    own_user_and(CLONE_NEWNET);
    struct ifreq lo = {.ifr_flags = IFF_UP | IFF_RUNNING};
    strcpy(lo.ifr_name, "lo");
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    must(s, "socket");
    must(ioctl(s, SIOCSIFFLAGS, &lo), "ioctl(SIOCSIFFLAGS lo)");
    tell(0, "works");
}

static void probe_ipcns(void) {
    own_user_and(CLONE_NEWIPC);
    tell(0, "works");
}

static void probe_utsns(void) {
    own_user_and(CLONE_NEWUTS);
    must(sethostname("probe", 5), "sethostname");
    tell(0, "works");
}

static void probe_cgroupns(void) {
    own_user_and(CLONE_NEWCGROUP);
    tell(0, "works");
}

/* Answers from a child, which is the first process of its namespace. */
static void probe_proc(void) {
    own_mounts(CLONE_NEWPID);
    pid_t child = fork();
    must(child, "fork");
    if (child == 0) {
        must(mount("proc", "/tmp", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "mount(proc)");
        tell(0, "works");
    }
    waitpid(child, NULL, 0);
    _exit(0);
}

static void probe_tmpfs(void) {
    own_mounts(0);
    tell(0, "works");
}

static void probe_overlay(void) {
    own_mounts(0);
    const char *const folders[] = {"/tmp/lower", "/tmp/upper", "/tmp/work", "/tmp/merged"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        must(mkdir(folders[i], 0755), "mkdir");
    }
    must(mount("overlay", "/tmp/merged", "overlay", 0,
               "lowerdir=/tmp/lower,upperdir=/tmp/upper,workdir=/tmp/work,userxattr"),
         "mount(overlay)");
    must(mkdir("/tmp/merged/new", 0755), "mkdir in the overlay");
    tell(0, "works");
}

static void probe_devpts(void) {
    own_mounts(0);
    must(mount("devpts", "/tmp", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620"),
         "mount(devpts)");
    must(open("/tmp/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC), "open(ptmx)");
    tell(0, "works");
}

static void probe_detached(void) {
    own_mounts(0);
    int tree = open_tree_at(AT_FDCWD, "/usr", OPEN_TREE_CLONE | O_CLOEXEC | WHOLE_TREE);
    must(tree, "open_tree");
    struct attributes a = {.set = ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV};
    must(set_mount(tree, "", AT_EMPTY_PATH | WHOLE_TREE, &a), "mount_setattr");
    must(mkdir("/tmp/here", 0755), "mkdir");
    must(move_mount_at(tree, AT_FDCWD, "/tmp/here", 0), "move_mount");
    tell(0, "works");
}

static void probe_openat2(void) {
    must(open_by(AT_FDCWD, "/", O_PATH | O_CLOEXEC, NO_LINKS), "openat2");
    tell(0, "works");
}

/* A child that only holds a user namespace; -1 when it could not make one. */
static pid_t hold_user_namespace(void) {
    int ready[2];
    must(pipe2(ready, O_CLOEXEC), "pipe2");
    pid_t child = fork();
    must(child, "fork");
    if (child == 0) {
        char byte = (char) unshare(CLONE_NEWUSER);
        (void) !write(ready[1], &byte, 1);
        pause();
        _exit(0);
    }
    char byte = 1;
    (void) !read(ready[0], &byte, 1);
    return byte == 0 ? child : -1;
}

static int open_of(pid_t process, const char *name, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int) process, name);
    return open(path, flags | O_CLOEXEC);
}

static void map_root(pid_t process, const char *name) {
    int fd = open_of(process, name, O_WRONLY);
    if (fd < 0 || write(fd, "0 0 1", 5) != 5) {
        int reason = errno;
        kill(process, SIGKILL);
        errno = reason;
        failed(name);
    }
    close(fd);
}

static void probe_idmap(void) {
    pid_t child = hold_user_namespace();
    must(child, "unshare(CLONE_NEWUSER)");
    map_root(child, "uid_map");
    map_root(child, "gid_map");
    int ns = open_of(child, "ns/user", O_RDONLY);
    int tree = open_tree_at(AT_FDCWD, "/usr", OPEN_TREE_CLONE | O_CLOEXEC);
    struct attributes a = {.set = ATTR_IDMAP, .userns = (uint64_t) (unsigned) ns};
    int result = ns < 0 || tree < 0 ? -1 : set_mount(tree, "", AT_EMPTY_PATH, &a);
    int reason = errno;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    errno = reason;
    must(result, "mount_setattr(MOUNT_ATTR_IDMAP)");
    tell(0, "works");
}

static void probe_landlock(void) {
    long abi = syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_VERSION);
    must((int) abi, "landlock_create_ruleset");
    long errata = syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_ERRATA);
    if (errata < 0) {
        tell(0, "abi %ld errata unknown", abi);
    }
    tell(0, "abi %ld errata 0x%lx", abi, errata);
}

static struct sock_filter allow_all[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
static struct sock_fprog allowing = {1, allow_all};

static long filter(unsigned long flags) {
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl(PR_SET_NO_NEW_PRIVS)");
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, &allowing);
}

static void probe_seccomp(void) {
    must((int) filter(0), "seccomp(SECCOMP_SET_MODE_FILTER)");
    tell(0, "works");
}

static void probe_notify(void) {
    if (filter(SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV) >= 0) {
        tell(0, "works, waits killable");
    }
    must((int) filter(SECCOMP_FILTER_FLAG_NEW_LISTENER), "seccomp(NEW_LISTENER)");
    tell(0, "works, without killable waits");
}

static void probe_capabilities(void) {
    char status[4096];
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    must(fd, "open(/proc/self/status)");
    ssize_t size = read(fd, status, sizeof status - 1);
    must((int) size, "read(/proc/self/status)");
    status[size] = '\0';
    const char *effective = strstr(status, "CapEff:");
    const char *bounding = strstr(status, "CapBnd:");
    const char *filters = strstr(status, "Seccomp:");
    tell(0, "effective %.16s bounding %.16s filtered %.1s", effective ? effective + 8 : "?",
         bounding ? bounding + 8 : "?", filters ? filters + 9 : "?");
}

static void probe_anyip(void) {
    own_user_and(CLONE_NEWNET);
    struct ifreq lo = {.ifr_flags = IFF_UP | IFF_RUNNING};
    strcpy(lo.ifr_name, "lo");
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    must(s, "socket");
    must(ioctl(s, SIOCSIFFLAGS, &lo), "ioctl(SIOCSIFFLAGS lo)");
    uint32_t device = LO;
    struct rtmsg fixed = {.rtm_family = AF_INET,
                          .rtm_table = RT_TABLE_LOCAL,
                          .rtm_protocol = RTPROT_STATIC,
                          .rtm_scope = RT_SCOPE_HOST,
                          .rtm_type = RTN_LOCAL};
    static struct request r;
    begin(&r, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK, &fixed, sizeof fixed);
    attribute(&r, RTA_OIF, &device, sizeof device);
    errno = settle(&r, NETLINK_ROUTE);
    must(errno == 0 ? 0 : -1, "netlink(RTM_NEWROUTE local default)");
    tell(0, "works");
}

static void batch_edge(struct request *r, int type) {
    struct nfgenmsg fixed = {.nfgen_family = AF_UNSPEC, .version = NFNETLINK_V0, .res_id = htons(NFNL_SUBSYS_NFTABLES)};
    begin(r, type, 0, &fixed, sizeof fixed);
}

static void begin_table(struct request *r, int type) {
    static const struct nfgenmsg inet = {.nfgen_family = NFPROTO_INET, .version = NFNETLINK_V0};
    begin(r, (NFNL_SUBSYS_NFTABLES << 8) | type, NLM_F_CREATE | NLM_F_ACK, &inet, sizeof inet);
}

static void add_chain(struct request *r) {
    begin_table(r, NFT_MSG_NEWTABLE);
    attribute_text(r, NFTA_TABLE_NAME, "probe");
    begin_table(r, NFT_MSG_NEWCHAIN);
    attribute_text(r, NFTA_CHAIN_TABLE, "probe");
    attribute_text(r, NFTA_CHAIN_NAME, "probe");
    size_t hook = open_nest(r, NFTA_CHAIN_HOOK);
    attribute_be32(r, NFTA_HOOK_HOOKNUM, NF_INET_PRE_ROUTING);
    attribute_be32(r, NFTA_HOOK_PRIORITY, (uint32_t) -150);
    close_nest(r, hook);
    attribute_text(r, NFTA_CHAIN_TYPE, "filter");
}

static void compare_byte(struct request *r, const char *load, int destination, int key, uint32_t what, uint8_t value) {
    size_t element = open_nest(r, NFTA_LIST_ELEM);
    attribute_text(r, NFTA_EXPR_NAME, load);
    size_t data = open_nest(r, NFTA_EXPR_DATA);
    attribute_be32(r, destination, NFT_REG_1);
    attribute_be32(r, key, what);
    close_nest(r, data);
    close_nest(r, element);
    element = open_nest(r, NFTA_LIST_ELEM);
    attribute_text(r, NFTA_EXPR_NAME, "cmp");
    data = open_nest(r, NFTA_EXPR_DATA);
    attribute_be32(r, NFTA_CMP_SREG, NFT_REG_1);
    attribute_be32(r, NFTA_CMP_OP, NFT_CMP_EQ);
    size_t nest = open_nest(r, NFTA_CMP_DATA);
    attribute(r, NFTA_DATA_VALUE, &value, sizeof value);
    close_nest(r, nest);
    close_nest(r, data);
    close_nest(r, element);
}

static void add_tproxy_rule(struct request *r) {
    uint16_t port = htons(PORT);
    begin_table(r, NFT_MSG_NEWRULE);
    attribute_text(r, NFTA_RULE_TABLE, "probe");
    attribute_text(r, NFTA_RULE_CHAIN, "probe");
    size_t list = open_nest(r, NFTA_RULE_EXPRESSIONS);
    compare_byte(r, "meta", NFTA_META_DREG, NFTA_META_KEY, NFT_META_L4PROTO, IPPROTO_TCP);
    size_t element = open_nest(r, NFTA_LIST_ELEM);
    attribute_text(r, NFTA_EXPR_NAME, "immediate");
    size_t data = open_nest(r, NFTA_EXPR_DATA);
    attribute_be32(r, NFTA_IMMEDIATE_DREG, NFT_REG_1);
    size_t nest = open_nest(r, NFTA_IMMEDIATE_DATA);
    attribute(r, NFTA_DATA_VALUE, &port, sizeof port);
    close_nest(r, nest);
    close_nest(r, data);
    close_nest(r, element);
    element = open_nest(r, NFTA_LIST_ELEM);
    attribute_text(r, NFTA_EXPR_NAME, "tproxy");
    data = open_nest(r, NFTA_EXPR_DATA);
    attribute_be32(r, NFTA_TPROXY_FAMILY, NFPROTO_UNSPEC);
    attribute_be32(r, NFTA_TPROXY_REG_PORT, NFT_REG_1);
    close_nest(r, data);
    close_nest(r, element);
    close_nest(r, list);
}

static void probe_tproxy(void) {
    own_user_and(CLONE_NEWNET);
    int on = 1;
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(s, "socket");
    must(setsockopt(s, IPPROTO_IP, TRANSPARENT_V4, &on, sizeof on), "setsockopt(IP_TRANSPARENT)");
    static struct request r;
    batch_edge(&r, NFNL_MSG_BATCH_BEGIN);
    add_chain(&r);
    add_tproxy_rule(&r);
    batch_edge(&r, NFNL_MSG_BATCH_END);
    errno = settle(&r, NETLINK_NETFILTER);
    must(errno == 0 ? 0 : -1, "netlink(nftables tproxy)");
    tell(0, "works");
}

static void probe_pidfd(void) {
    must((int) syscall(__NR_pidfd_open, getpid(), 0), "pidfd_open");
    tell(0, "works");
}

static void probe_close_range(void) {
    must((int) syscall(__NR_close_range, 1000, 1001, 0), "close_range");
    tell(0, "works");
}

/* An ELF program of one page that ends with status 0. */
static size_t smallest_program(unsigned char *image) {
#if defined(__x86_64__)
    static const unsigned char code[] = {0x31, 0xff, 0xb8, 0x3c, 0, 0, 0, 0x0f, 0x05};
    const unsigned char machine = 0x3e;
#else
    static const unsigned char code[] = {0, 0, 0x80, 0xd2, 0xa8, 0x0b, 0x80, 0xd2, 0x01, 0, 0, 0xd4};
    const unsigned char machine = 0xb7;
#endif
    static const unsigned char start[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
    const uint64_t base = 0x400000;
    const uint64_t size = 120 + sizeof code;
    memset(image, 0, 120);
    memcpy(image, start, sizeof start);
    image[16] = 2;
    image[18] = machine;
    image[20] = 1;
    memcpy(image + 24, &(uint64_t){base + 120}, 8);
    image[32] = 64;
    image[52] = 64;
    image[54] = 56;
    image[56] = 1;
    image[64] = 1;
    image[68] = 5;
    memcpy(image + 80, &base, 8);
    memcpy(image + 96, &size, 8);
    memcpy(image + 104, &size, 8);
    memcpy(image + 112, &(uint64_t){0x1000}, 8);
    memcpy(image + 120, code, sizeof code);
    return size;
}

static void probe_memfd(void) {
    unsigned char image[256];
    size_t size = smallest_program(image);
    int fd = (int) syscall(__NR_memfd_create, "probe", 1U | MFD_EXEC);
    if (fd < 0 && errno == EINVAL) {
        fd = (int) syscall(__NR_memfd_create, "probe", 1U);
    }
    must(fd, "memfd_create");
    must(write(fd, image, size) == (ssize_t) size ? 0 : -1, "write(memfd)");
    pid_t child = fork();
    must(child, "fork");
    if (child == 0) {
        char *const nothing[] = {NULL};
        char *const name[] = {"probe", NULL};
        syscall(__NR_execveat, fd, "", name, nothing, AT_EMPTY_PATH);
        failed("execveat(memfd)");
    }
    int status = 0;
    waitpid(child, &status, 0);
    tell(status == 0 ? 0 : ENOEXEC, status == 0 ? "works" : "the program did not run");
}

static void probe_kvm(void) {
    int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
    must(fd, "open(/dev/kvm)");
    int version = ioctl(fd, 0xAE00, 0); /* KVM_GET_API_VERSION */
    must(version, "ioctl(KVM_GET_API_VERSION)");
    must(ioctl(fd, 0xAE01, 0), "ioctl(KVM_CREATE_VM)");
    tell(0, "version %d, a machine can be made", version);
}

static void describe(char *out, size_t size, int resource) {
    struct rlimit limit;
    getrlimit(resource, &limit);
    if (limit.rlim_max == RLIM_INFINITY) {
        snprintf(out, size, "unlimited");
    } else {
        snprintf(out, size, "%llu", (unsigned long long) limit.rlim_max);
    }
}

static void probe_rlimits(void) {
    char files[32];
    char processes[32];
    char memory[32];
    char locked[32];
    describe(files, sizeof files, RLIMIT_NOFILE);
    describe(processes, sizeof processes, RLIMIT_NPROC);
    describe(memory, sizeof memory, RLIMIT_AS);
    describe(locked, sizeof locked, RLIMIT_MEMLOCK);
    tell(0, "hard: nofile %s nproc %s as %s memlock %s", files, processes, memory, locked);
}

static const struct probe {
    const char *name;
    void (*run)(void);
} probes[] = {
    {"userns", probe_userns},
    {"mntns", probe_mntns},
    {"pidns", probe_pidns},
    {"netns", probe_netns},
    {"ipcns", probe_ipcns},
    {"utsns", probe_utsns},
    {"cgroupns", probe_cgroupns},
    {"proc", probe_proc},
    {"tmpfs", probe_tmpfs},
    {"overlay", probe_overlay},
    {"devpts", probe_devpts},
    {"detached-mounts", probe_detached},
    {"idmap", probe_idmap},
    {"openat2", probe_openat2},
    {"landlock", probe_landlock},
    {"seccomp", probe_seccomp},
    {"seccomp-notify", probe_notify},
    {"capabilities", probe_capabilities},
    {"anyip", probe_anyip},
    {"tproxy", probe_tproxy},
    {"pidfd", probe_pidfd},
    {"close-range", probe_close_range},
    {"memfd-exec", probe_memfd},
    {"kvm", probe_kvm},
    {"rlimits", probe_rlimits},
};

static _Noreturn void run_alone(const struct probe *p, int fd) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    answer = fd;
    p->run();
    _exit(1);
}

/* Waits for a line, the end, or too long a time. */
static ssize_t await(int fd, char *line, size_t size) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int count = poll(&ready, 1, PATIENCE_MS);
    return count <= 0 ? -1 : read(fd, line, size);
}

static void run(const struct probe *p) {
    char line[LINE_SIZE + 1];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        printf("%s %d pipe2\n", p->name, errno);
        return;
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        run_alone(p, ends[1]);
    }
    close(ends[1]);
    ssize_t size = child < 0 ? -1 : await(ends[0], line, LINE_SIZE);
    if (size > 0) {
        line[size] = '\0';
        printf("%s %s\n", p->name, line);
    } else if (size == 0) {
        printf("%s %d the probe died\n", p->name, ECHILD);
    } else {
        printf("%s %d no answer within %d s\n", p->name, ETIMEDOUT, PATIENCE_MS / 1000);
    }
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
}

int probe_main(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
        run(&probes[i]);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
