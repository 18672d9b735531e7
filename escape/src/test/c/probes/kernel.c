/* Wide or old doors of the kernel: keyrings, bpf, io_uring, other entry points, terminals. */
#include "probe.h"

#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <termios.h>

static int get_pid(void) { return syscall(SYS_getpid) > 0 ? 0 : EPERM; }
static int get_clock(void) {
    struct timespec now;
    return answer(clock_gettime(CLOCK_REALTIME, &now));
}
static void *nothing(void *argument) { return argument; }
static int start_thread(void) {
    pthread_t thread;
    int problem = pthread_create(&thread, NULL, nothing, NULL);
    return problem ? problem : pthread_join(thread, NULL);
}

static int key_of_session(void) { return answer(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1)); }
static int join_session(void) { return answer(syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL)); }
static int add_key(void) {
    return answer(syscall(SYS_add_key, "user", "cagewright-probe", "x", 1L, KEY_SPEC_PROCESS_KEYRING));
}
static int find_host_key(void) {
    long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, "user", fact("key"), 0);
    if (key >= 0 || errno != ENOKEY || !is_outside())
        return answer(key);
    key = syscall(SYS_add_key, "user", fact("key"), "x", 1L, KEY_SPEC_USER_KEYRING);
    return key < 0 ? errno : answer(syscall(SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING));
}
static int ask_for_key(void) { return reached(syscall(SYS_request_key, "user", "no-such-key", NULL, 0), ENOKEY); }

static int bpf_map(void) {
    union bpf_attr map;
    memset(&map, 0, sizeof map);
    map.map_type = BPF_MAP_TYPE_ARRAY;
    map.key_size = map.value_size = 4;
    map.max_entries = 1;
    return answer(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}
static int perf(void) {
    struct perf_event_attr event;
    memset(&event, 0, sizeof event);
    event.type = PERF_TYPE_SOFTWARE;
    event.size = sizeof event;
    event.config = PERF_COUNT_SW_TASK_CLOCK;
    event.exclude_kernel = 1;
    return answer(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
}
static int user_faults(void) { return answer(syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY)); }
static int user_faults_device(void) { return act_open("/dev/userfaultfd", O_RDWR); }
static int ring(void) {
    struct io_uring_params parameters;
    memset(&parameters, 0, sizeof parameters);
    return answer(syscall(SYS_io_uring_setup, 4, &parameters));
}
static int ring_enter(void) { return reached(syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0), EBADF); }
static int ring_register(void) { return reached(syscall(SYS_io_uring_register, 0, 0, NULL, 0), EOPNOTSUPP); }
static int poll_nothing(void) { return answer(poll(NULL, 0, 0)); }

static int open_terminal(void) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
        return -1;
    char name[128];
    if (ptsname_r(master, name, sizeof name) != 0)
        return -1;
    setsid();
    return open(name, O_RDWR);
}
static int terminal_size(void) {
    struct winsize size;
    int terminal = open_terminal();
    return terminal < 0 ? errno : answer(ioctl(terminal, TIOCGWINSZ, &size));
}
/* A number whose high half is not zero: the kernel cuts it to 32 bits, a filter that compares 64 does not. */
static int push_input(unsigned long request) {
    char letter = '#';
    int terminal = open_terminal();
    return terminal < 0 ? errno : answer(syscall(SYS_ioctl, terminal, request, &letter));
}
static int type_into_terminal(void) { return push_input(TIOCSTI); }
static int type_with_high_bits(void) { return push_input(TIOCSTI | 0x100000000UL); }
static int type_into_standard_input(void) {
    char letter = '#';
    if (is_outside())
        return type_into_terminal();
    return answer(syscall(SYS_ioctl, 0, TIOCSTI, &letter));
}
static int console_command(void) {
    char command[16] = {6}; /* TIOCL_GETSHIFTSTATE */
    int console = open("/dev/tty1", O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (console < 0 && is_outside())
        return cannot("no virtual console");
    return answer(syscall(SYS_ioctl, console < 0 ? open_terminal() : console, TIOCLINUX, command));
}

static int ask_personality(void) { return answer(personality(0xffffffff)); }
static int personality_32(void) { return answer(personality(PER_LINUX32)); }
static int personality_executable(void) { return answer(personality(READ_IMPLIES_EXEC)); }

#ifdef __x86_64__
static int call_as_x32(void) {
    long pid = syscall(SYS_getpid | 0x40000000L);
    return pid > 0 ? 0 : errno;
}
static int call_as_i386(void) {
    long result = 20; /* getpid there */
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
    return result > 0 ? 0 : (int)-result;
}
static int socket_as_i386(void) {
    /* socketcall(SYS_SOCKET, ...) with its arguments below 4 GiB */
    unsigned *arguments = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (arguments == MAP_FAILED)
        return errno;
    arguments[0] = 40; /* AF_VSOCK */
    arguments[1] = 1;
    long result = 102;
    __asm__ volatile("int $0x80" : "+a"(result) : "b"(1L), "c"((long)(uintptr_t)arguments) : "memory", "r8", "r9", "r10", "r11");
    return result >= 0 ? 0 : (int)-result;
}
static int io_port(void) { return answer(syscall(SYS_iopl, 3)); }
static int io_permissions(void) { return answer(syscall(SYS_ioperm, 0x80L, 1L, 1)); }
static int descriptor_table(void) {
    char buffer[64];
    return answer(syscall(SYS_modify_ldt, 0, buffer, sizeof buffer));
}
#else
static int call_as_x32(void) { return cannot("only on x86-64"); }
static int call_as_i386(void) { return cannot("only on x86-64"); }
static int socket_as_i386(void) { return cannot("only on x86-64"); }
static int io_port(void) { return cannot("only on x86-64"); }
static int io_permissions(void) { return cannot("only on x86-64"); }
static int descriptor_table(void) { return cannot("only on x86-64"); }
#endif

static int watch_files(void) { return reached(syscall(SYS_fanotify_init, 0, O_RDONLY), EINVAL); }
static int kernel_log(void) { return answer(syscall(SYS_syslog, 10, NULL, 0)); }
static int no_new_privileges_off(void) {
    if (is_outside())
        return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? 0 : EPERM;
    prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0);
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 ? 0 : EPERM;
}
static int migrate_pages(void) {
    unsigned long node = 1;
    return reached(syscall(SYS_migrate_pages, 0, 2UL, &node, &node), ENODEV);
}

#define PID "getpid", get_pid
const struct probe kernel_probes[] = {
    {"B150-keyring", "I7", "look into the user's keyring", PID, "keyctl get keyring", key_of_session, NULL},
    {"keyring-host-key", "I2", "find a key that the host's user holds", PID, "keyctl search in the user's keyring", find_host_key,
     NULL},
    {"keyring-join", "I7", "join a session keyring", PID, "keyctl join session", join_session, NULL},
    {"add-key", "I7", "leave a key for another session", PID, "add_key", add_key, NULL},
    {"request-key", "I7", "let the kernel call a helper on the host", PID, "request_key", ask_for_key, NULL},
    {"B150-bpf", "I6", "load kernel programs", PID, "bpf(BPF_MAP_CREATE)", bpf_map, NULL},
    {"B150-perf", "I7", "watch the machine by counters", "read the clock", get_clock, "perf_event_open", perf, NULL},
    {"B150-userfaultfd", "I6", "hold kernel threads at page faults", "start a thread", start_thread, "userfaultfd", user_faults, NULL},
    {"userfaultfd-device", "I6", "the same by its device", "start a thread", start_thread, "open /dev/userfaultfd", user_faults_device,
     NULL},
    {"B148-io-uring", "I1", "make system calls past the filter", "poll", poll_nothing, "io_uring_setup", ring, NULL},
    {"B148-io-uring-enter", "I1", "use a ring from elsewhere", "poll", poll_nothing, "io_uring_enter", ring_enter, NULL},
    {"B148-io-uring-register", "I1", "register with a ring", "poll", poll_nothing, "io_uring_register", ring_register, NULL},
    {"tiocsti", "I9", "type into a terminal", "ask a terminal's size", terminal_size, "ioctl TIOCSTI", type_into_terminal, NULL},
    {"B131-tiocsti-high-bits", "I9", "type into a terminal by a longer number", "ask a terminal's size", terminal_size,
     "ioctl TIOCSTI + 2^32", type_with_high_bits, NULL},
    {"tiocsti-standard-input", "I9", "type into the caller's terminal", "ask a terminal's size", terminal_size,
     "ioctl(0, TIOCSTI)", type_into_standard_input, NULL},
    {"B131-tioclinux", "I9", "control a console", "ask a terminal's size", terminal_size, "ioctl TIOCLINUX", console_command, NULL},
    {"B149-personality-32", "I6", "become a 32-bit process", "ask the personality", ask_personality, "personality(PER_LINUX32)",
     personality_32, NULL},
    {"personality-executable", "I6", "make data executable", "ask the personality", ask_personality,
     "personality(READ_IMPLIES_EXEC)", personality_executable, NULL},
    {"B149-x32", "I6", "enter the kernel by x32 numbers", PID, "getpid with bit 30", call_as_x32, NULL},
    {"B149-i386", "I6", "enter the kernel by int 0x80", PID, "int 0x80 getpid", call_as_i386, NULL},
    {"B149-i386-socketcall", "I1", "make a socket by i386 socketcall", PID, "int 0x80 socketcall", socket_as_i386, NULL},
    {"iopl", "I6", "drive hardware ports", PID, "iopl(3)", io_port, NULL},
    {"ioperm", "I6", "drive one hardware port", PID, "ioperm", io_permissions, NULL},
    {"modify-ldt", "I6", "use an old corner of the kernel", PID, "modify_ldt", descriptor_table, NULL},
    {"fanotify", "I7", "watch files of others", PID, "fanotify_init", watch_files, NULL},
    {"kernel-log", "I7", "read the kernel's log", PID, "syslog", kernel_log, NULL},
    {"migrate-pages", "I6", "move memory between nodes", PID, "migrate_pages", migrate_pages, NULL},
    {"no-new-privileges", "I8", "take no_new_privs back", PID, "prctl(PR_SET_NO_NEW_PRIVS, 0)", no_new_privileges_off, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
