/* One act on one file, done in the cage by a process of its own: what it may is what every program there may. A path is
 * walked name by name and no link is followed, so that what was judged by its spelling is what is opened. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

enum act_kind { ACT_READ = 1, ACT_CREATE = 2, ACT_REPLACE = 3, ACT_APPEND = 4 };
enum { ACT_PARENTS = 1, PIECE = 1 << 16, NAME = 256, DIRECTORY_MODE = 0755, FILE_MODE = 0644 };

struct act {
    uint32_t kind;
    uint32_t flags;
    uint64_t from;
    uint64_t most;
    const char *path;
    const char *content;
    uint32_t size;
};

static char link_text[MAX_TEXT];

/* number NUL call NUL path NUL link NUL; standard error belongs to this report */
static _Noreturn void give_in(int number, const char *call, const char *path, size_t length) {
    dprintf(2, "%d%c%s%c", number, 0, call, 0);
    (void) !write(2, path, length);
    dprintf(2, "%c%s%c", 0, link_text, 0);
    _exit(1);
}

static _Noreturn void fail(const struct act *a, const char *call) {
    give_in(errno, call, a->path, strlen(a->path));
}

static void require(const struct act *a, int fd, size_t end) {
    struct stat status;
    if (fd < 0) {
        give_in(errno, "open", a->path, end);
    }
    if (fstat(fd, &status) != 0) {
        give_in(errno, "fstat", a->path, end);
    }
    if (S_ISLNK(status.st_mode)) {
        ssize_t size = readlinkat(fd, "", link_text, sizeof link_text - 1);
        link_text[size < 0 ? 0 : size] = '\0';
        give_in(ELOOP, "open", a->path, end);
    }
    if (a->path[end] != '\0' && !S_ISDIR(status.st_mode)) {
        give_in(ENOTDIR, "open", a->path, end);
    }
}

static int step(const struct act *a, int at, const char *name, size_t end) {
    int next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (next < 0 && errno == ENOENT && (a->flags & ACT_PARENTS) != 0) {
        if (mkdirat(at, name, DIRECTORY_MODE) != 0 && errno != EEXIST) {
            give_in(errno, "mkdir", a->path, end);
        }
        next = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    }
    require(a, next, end);
    close(at);
    return next;
}

/* The directory that the last name of the path stands in. */
static int walk(const struct act *a, char *name) {
    int at = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const char *here = a->path + 1;
    for (;;) {
        size_t length = strcspn(here, "/");
        size_t end = (size_t) (here - a->path) + length;
        if (length == 0 || length >= NAME) {
            errno = length == 0 ? EISDIR : ENAMETOOLONG;
            give_in(errno, "open", a->path, end);
        }
        memcpy(name, here, length);
        name[length] = '\0';
        if (a->path[end] == '\0') {
            return at;
        }
        at = step(a, at, name, end);
        here += length + 1;
    }
}

/* Nothing but a regular file is opened: to open a pipe or a device is to do something already. */
static int open_regular(const struct act *a, int at, const char *name, int flags, struct stat *status) {
    size_t end = strlen(a->path);
    int seen = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (seen < 0 && errno == ENOENT && a->kind != ACT_READ) {
        return -1;
    }
    require(a, seen, end);
    if (fstat(seen, status) != 0 || !S_ISREG(status->st_mode)) {
        give_in(S_ISDIR(status->st_mode) ? EISDIR : ENODEV, "open", a->path, end);
    }
    close(seen);
    int fd = openat(at, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, status) != 0) {
        fail(a, "open");
    }
    if (!S_ISREG(status->st_mode)) {
        give_in(ENODEV, "open", a->path, end);
    }
    return fd;
}

/* The call that failed, or NULL when all of the content is on the disk. */
static const char *put(const struct act *a, int fd) {
    const char *here = a->content;
    for (size_t left = a->size; left > 0;) {
        ssize_t count = write(fd, here, left);
        if (count < 0 && errno != EINTR) {
            return "write";
        }
        here += count < 0 ? 0 : count;
        left -= count < 0 ? 0 : (size_t) count;
    }
    return fsync(fd) != 0 && errno != EINVAL ? "fsync" : NULL;
}

static void put_here(const struct act *a, int fd) {
    const char *failed = put(a, fd);
    if (failed != NULL) {
        fail(a, failed);
    }
}

static _Noreturn void tell(uint64_t first, uint64_t second) {
    dprintf(2, "%llu%c%llu%c", (unsigned long long) first, 0, (unsigned long long) second, 0);
    _exit(0);
}

static _Noreturn void read_file(const struct act *a) {
    static char piece[PIECE];
    char name[NAME];
    struct stat status;
    int fd = open_regular(a, walk(a, name), name, O_RDONLY, &status);
    uint64_t at = a->from;
    for (uint64_t left = a->most; left > 0;) {
        ssize_t count = pread(fd, piece, left < PIECE ? left : PIECE, (off_t) at);
        if (count < 0) {
            fail(a, "read");
        }
        for (ssize_t told = 0; told < count;) {
            ssize_t now = write(1, piece + told, (size_t) (count - told));
            if (now < 0) {
                fail(a, "write");
            }
            told += now;
        }
        if (count == 0) {
            break;
        }
        at += (uint64_t) count;
        left -= (uint64_t) count;
    }
    tell((uint64_t) status.st_size, status.st_mode & 07777);
}

/* A file that is a mount of its own cannot be replaced by another. */
static bool is_mount(int fd) {
    struct statx facts;
    memset(&facts, 0, sizeof facts);
    return syscall(__NR_statx, fd, "", 0x1000 /* AT_EMPTY_PATH */, STATX_BASIC_STATS, &facts) == 0
           && (facts.stx_attributes & 0x2000 /* STATX_ATTR_MOUNT_ROOT */) != 0;
}

static char beside[32];

/* -1 where the directory takes no new name. */
static int open_beside(int at) {
    uint64_t number = 0;
    for (int attempt = 0; attempt < 16; attempt++) {
        if (getrandom(&number, sizeof number, 0) != sizeof number) {
            return -1;
        }
        snprintf(beside, sizeof beside, ".cagewright-%016llx", (unsigned long long) number);
        int fd = openat(at, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

static void settle(int at) {
    int directory = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
}

static _Noreturn void undo(const struct act *a, int at, const char *call) {
    int number = errno;
    unlinkat(at, beside, 0);
    errno = number;
    fail(a, call);
}

static int name_as_new(int at, const char *name) {
    if (renameat2(at, beside, at, name, RENAME_NOREPLACE) == 0) {
        return 0;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return -1;
    }
    return linkat(at, beside, at, name, 0) == 0 ? unlinkat(at, beside, 0) : -1;
}

/* All of the new content under a name of its own, and then that name in the place of the other. */
static void put_beside(const struct act *a, int at, int fd) {
    const char *failed = put(a, fd);
    if (failed != NULL) {
        undo(a, at, failed);
    }
}

static void create(const struct act *a, int at, const char *name) {
    int fd = open_beside(at);
    if (fd < 0) {
        fail(a, "create");
    }
    put_beside(a, at, fd);
    if (fchmod(fd, FILE_MODE) != 0 || name_as_new(at, name) != 0) {
        undo(a, at, "rename");
    }
    settle(at);
}

static void replace(const struct act *a, int at, const char *name, int old, const struct stat *status) {
    int fd = is_mount(old) ? -1 : open_beside(at);
    if (fd < 0) { /* whoever may write the file but not its directory writes it where it is */
        if (ftruncate(old, 0) != 0) {
            fail(a, "truncate");
        }
        put_here(a, old);
        return;
    }
    put_beside(a, at, fd);
    if (fchmod(fd, status->st_mode & 0777) != 0 || renameat(at, beside, at, name) != 0) {
        undo(a, at, "rename");
    }
    settle(at);
}

static _Noreturn void write_file(const struct act *a) {
    char name[NAME];
    struct stat status;
    int at = walk(a, name);
    int fd = open_regular(a, at, name, a->kind == ACT_APPEND ? O_WRONLY | O_APPEND : O_WRONLY, &status);
    bool is_new = fd < 0;
    if (is_new) {
        create(a, at, name);
    } else if (a->kind == ACT_CREATE) {
        errno = EEXIST;
        fail(a, "create");
    } else if (a->kind == ACT_APPEND) {
        put_here(a, fd);
    } else {
        replace(a, at, name, fd, &status);
    }
    uint64_t before = is_new || a->kind == ACT_REPLACE ? 0 : (uint64_t) status.st_size;
    tell(is_new, before + a->size);
}

void act_on_file(struct payload *p) {
    struct act a = {0};
    a.kind = take_u32(p);
    a.flags = take_u32(p);
    a.from = take_u64(p);
    a.most = take_u64(p);
    a.path = take_text(p, NULL);
    a.content = take_text(p, &a.size);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (a.path[0] != '/') {
        errno = EINVAL;
        fail(&a, "open");
    }
    if (a.kind == ACT_READ) {
        read_file(&a);
    }
    write_file(&a);
}
