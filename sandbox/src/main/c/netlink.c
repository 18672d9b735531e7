#include "netlink.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void *reserve(struct request *r, size_t size) {
    size_t aligned = NLMSG_ALIGN(size);
    if (r->size + aligned > sizeof r->space.bytes) {
        _exit(1); /* a request of ours does not fit: a mistake in this file's callers */
    }
    void *here = r->space.bytes + r->size;
    memset(here, 0, aligned);
    r->size += aligned;
    return here;
}

static void grow(struct request *r) {
    r->message->nlmsg_len = (uint32_t) (r->space.bytes + r->size - (char *) r->message);
}

void begin(struct request *r, int type, int flags, const void *fixed, size_t size) {
    r->message = reserve(r, sizeof *r->message);
    r->message->nlmsg_type = (uint16_t) type;
    r->message->nlmsg_flags = (uint16_t) (NLM_F_REQUEST | flags);
    r->acks += (flags & NLM_F_ACK) != 0;
    memcpy(reserve(r, size), fixed, size);
    grow(r);
}

void attribute(struct request *r, int type, const void *value, size_t size) {
    struct nlattr *a = reserve(r, NLA_HDRLEN + size);
    a->nla_type = (uint16_t) type;
    a->nla_len = (uint16_t) (NLA_HDRLEN + size);
    memcpy((char *) a + NLA_HDRLEN, value, size);
    grow(r);
}

void attribute_text(struct request *r, int type, const char *text) {
    attribute(r, type, text, strlen(text) + 1);
}

void attribute_be32(struct request *r, int type, uint32_t value) {
    uint32_t big = htonl(value);
    attribute(r, type, &big, sizeof big);
}

size_t open_nest(struct request *r, int type) {
    size_t nest = r->size;
    attribute(r, type | NLA_F_NESTED, "", 0);
    return nest;
}

void close_nest(struct request *r, size_t nest) {
    struct nlattr *a = (struct nlattr *) (void *) (r->space.bytes + nest);
    a->nla_len = (uint16_t) (r->size - nest);
}

static int read_acks(int socket, int wanted) {
    static union {
        char bytes[8192];
        struct nlmsghdr alignment;
    } answer;
    while (wanted > 0) {
        ssize_t got = recv(socket, &answer, sizeof answer, 0);
        if (got < 0) {
            return errno;
        }
        int left = (int) got;
        for (struct nlmsghdr *m = &answer.alignment; NLMSG_OK(m, (unsigned) left); m = NLMSG_NEXT(m, left)) {
            const struct nlmsgerr *e = NLMSG_DATA(m);
            if (m->nlmsg_type == NLMSG_ERROR && e->error != 0) {
                return -e->error;
            }
            wanted -= m->nlmsg_type == NLMSG_ERROR;
        }
    }
    return 0;
}

int settle(struct request *r, int protocol) {
    int s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
    if (s < 0) {
        return errno;
    }
    struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    int reason = 0;
    if (sendto(s, r->space.bytes, r->size, 0, (struct sockaddr *) &kernel, sizeof kernel) < 0) {
        reason = errno;
    } else {
        reason = read_acks(s, r->acks);
    }
    close(s);
    return reason;
}
