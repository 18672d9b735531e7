/* Ways to a network: every family, and the host's own listeners. */
#include "probe.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

static int own_loopback(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server < 0 || client < 0 || bind(server, (struct sockaddr *)&address, size) < 0 || listen(server, 1) < 0)
        return errno;
    getsockname(server, (struct sockaddr *)&address, &size);
    return answer(connect(client, (struct sockaddr *)&address, size));
}
static int own_loopback6(void) {
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t size = sizeof address;
    int server = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int client = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server < 0 || client < 0 || bind(server, (struct sockaddr *)&address, size) < 0 || listen(server, 1) < 0)
        return errno;
    getsockname(server, (struct sockaddr *)&address, &size);
    return answer(connect(client, (struct sockaddr *)&address, size));
}
static int family(int family, int type, int protocol) { return answer(socket(family, type, protocol)); }
static int packet_socket(void) { return family(AF_PACKET, SOCK_RAW, htons(3)); }
static int raw_socket(void) { return family(AF_INET, SOCK_RAW, IPPROTO_RAW); }
static int raw_socket6(void) { return family(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6); }
static int ping_socket(void) { return family(AF_INET, SOCK_RAW, IPPROTO_ICMP); }
static int vsock_socket(void) { return family(AF_VSOCK, SOCK_STREAM, 0); }
static int vsock_pair(void) {
    int ends[2];
    return reached(socketpair(AF_VSOCK, SOCK_STREAM, 0, ends), EOPNOTSUPP);
}
static int alg_socket(void) { return family(AF_ALG, SOCK_SEQPACKET, 0); }
static int bluetooth_socket(void) { return family(AF_BLUETOOTH, SOCK_RAW, 1); }
static int key_socket(void) { return family(AF_KEY, SOCK_RAW, 2); }
static int xdp_socket(void) { return family(44, SOCK_RAW, 0); }
static int tipc_socket(void) { return family(AF_TIPC, SOCK_RDM, 0); }
static int netlink_route(void) { return family(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE); }
static int netlink_netfilter(void) { return family(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER); }
static int netlink_audit(void) { return family(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT); }
static int netlink_events(void) { return family(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT); }
static int netlink_generic(void) { return family(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC); }
static int netlink_connector(void) { return family(AF_NETLINK, SOCK_RAW, NETLINK_CONNECTOR); }
static int netlink_diagnostics(void) { return family(AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG); }

/* Connected is not enough: with a gateway every connection may be taken. Only the host listener's greeting counts. */
static int greeted(int client) {
    char greeting[16] = "";
    struct pollfd wait = {client, POLLIN, 0};
    if (poll(&wait, 1, 1500) <= 0)
        return ETIMEDOUT;
    long got = read(client, greeting, sizeof greeting - 1);
    return got < 0 ? errno : strncmp(greeting, "host", 4) == 0 ? 0 : ENODATA;
}
static int call(const char *host, int port, int protocol) {
    struct sockaddr_storage storage = {0};
    struct sockaddr_in *four = (struct sockaddr_in *)&storage;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)&storage;
    int family = strchr(host, ':') ? AF_INET6 : AF_INET;
    socklen_t size = family == AF_INET ? sizeof *four : sizeof *six;
    storage.ss_family = (sa_family_t)family;
    if (family == AF_INET) {
        four->sin_port = htons((uint16_t)port);
        inet_pton(AF_INET, host, &four->sin_addr);
    } else {
        six->sin6_port = htons((uint16_t)port);
        inet_pton(AF_INET6, host, &six->sin6_addr);
    }
    int client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, protocol);
    if (client < 0)
        return errno;
    if (connect(client, (struct sockaddr *)&storage, size) < 0)
        return errno;
    return greeted(client);
}
static int call_loopback(void) { return call("127.0.0.1", fact_number("tcp-port"), 0); }
static int call_loopback6(void) {
    return fact_number("tcp6-port") == 0 ? cannot("no IPv6 loopback on the host") : call("::1", fact_number("tcp6-port"), 0);
}
static int call_mapped(void) { return call("::ffff:127.0.0.1", fact_number("tcp-port"), 0); }
static int call_zero(void) { return call("0.0.0.0", fact_number("tcp-port"), 0); }
static int call_other_loopback(void) { return call("127.0.0.9", fact_number("any-port"), 0); }
static int call_multipath(void) { return call("127.0.0.1", fact_number("tcp-port"), 262); }
static int call_address(void) {
    const char *address = fact("address");
    return *address ? call(address, fact_number("any-port"), 0) : cannot("the host has no address besides loopback");
}
static int call_fast_open(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    address.sin_port = htons((uint16_t)fact_number("tcp-port"));
    int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (sendto(client, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address) < 0)
        return errno;
    return greeted(client);
}
static int ask(const char *host, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, host, &address.sin_addr);
    int client = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (client < 0)
        return errno;
    if (sendto(client, "ping", 4, 0, (struct sockaddr *)&address, sizeof address) < 0)
        return errno;
    return greeted(client);
}
static int ask_loopback(void) { return ask("127.0.0.1", fact_number("udp-port")); }
static int ask_address(void) {
    const char *address = fact("address");
    return *address ? ask(address, fact_number("udp-port")) : cannot("the host has no address besides loopback");
}
static int broadcast(void) {
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_BROADCAST)}};
    int client = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    setsockopt(client, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
    if (is_outside() && *fact("address") == 0)
        return cannot("the host has no network card");
    return answer(sendto(client, "x", 1, 0, (struct sockaddr *)&address, sizeof address));
}
static int sctp_socket(void) { return family(AF_INET, SOCK_STREAM, IPPROTO_SCTP); }
static int other_interface(void) {
    char text[4096] = "";
    int file = open("/proc/net/dev", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno;
    long got = read(file, text, sizeof text - 1);
    close(file);
    int interfaces = 0;
    for (long i = 0; i < got; i++)
        interfaces += text[i] == ':';
    return interfaces > 1 ? 0 : ENODEV;
}

#define LOOP "listen and connect on 127.0.0.1 within the cage", own_loopback
#define LOOP6 "listen and connect on ::1 within the cage", own_loopback6
#define ROUTE "open a route netlink socket", netlink_route
const struct probe network_probes[] = {
    {"packet-socket", "I1", "send frames", LOOP, "socket(AF_PACKET)", packet_socket, NULL},
    {"raw-socket", "I1", "send raw IPv4", LOOP, "socket(SOCK_RAW, IPPROTO_RAW)", raw_socket, NULL},
    {"raw-socket-v6", "I1", "send raw IPv6", LOOP6, "socket(SOCK_RAW, ICMPv6)", raw_socket6, NULL},
    {"icmp", "I1", "ping", LOOP, "socket(SOCK_RAW, ICMP)", ping_socket, NULL},
    {"vsock", "I1", "talk to the hypervisor's host", LOOP, "socket(AF_VSOCK)", vsock_socket, NULL},
    {"vsock-pair", "I1", "make a vsock by socketpair", LOOP, "socketpair(AF_VSOCK)", vsock_pair, NULL},
    {"af-alg", "I6", "reach the kernel's ciphers", LOOP, "socket(AF_ALG)", alg_socket, NULL},
    {"bluetooth", "I1", "use the radio", LOOP, "socket(AF_BLUETOOTH)", bluetooth_socket, NULL},
    {"af-key", "I1", "change IPsec", LOOP, "socket(AF_KEY)", key_socket, NULL},
    {"xdp", "I1", "send frames by XDP", LOOP, "socket(AF_XDP)", xdp_socket, NULL},
    {"tipc", "I1", "use a cluster protocol", LOOP, "socket(AF_TIPC)", tipc_socket, NULL},
    {"sctp", "I1", "use SCTP", LOOP, "socket(IPPROTO_SCTP)", sctp_socket, NULL},
    {"netlink-netfilter", "I1", "change the packet filter", ROUTE, "netlink netfilter", netlink_netfilter, NULL},
    {"netlink-audit", "I6", "write to the kernel's audit", ROUTE, "netlink audit", netlink_audit, NULL},
    {"netlink-uevent", "I7", "listen to device events", ROUTE, "netlink kobject_uevent", netlink_events, NULL},
    {"netlink-generic", "I1", "reach generic netlink families", ROUTE, "netlink generic", netlink_generic, NULL},
    {"netlink-connector", "I7", "watch processes of the host", ROUTE, "netlink connector", netlink_connector, NULL},
    {"netlink-diagnostics", "I7", "list sockets", ROUTE, "netlink sock_diag", netlink_diagnostics, NULL},
    {"tcp-loopback", "I1", "connect to a listener on the host's loopback", LOOP, "connect to 127.0.0.1", call_loopback, NULL},
    {"tcp-loopback-v6", "I1", "the same over IPv6", LOOP6, "connect to ::1", call_loopback6, NULL},
    {"tcp-mapped", "I1", "the same by a mapped address", LOOP6, "connect to ::ffff:127.0.0.1", call_mapped, NULL},
    {"tcp-unspecified", "I1", "the same by 0.0.0.0", LOOP, "connect to 0.0.0.0", call_zero, NULL},
    {"tcp-other-loopback", "I1", "the same by another loopback address", LOOP, "connect to 127.0.0.9", call_other_loopback, NULL},
    {"tcp-host-address", "I1", "connect to the host's own address", LOOP, "connect to the host's address", call_address, NULL},
    {"mptcp-loopback", "I1", "connect by multipath TCP", LOOP, "connect with protocol 262", call_multipath, NULL},
    {"tcp-fast-open", "I1", "connect by sendto", LOOP, "sendto(MSG_FASTOPEN)", call_fast_open, NULL},
    {"udp-loopback", "I1", "send to a listener on the host's loopback", LOOP, "sendto 127.0.0.1", ask_loopback, NULL},
    {"udp-host-address", "I1", "send to the host's own address", LOOP, "sendto the host's address", ask_address, NULL},
    {"broadcast", "I1", "shout into the local network", LOOP, "sendto 255.255.255.255", broadcast, NULL},
    {"other-interface", "I1", "have an interface besides lo", ROUTE, "find one in /proc/net/dev", other_interface, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
