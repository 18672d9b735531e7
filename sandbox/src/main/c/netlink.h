/* Netlink requests, built in place: just enough for routes and one nftables table. */
#ifndef CAGEWRIGHT_NETLINK_H
#define CAGEWRIGHT_NETLINK_H

#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>

struct request {
    size_t size;
    struct nlmsghdr *message; /* the one being built */
    int acks;                 /* answers to wait for */
    union {
        char bytes[4096];
        struct nlmsghdr alignment;
    } space;
};

/* Starts a message with a fixed part of `size` bytes. NLM_F_REQUEST is added. */
void begin(struct request *r, int type, int flags, const void *fixed, size_t size);
void attribute(struct request *r, int type, const void *value, size_t size);
void attribute_text(struct request *r, int type, const char *text);
void attribute_be32(struct request *r, int type, uint32_t value);
/* A nested attribute, until close_nest() of what it returned. */
size_t open_nest(struct request *r, int type);
void close_nest(struct request *r, size_t nest);

/* Sends everything; returns 0, or the first errno that the kernel answered. */
int settle(struct request *r, int protocol);

#endif
