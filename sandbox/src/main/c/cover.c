/* Covering again. A mount lies on an object: where the host renames another object into its place, or removes it, the
 * kernel takes the mount away, and what the new object holds lies open in the cage. A child of the spawn server goes into
 * the cage's namespaces, whose owner it is, and does once more what is missing. Nothing of the cage runs meanwhile. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>

enum { ATTEMPTS = 5000, WRITERS = 15000, READ_ONLY_MOUNT = 1 /* ST_RDONLY */ };

static int door(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        die("masks", "open(%s)", path);
    }
    return fd;
}

void open_own_doors(struct cage *c) {
    bool is_masked = false;
    for (uint32_t i = 0; i < c->entries; i++) {
        uint32_t kind = c->entry[i].kind;
        is_masked |= kind == ENTRY_MASK_LINK || (kind >= ENTRY_MASK_READ_ONLY && kind <= ENTRY_PIN);
    }
    c->mounts = -1;
    if (is_masked) {
        c->mounts = door("/proc/self/mountinfo");
        c->net.fds[c->net.count++] = door("/proc/self/ns/user");
        c->net.fds[c->net.count++] = door("/proc/self/ns/mnt");
        c->ready |= READY_DOORS;
    }
}

static bool is_cover(const struct entry *e) {
    return e->kind == ENTRY_REPLACE || e->kind == ENTRY_HIDE || e->kind == ENTRY_MASK_LINK
           || (e->kind >= ENTRY_MASK_READ_ONLY && e->kind <= ENTRY_PIN);
}

static bool is_mounted(const struct entry *e) {
    return e->kind == ENTRY_SCRATCH || e->kind == ENTRY_TMPFS || e->kind == ENTRY_OVERLAY
           || (e->kind == ENTRY_BIND && !(e->flags & FLAG_OPTIONAL));
}

static int place_of(const struct entry *e) {
    bool is_followed = e->kind == ENTRY_REPLACE || e->kind == ENTRY_HIDE;
    return is_followed ? find(e->target, 0, IN_ROOT) : find(e->target, O_NOFOLLOW, IN_ROOT | NO_LINKS);
}

static bool is_there(const struct entry *e) {
    int place = place_of(e);
    return place >= 0 && close(place) == 0;
}

/* Where a link stood over what can only be read, the cage sees what the host has there now. */
static bool may_show(const struct entry *e, int place) {
    struct statfs facts;
    return e->kind == ENTRY_MASK_LINK && fstatfs(place, &facts) == 0 && (facts.f_flags & READ_ONLY_MOUNT) != 0;
}

/* Nothing there needs no cover. */
static bool is_open(const struct entry *e) {
    int place = place_of(e);
    struct statx facts;
    memset(&facts, 0, sizeof facts);
    if (place < 0) {
        return false;
    }
    if (may_show(e, place)) {
        close(place);
        return false;
    }
    if (syscall(__NR_statx, place, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &facts) != 0) {
        die("masks", "statx(%s)", e->target);
    }
    close(place);
    return (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) == 0;
}

static void join(const struct cage *c, int user, int tree) {
    if (setns(user, CLONE_NEWUSER) != 0 || setns(tree, CLONE_NEWNS) != 0) {
        die("masks", "setns()");
    }
    if (c->by_root) {
        take_identity(c);
    }
}

static bool was_open[MAX_ENTRIES];

/* As many names as fit, each with its NUL; the count is of all. */
static size_t name_what_was_open(const struct cage *c, struct message *m) {
    size_t used = 0;
    for (uint32_t i = 0; i < c->entries; i++) {
        size_t size = strlen(c->entry[i].target) + 1;
        if (!was_open[i] || !is_there(&c->entry[i])) {
            continue;
        }
        m->values[0]++;
        if (used + size <= sizeof m->text) {
            memcpy(m->text + used, c->entry[i].target, size);
            used += size;
        }
    }
    return used;
}

static void pause_briefly(void) {
    const struct timespec moment = {0, 200000};
    nanosleep(&moment, NULL);
}

/* What the cage had opened while it lay open, it could go on writing to, or by another name. A lease for reading is
 * given where nobody has the file open for writing, fcntl(2). */
static void require_left_alone(int file, const char *path) {
    struct stat status;
    if (fstat(file, &status) != 0 || status.st_nlink > 1) {
        errno = EMLINK;
        die("masks", "cover(%s): the new file has another name", path);
    }
    for (int attempt = 0; attempt < WRITERS; attempt++) {
        if (fcntl(file, F_SETLEASE, F_RDLCK) == 0) {
            fcntl(file, F_SETLEASE, F_UNLCK);
            close(file);
            return;
        }
        if (errno != EAGAIN) {
            break;
        }
        pause_briefly();
    }
    die("masks", "cover(%s): the new file is open for writing", path);
}

/* -1 where nothing can be written to: a link, or what is hidden anyway. A directory that was opened leads past all
 * that is mounted in it later, and whoever has reached a socket has reached it. */
static int open_what_lies_open(const struct entry *e) {
    struct stat status;
    int place = place_of(e);
    if (place < 0 || fstat(place, &status) != 0 || S_ISLNK(status.st_mode)) {
        return -1;
    }
    close(place);
    if (!S_ISREG(status.st_mode)) {
        errno = ESTALE;
        die("masks", "cover(%s): the host has made it anew, and it is no file", e->target);
    }
    if (e->kind != ENTRY_MASK_READ_ONLY && e->kind != ENTRY_MASK_LINK) {
        return -1;
    }
    return look_into(e->target);
}

static void cover_one(struct cage *c, uint32_t i) {
    int file = open_what_lies_open(&c->entry[i]);
    add(c, i);
    if (file >= 0) {
        require_left_alone(file, c->entry[i].target);
    }
    was_open[i] = true;
}

/* From the outside in; nothing is mounted, and nobody told of it, where nothing is open. */
static void cover_what_is_open(struct cage *c) {
    bool is_ready = false;
    for (uint32_t i = 0; i < c->entries; i++) {
        if (!is_cover(&c->entry[i]) || !is_open(&c->entry[i])) {
            continue;
        }
        if (!is_ready) {
            lay_out_covers();
            is_ready = true;
        }
        cover_one(c, i);
    }
    if (is_ready) {
        take_away_covers();
    }
}

static const struct entry *find_open(const struct cage *c) {
    for (uint32_t i = 0; i < c->entries; i++) {
        const struct entry *e = &c->entry[i];
        if ((is_cover(e) || is_mounted(e)) && is_open(e)) {
            return e;
        }
    }
    return NULL;
}

/* What the host is just about to put in the place of something else is met half-way now and then. */
static void cover_all(struct cage *c) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        cover_what_is_open(c);
        if (find_open(c) == NULL) {
            return;
        }
        pause_briefly();
    }
    errno = ESTALE;
    die("masks", "cover(%s)", find_open(c) == NULL ? "" : find_open(c)->target);
}

_Noreturn void cover_again(struct cage *c, const struct passed *passed) {
    static struct message m = {.kind = DONE};
    die_for_good();
    signal(SIGIO, SIG_IGN); /* somebody on the host opens a file whose lease is looked for */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    open_payload(&c->payload, passed->fds[0]);
    read_cage(c);
    join(c, passed->fds[1], passed->fds[2]);
    return_to_tree();
    cover_all(c);
    post(report_socket, &m, name_what_was_open(c, &m), NULL);
    _exit(0);
}
