/* Channels between processes that are not files: System V, POSIX queues, unix sockets. */
#include "probe.h"

#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>

static key_t host_key(void) { return (key_t)fact_number("ipc-key"); }

static int own_queue(void) {
    int queue = msgget(IPC_PRIVATE, 0600);
    return queue < 0 ? errno : answer(msgctl(queue, IPC_RMID, NULL));
}
static int host_queue(void) { return answer(msgget(host_key(), 0)); }
static int host_memory(void) { return answer(shmget(host_key(), 0, 0)); }
static int host_semaphore(void) { return answer(semget(host_key(), 0, 0)); }
static int host_message_queue(void) {
    mqd_t queue = mq_open(fact("mqueue"), O_RDONLY);
    return queue == (mqd_t)-1 ? errno : 0;
}
static int count_of_queues(void) {
    char text[4096];
    int file = open("/proc/sysvipc/msg", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    long got = read(file, text, sizeof text);
    close(file);
    int lines = 0;
    for (long i = 0; i < got; i++)
        lines += text[i] == '\n';
    return lines > 1 ? 0 : ENOENT;
}

static int connect_unix(const char *name, int is_abstract, int type) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    if (length + 2 > sizeof address.sun_path)
        return cannot("the path is longer than a socket address");
    memcpy(address.sun_path + is_abstract, name, length);
    int end = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    if (end < 0)
        return errno;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + 1);
    return answer(connect(end, (struct sockaddr *)&address, size));
}
static int listen_unix(const char *name, int is_abstract) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + is_abstract, name, strlen(name));
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name) + 1);
    int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (end < 0 || bind(end, (struct sockaddr *)&address, size) < 0 || listen(end, 1) < 0)
        return errno;
    return connect_unix(name, is_abstract, SOCK_STREAM);
}
static int pair_unix(void) {
    int ends[2];
    return answer(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
}
static int own_abstract(void) { return listen_unix("probe-own-abstract", 1); }
static int own_path(void) {
    unlink("/tmp/probe.sock");
    return listen_unix("/tmp/probe.sock", 0);
}
static int host_abstract(void) { return connect_unix(fact("abstract"), 1, SOCK_STREAM); }
static int host_abstract_datagram(void) { return connect_unix(fact("abstract-datagram"), 1, SOCK_DGRAM); }
static int host_run(void) { return connect_unix(fact("run-socket"), 0, SOCK_STREAM); }
static int host_home(void) { return connect_unix(fact("home-socket"), 0, SOCK_STREAM); }
static int host_by_root(void) { return connect_unix(below("/proc/self/root", fact("run-socket") + 1), 0, SOCK_STREAM); }
static int host_by_link(void) {
    unlink(in_workspace("free/socket-link"));
    if (symlink(fact("run-socket"), in_workspace("free/socket-link")) < 0)
        return errno;
    int problem = connect_unix("free/socket-link", 0, SOCK_STREAM);
    unlink(in_workspace("free/socket-link"));
    return problem;
}
static int well_known_sockets(void) {
    static const char *const names[] = {"/run/docker.sock",  "/var/run/docker.sock",       "/run/dbus/system_bus_socket",
                                        "/run/podman/podman.sock", "/run/containerd/containerd.sock", "/tmp/.X11-unix/X0", NULL};
    struct stat found;
    for (int i = 0; names[i]; i++)
        if (stat(names[i], &found) == 0)
            return 0;
    return is_outside() ? stat(fact("run-socket"), &found) : ENOENT;
}

const struct probe ipc_probes[] = {
    {"sysv-queue", "I7", "open a message queue of the host", "make a private queue", own_queue, "msgget(host's key)", host_queue, NULL},
    {"sysv-memory", "I7", "attach shared memory of the host", "make a private queue", own_queue, "shmget(host's key)", host_memory,
     NULL},
    {"sysv-semaphore", "I7", "use a semaphore of the host", "make a private queue", own_queue, "semget(host's key)", host_semaphore,
     NULL},
    {"sysv-list", "I7", "list the host's queues", "make a private queue", own_queue, "read /proc/sysvipc/msg", count_of_queues, NULL},
    {"posix-queue", "I7", "open a POSIX queue of the host", "make a private queue", own_queue, "mq_open(host's name)",
     host_message_queue, NULL},
    {"B151-abstract-socket", "I7", "connect to an abstract socket of the host", "listen and connect within the cage", own_abstract,
     "connect to the host's abstract name", host_abstract, NULL},
    {"B151-abstract-datagram", "I7", "send to an abstract socket of the host", "make a socket pair", pair_unix,
     "connect a datagram socket to the host's abstract name", host_abstract_datagram, NULL},
    {"B101-socket-in-run", "I6", "connect to a daemon's socket in /run", "listen and connect in /tmp", own_path,
     "connect to a listener in the host's /run", host_run, NULL},
    {"B101-socket-in-home", "I6", "connect to an agent's socket in the home", "listen and connect in /tmp", own_path,
     "connect to a listener in the real home", host_home, NULL},
    {"B101-socket-by-proc-root", "I6", "the same by /proc/self/root", "listen and connect in /tmp", own_path,
     "connect by /proc/self/root", host_by_root, NULL},
    {"B101-socket-by-link", "I6", "the same through a link in the workspace", "listen and connect in /tmp", own_path,
     "connect through a symbolic link", host_by_link, NULL},
    {"B102-known-sockets", "I6", "find a container engine's or a bus's socket", "make a socket pair", pair_unix,
     "stat the usual paths", well_known_sockets, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
