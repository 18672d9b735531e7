/* The cage's network: a loopback that leads nowhere, or, for a net cell, one where every address is local
 * and every connection ends at sockets that the supervisor holds. */
#include "cage.h"
#include "netlink.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* linux/in.h and linux/in6.h, which clash with netinet/in.h. */
enum { V4_TRANSPARENT = 19, V6_TRANSPARENT = 75, V6_FREEBIND = 78, V4_PKTINFO = 8, V6_RECVPKTINFO = 49 };
enum { LOOPBACK = 1, GATE_PORT = 3128, DNS_PORT = 53, BACKLOG = 512 };

static bool has_v6 = true;

static void request_address(int family, const char *text, uint8_t prefix) {
    struct request r = {0};
    uint8_t bytes[16];
    struct ifaddrmsg fixed = {
        .ifa_family = (uint8_t) family, .ifa_prefixlen = prefix, .ifa_index = LOOPBACK, .ifa_flags = IFA_F_NODAD};
    size_t size = family == AF_INET ? 4 : 16;
    inet_pton(family, text, bytes);
    begin(&r, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK, &fixed, sizeof fixed);
    attribute(&r, IFA_LOCAL, bytes, size);
    attribute(&r, IFA_ADDRESS, bytes, size);
    int reason = settle(&r, NETLINK_ROUTE);
    if (reason != 0 && family == AF_INET6) {
        has_v6 = false; /* a kernel or host without IPv6: nothing to protect there */
    } else if (reason != 0) {
        errno = reason;
        die("network", "netlink(RTM_NEWADDR %s)", text);
    }
}

void raise_loopback(const struct cage *c) {
    (void) c;
    struct ifreq lo = {.ifr_flags = IFF_UP | IFF_RUNNING};
    strcpy(lo.ifr_name, "lo");
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0 || ioctl(s, SIOCSIFFLAGS, &lo) != 0) {
        die("network", "ioctl(SIOCSIFFLAGS lo)");
    }
    close(s);
    /* Resolvers ask for a family only if an address outside loopback has it (AI_ADDRCONFIG). */
    request_address(AF_INET, "198.18.0.1", 32);
    request_address(AF_INET6, "fd00:ca9e::1", 128);
    int ports = open("/proc/sys/net/ipv4/ip_unprivileged_port_start", O_WRONLY | O_CLOEXEC);
    if (ports >= 0) {
        (void) !write(ports, "0", 1);
        close(ports);
    }
}

/* "Every address of this family is one of mine." */
static void make_every_address_local(int family) {
    struct request r = {0};
    uint32_t device = LOOPBACK;
    struct rtmsg fixed = {.rtm_family = (uint8_t) family,
                          .rtm_table = RT_TABLE_LOCAL,
                          .rtm_protocol = RTPROT_STATIC,
                          .rtm_scope = family == AF_INET ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE,
                          .rtm_type = RTN_LOCAL};
    begin(&r, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK, &fixed, sizeof fixed);
    attribute(&r, RTA_OIF, &device, sizeof device);
    int reason = settle(&r, NETLINK_ROUTE);
    if (reason != 0) {
        errno = reason;
        die("network", "netlink(RTM_NEWROUTE local default)");
    }
}

static const struct nfgenmsg INET = {.nfgen_family = NFPROTO_INET, .version = NFNETLINK_V0};

static void begin_nft(struct request *r, int type, int flags) {
    begin(r, (NFNL_SUBSYS_NFTABLES << 8) | type, flags | NLM_F_ACK, &INET, sizeof INET);
}

static void batch(struct request *r, int type) {
    struct nfgenmsg fixed = {.nfgen_family = AF_UNSPEC, .version = NFNETLINK_V0, .res_id = htons(NFNL_SUBSYS_NFTABLES)};
    begin(r, type, 0, &fixed, sizeof fixed);
}

static size_t expression[2];

static void open_expression(struct request *r, const char *name) {
    expression[0] = open_nest(r, NFTA_LIST_ELEM);
    attribute_text(r, NFTA_EXPR_NAME, name);
    expression[1] = open_nest(r, NFTA_EXPR_DATA);
}

static void close_expression(struct request *r) {
    close_nest(r, expression[1]);
    close_nest(r, expression[0]);
}

static void load_meta(struct request *r, uint32_t key) {
    open_expression(r, "meta");
    attribute_be32(r, NFTA_META_DREG, NFT_REG_1);
    attribute_be32(r, NFTA_META_KEY, key);
    close_expression(r);
}

static void load_network_header(struct request *r, uint32_t offset, uint32_t size) {
    open_expression(r, "payload");
    attribute_be32(r, NFTA_PAYLOAD_DREG, NFT_REG_1);
    attribute_be32(r, NFTA_PAYLOAD_BASE, NFT_PAYLOAD_NETWORK_HEADER);
    attribute_be32(r, NFTA_PAYLOAD_OFFSET, offset);
    attribute_be32(r, NFTA_PAYLOAD_LEN, size);
    close_expression(r);
}

static void compare(struct request *r, uint32_t how, const void *value, size_t size) {
    open_expression(r, "cmp");
    attribute_be32(r, NFTA_CMP_SREG, NFT_REG_1);
    attribute_be32(r, NFTA_CMP_OP, how);
    size_t nest = open_nest(r, NFTA_CMP_DATA);
    attribute(r, NFTA_DATA_VALUE, value, size);
    close_nest(r, nest);
    close_expression(r);
}

static void deliver_to_gate(struct request *r) {
    uint16_t port = htons(GATE_PORT);
    open_expression(r, "immediate");
    attribute_be32(r, NFTA_IMMEDIATE_DREG, NFT_REG_1);
    size_t nest = open_nest(r, NFTA_IMMEDIATE_DATA);
    attribute(r, NFTA_DATA_VALUE, &port, sizeof port);
    close_nest(r, nest);
    close_expression(r);
    open_expression(r, "tproxy");
    attribute_be32(r, NFTA_TPROXY_FAMILY, NFPROTO_UNSPEC);
    attribute_be32(r, NFTA_TPROXY_REG_PORT, NFT_REG_1);
    close_expression(r);
}

/* TCP of one family that is not for the loopback itself goes to the gate. */
static void add_rule(struct request *r, uint8_t family) {
    static const uint8_t any_loopback[1] = {127};
    static const uint8_t loopback6[16] = {[15] = 1};
    const uint8_t tcp = IPPROTO_TCP;
    begin_nft(r, NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND);
    attribute_text(r, NFTA_RULE_TABLE, "cage");
    attribute_text(r, NFTA_RULE_CHAIN, "gate");
    size_t list = open_nest(r, NFTA_RULE_EXPRESSIONS);
    load_meta(r, NFT_META_NFPROTO);
    compare(r, NFT_CMP_EQ, &family, sizeof family);
    if (family == NFPROTO_IPV4) {
        load_network_header(r, 16, 1);
        compare(r, NFT_CMP_NEQ, any_loopback, sizeof any_loopback);
    } else {
        load_network_header(r, 24, 16);
        compare(r, NFT_CMP_NEQ, loopback6, sizeof loopback6);
    }
    load_meta(r, NFT_META_L4PROTO);
    compare(r, NFT_CMP_EQ, &tcp, sizeof tcp);
    deliver_to_gate(r);
    close_nest(r, list);
}

static void catch_every_connection(void) {
    static struct request r;
    memset(&r, 0, sizeof r);
    batch(&r, NFNL_MSG_BATCH_BEGIN);
    begin_nft(&r, NFT_MSG_NEWTABLE, NLM_F_CREATE);
    attribute_text(&r, NFTA_TABLE_NAME, "cage");
    begin_nft(&r, NFT_MSG_NEWCHAIN, NLM_F_CREATE);
    attribute_text(&r, NFTA_CHAIN_TABLE, "cage");
    attribute_text(&r, NFTA_CHAIN_NAME, "gate");
    size_t hook = open_nest(&r, NFTA_CHAIN_HOOK);
    attribute_be32(&r, NFTA_HOOK_HOOKNUM, NF_INET_PRE_ROUTING);
    attribute_be32(&r, NFTA_HOOK_PRIORITY, (uint32_t) -150);
    close_nest(&r, hook);
    attribute_text(&r, NFTA_CHAIN_TYPE, "filter");
    add_rule(&r, NFPROTO_IPV4);
    if (has_v6) {
        add_rule(&r, NFPROTO_IPV6);
    }
    batch(&r, NFNL_MSG_BATCH_END);
    int reason = settle(&r, NETLINK_NETFILTER);
    if (reason != 0) {
        errno = reason;
        die("network", "netlink(nftables tproxy)");
    }
}

static void enable(int s, int level, int option, const char *name) {
    int on = 1;
    if (setsockopt(s, level, option, &on, sizeof on) != 0) {
        die("network", "setsockopt(%s)", name);
    }
}

static void bind_any(int s, int family, uint16_t port) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    const struct sockaddr *any = family == AF_INET ? (void *) &v4 : (void *) &v6;
    if (bind(s, any, family == AF_INET ? sizeof v4 : sizeof v6) != 0) {
        die("network", "bind(port %u)", port);
    }
}

static int new_socket(int family, int type) {
    int s = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s < 0) {
        die("network", "socket()");
    }
    return s;
}

static int listen_for_all(void) {
    int family = has_v6 ? AF_INET6 : AF_INET;
    int both = 0;
    int s = new_socket(family, SOCK_STREAM);
    enable(s, IPPROTO_IP, V4_TRANSPARENT, "IP_TRANSPARENT");
    if (has_v6) {
        enable(s, IPPROTO_IPV6, V6_TRANSPARENT, "IPV6_TRANSPARENT");
        setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &both, sizeof both);
    }
    bind_any(s, family, GATE_PORT);
    if (listen(s, BACKLOG) != 0) {
        die("network", "listen()");
    }
    return s;
}

static int answer_dns(int family) {
    int s = new_socket(family, SOCK_DGRAM);
    if (family == AF_INET) {
        enable(s, IPPROTO_IP, V4_PKTINFO, "IP_PKTINFO");
    } else {
        enable(s, IPPROTO_IPV6, IPV6_V6ONLY, "IPV6_V6ONLY");
        enable(s, IPPROTO_IPV6, V6_RECVPKTINFO, "IPV6_RECVPKTINFO");
        enable(s, IPPROTO_IPV6, V6_FREEBIND, "IPV6_FREEBIND");
    }
    bind_any(s, family, DNS_PORT);
    return s;
}

void open_net_cell(struct cage *c) {
    if (!c->net_cell) {
        return;
    }
    make_every_address_local(AF_INET);
    if (has_v6) {
        make_every_address_local(AF_INET6);
    }
    catch_every_connection();
    c->net.fds[c->net.count++] = listen_for_all();
    c->net.fds[c->net.count++] = answer_dns(AF_INET);
    if (has_v6) {
        c->net.fds[c->net.count++] = answer_dns(AF_INET6);
    }
}
