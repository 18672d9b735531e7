#include "wire.h"

#include "kernel.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

int report_socket = -1;
jmp_buf after_failure;
static int serving = 1;

void die_for_good(void) {
    serving = 0;
}

union control {
    struct cmsghdr head;
    char space[CMSG_SPACE(sizeof(int) * MAX_PASSED)];
};

static void unpack(struct msghdr *head, struct passed *passed) {
    passed->count = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(head); c != NULL; c = CMSG_NXTHDR(head, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
            passed->count = (int) ((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
            memcpy(passed->fds, CMSG_DATA(c), sizeof(int) * (size_t) passed->count);
        }
    }
}

int receive(int socket, struct message *m, struct passed *passed) {
    union control control;
    struct iovec part = {m, sizeof *m};
    struct msghdr head = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t size;
    do {
        size = recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
    } while (size < 0 && errno == EINTR);
    if (size < (ssize_t) BARE_MESSAGE || (head.msg_flags & MSG_CTRUNC) != 0) {
        return 0;
    }
    unpack(&head, passed);
    return 1;
}

int post(int socket, const struct message *m, size_t text, const struct passed *passed) {
    union control control;
    struct iovec part = {(void *) (uintptr_t) m, BARE_MESSAGE + text};
    struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1};
    if (passed != NULL && passed->count > 0) {
        size_t size = sizeof(int) * (size_t) passed->count;
        memset(&control, 0, sizeof control);
        head.msg_control = &control;
        head.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *c = CMSG_FIRSTHDR(&head);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(c), passed->fds, size);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &head, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

void die(const char *step, const char *call, ...) {
    struct message m = {.kind = FAILED, .values = {errno}};
    size_t used = (size_t) snprintf(m.text, sizeof m.text / 2, "%s", step) + 1;
    va_list arguments;
    va_start(arguments, call);
    int more = vsnprintf(m.text + used, sizeof m.text - used, call, arguments);
    va_end(arguments);
    used += more < 0 ? 0 : (size_t) more;
    post(report_socket, &m, used < sizeof m.text ? used : sizeof m.text - 1, NULL);
    if (serving) {
        longjmp(after_failure, 1);
    }
    _exit(1);
}

void open_payload(struct payload *p, int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_size <= 0) {
        die("request", "fstat(payload)");
    }
    void *mapped = mmap(NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (mapped == MAP_FAILED) {
        die("request", "mmap(payload)");
    }
    p->at = mapped;
    p->start = p->at;
    p->end = p->at + status.st_size;
}

void close_payload(struct payload *p) {
    if (p->start != NULL) {
        munmap((void *) (uintptr_t) p->start, (size_t) (p->end - p->start));
        p->start = NULL;
    }
}

static const char *take(struct payload *p, size_t size) {
    if ((size_t) (p->end - p->at) < size) {
        errno = EBADMSG;
        die("request", "read(payload)");
    }
    const char *here = p->at;
    p->at += size;
    return here;
}

uint32_t take_u32(struct payload *p) {
    uint32_t value;
    memcpy(&value, take(p, sizeof value), sizeof value);
    return value;
}

uint64_t take_u64(struct payload *p) {
    uint64_t value;
    memcpy(&value, take(p, sizeof value), sizeof value);
    return value;
}

const char *take_text(struct payload *p, uint32_t *size) {
    uint32_t length = take_u32(p);
    const char *text = take(p, (size_t) length + 1);
    if (text[length] != '\0') {
        errno = EBADMSG;
        die("request", "read(payload)");
    }
    if (size != NULL) {
        *size = length;
    }
    return text;
}

void occupy_standard_streams(void) {
    int nothing = open("/", O_PATH | O_CLOEXEC);
    for (int i = 0; i < FIRST_FREE; i++) {
        if (nothing < 0 || (nothing != i && dup3(nothing, i, O_CLOEXEC) < 0)) {
            _exit(1);
        }
    }
    if (nothing >= FIRST_FREE) {
        close(nothing);
    }
}
