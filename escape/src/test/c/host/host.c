/* The host's side of the probes: listeners and queues that a cage must not reach. Prints facts as name=value, then
 * `ready`, then `contact NAME` for each peer; ends, and removes what it made, when its standard input ends.
 * Usage: host NAME RUN_FOLDER HOME_FOLDER WORKSPACE_FOLDER SECRET (a word that is only seen in its command line) */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <mqueue.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_ENDS = 16 };

static struct pollfd ends[MOST_ENDS];
static const char *names[MOST_ENDS];
static int is_datagram[MOST_ENDS];
static int count;
static char paths[4][256];
static int path_count;
static pid_t sleepers[2];
static int ipc_ids[3] = {-1, -1, -1};
static char queue_name[128];

static int watch(int end, const char *name, int datagram) {
    if (end < 0 || count == MOST_ENDS)
        return -1;
    ends[count].fd = end;
    ends[count].events = POLLIN;
    names[count] = name;
    is_datagram[count++] = datagram;
    return end;
}

static int bound(int family, int type, const void *address, socklen_t size) {
    int end = socket(family, type | SOCK_CLOEXEC, 0);
    if (end < 0)
        return -1;
    if (bind(end, address, size) < 0 || (type == SOCK_STREAM && listen(end, 16) < 0)) {
        close(end);
        return -1;
    }
    return end;
}

static void listen_inet(const char *fact, in_addr_t where, int type) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(where)}};
    socklen_t size = sizeof address;
    int end = watch(bound(AF_INET, type, &address, size), fact, type == SOCK_DGRAM);
    getsockname(end, (struct sockaddr *)&address, &size);
    printf("%s=%d\n", fact, end < 0 ? 0 : ntohs(address.sin_port));
}

static void listen_inet6(const char *fact) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t size = sizeof address;
    int end = watch(bound(AF_INET6, SOCK_STREAM, &address, size), fact, 0);
    getsockname(end, (struct sockaddr *)&address, &size);
    printf("%s=%d\n", fact, end < 0 ? 0 : ntohs(address.sin6_port));
}

static void listen_unix(const char *fact, const char *name, int is_abstract, int type) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + is_abstract, name, strlen(name) + 1);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name) + 1);
    if (watch(bound(AF_UNIX, type, &address, size), fact, type == SOCK_DGRAM) >= 0 && !is_abstract) {
        chmod(name, 0777);
        snprintf(paths[path_count++], sizeof paths[0], "%s", name);
    }
    printf("%s=%s\n", fact, name);
}

static void listen_at(const char *fact, const char *folder, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s.sock", folder, name);
    if (strcmp(folder, "-") != 0)
        listen_unix(fact, path, 0, SOCK_STREAM);
}

static void print_address(void) {
    char text[64] = "";
    struct ifaddrs *all = NULL;
    getifaddrs(&all);
    for (struct ifaddrs *one = all; one && !*text; one = one->ifa_next)
        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && !(one->ifa_flags & IFF_LOOPBACK))
            inet_ntop(AF_INET, &((struct sockaddr_in *)one->ifa_addr)->sin_addr, text, sizeof text);
    freeifaddrs(all);
    printf("address=%s\n", text);
}

static void make_queues(const char *name) {
    key_t key = (key_t)(0x43570000 | (getpid() & 0xffff));
    ipc_ids[0] = msgget(key, IPC_CREAT | 0666);
    ipc_ids[1] = shmget(key, 4096, IPC_CREAT | 0666);
    ipc_ids[2] = semget(key, 1, IPC_CREAT | 0666);
    printf("ipc-key=%d\n", key);
    snprintf(queue_name, sizeof queue_name, "/%s", name);
    mqd_t queue = mq_open(queue_name, O_CREAT | O_RDWR, 0666, NULL);
    if (queue != (mqd_t)-1)
        mq_close(queue);
    printf("mqueue=%s\n", queue_name);
}

static void start_sleepers(void) {
    static const char *const facts[] = {"host-pid", "host-pid-2"};
    for (int i = 0; i < 2; i++) {
        sleepers[i] = fork();
        if (sleepers[i] == 0) {
            for (;;)
                pause();
        }
        printf("%s=%d\n", facts[i], sleepers[i]);
    }
}

static void remove_everything(void) {
    for (int i = 0; i < path_count; i++)
        unlink(paths[i]);
    for (int i = 0; i < 2; i++)
        kill(sleepers[i], SIGKILL);
    msgctl(ipc_ids[0], IPC_RMID, NULL);
    shmctl(ipc_ids[1], IPC_RMID, NULL);
    semctl(ipc_ids[2], 0, IPC_RMID);
    mq_unlink(queue_name);
}

static void meet(int i) {
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    char byte[64];
    printf("contact %s\n", names[i]);
    if (is_datagram[i]) {
        recvfrom(ends[i].fd, byte, sizeof byte, 0, (struct sockaddr *)&peer, &size);
        if (size > sizeof(sa_family_t))
            sendto(ends[i].fd, "host", 4, 0, (struct sockaddr *)&peer, size);
        return;
    }
    int caller = accept4(ends[i].fd, NULL, NULL, SOCK_CLOEXEC);
    if (caller >= 0)
        send(caller, "host", 4, MSG_NOSIGNAL);
    close(caller);
}

int main(int argc, char **argv) {
    char datagram_name[128];
    if (argc != 6)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    start_sleepers();
    setvbuf(stdout, NULL, _IOLBF, 0);
    ends[count++] = (struct pollfd){0, POLLIN, 0};
    listen_inet("tcp-port", INADDR_LOOPBACK, SOCK_STREAM);
    listen_inet6("tcp6-port");
    listen_inet("any-port", INADDR_ANY, SOCK_STREAM);
    listen_inet("udp-port", INADDR_ANY, SOCK_DGRAM);
    snprintf(datagram_name, sizeof datagram_name, "%s-datagram", argv[1]);
    listen_unix("abstract", argv[1], 1, SOCK_STREAM);
    listen_unix("abstract-datagram", datagram_name, 1, SOCK_DGRAM);
    listen_at("run-socket", argv[2], argv[1]);
    listen_at("home-socket", argv[3], "agent");
    listen_at("workspace-socket", argv[4], "daemon");
    print_address();
    make_queues(argv[1]);
    printf("ready\n");
    for (;;) {
        if (poll(ends, (nfds_t)count, -1) < 0 && errno != EINTR)
            break;
        if (ends[0].revents) {
            char byte;
            if (read(0, &byte, 1) <= 0)
                break;
        }
        for (int i = 1; i < count; i++)
            if (ends[i].revents & POLLIN)
                meet(i);
    }
    remove_everything();
    return 0;
}
