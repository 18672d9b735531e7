/* The messages between the supervisor and its cages, mirrored in Java by Wire. Both ends run on one
 * machine, so numbers travel in its byte order. */
#ifndef CAGEWRIGHT_WIRE_H
#define CAGEWRIGHT_WIRE_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FIRST_FREE = 3,     /* the first number behind the standard streams */
    CONTROL_FD = 3,     /* where the spawn server finds its socket, and a blank its own */
    COVER_DOORS = 2,
    MAX_PASSED = 24,    /* descriptors in one message */
    MAX_ENTRIES = 8192, /* file tree entries of one cage */
    MAX_TEXT = 1024
};

enum message_kind {
    BLANK = 1,  /* run: its number; values: by root, uid, gid (0 as root: not known yet); fds: control socket,
                 * cgroup.procs... */
    EXEC = 2,   /* fds: payload, stdin, stdout, stderr; or payload alone for a terminal; value 0: whether all that it
                 * started ends with it */
    ACT = 21,   /* the same fds; the payload is an act on a file */
    SIGNAL = 3, /* value 0: the number */
    PAUSE = 4,
    RESUME = 5,  /* value 0: the last UNCOVERED that has been covered; where there was a later one, nobody goes on */
    KILL = 6,    /* everybody but the first process */
    FILL = 7,    /* run: which blank; fd: payload; to the blank itself, value 0: how many sources follow */
    DROP = 8,    /* run: a blank that nobody needs any more */
    SOURCES = 9, /* to a blank; value 0: whether more follow; text: numbers of entries, fds: their mounts */
    MAPPED = 17, /* to a blank: its user is known and written */
    DIAL = 20,   /* run: a number; value 0: 4 or 6; a stream socket of the cage's network is wanted */
    COVER = 22,   /* value 0: by root; fds: payload, user namespace, mount namespace, socket for the answer */
    SPAWNED = 10, /* value 0: the host's pid; fd: a pidfd */
    READY = 11,   /* value 0: bits of enum ready; fds: tcp, dns4, dns6 of a net cell; then, with READY_DOORS,
                   * user namespace, mount namespace */
    UNCOVERED = 23, /* the host has taken a mount away, and all programs have been stopped; RESUME lets them go on.
                     * Value 0: its number, from 1 on */
    FAILED = 12,  /* value 0: errno; text: step NUL call */
    STARTED = 13, /* fd: the terminal's master, if one was asked for */
    REFUSED = 14, /* value 0: errno of execve or chdir; text: call */
    ENDED = 15,   /* values: wait status, user us, system us, largest resident KiB */
    DONE = 16,    /* a pause or resume is over; value 0: the last UNCOVERED. Of a cover: how many; text: their places,
                   * each with NUL */
    STOPPED = 18, /* a program on a terminal has stopped, as by Ctrl-Z; SIGNAL with SIGCONT lets it go on */
    SOCKET = 19   /* run: that number; value 0: errno, or 0; fd: the socket, not connected */
};

enum ready { READY_SCOPES = 1, READY_DOORS = 2 };

struct message {
    uint32_t kind;
    uint32_t run;
    int64_t values[4];
    char text[MAX_TEXT];
};
#define BARE_MESSAGE offsetof(struct message, text)

struct passed {
    int count;
    int fds[MAX_PASSED];
};

/* 1 for a message, 0 at the end of the conversation. */
int receive(int socket, struct message *m, struct passed *passed);
/* Never blocks for long: the supervisor reads all the time. 0, or -1 with errno. */
int post(int socket, const struct message *m, size_t text, const struct passed *passed);

/* Puts harmless descriptors at 0, 1 and 2, so that no other ever gets these numbers. */
void occupy_standard_streams(void);

/* A read-only view of a payload; every take dies when it would run over the end. */
struct payload {
    const char *start;
    const char *at;
    const char *end;
};
void open_payload(struct payload *p, int fd);
void close_payload(struct payload *p);
uint32_t take_u32(struct payload *p);
uint64_t take_u64(struct payload *p);
/* NUL-terminated bytes inside the payload. */
const char *take_text(struct payload *p, uint32_t *size);

/* Where die() reports to. */
extern int report_socket;
/* Reports {step, call, errno}. In the spawn server it ends the request, in a cage's process the process:
 * nothing of a workload ever runs after it. */
extern jmp_buf after_failure;
void die_for_good(void);
_Noreturn void die(const char *step, const char *call, ...) __attribute__((format(printf, 2, 3)));

#endif
