/* The cage's file tree: a small tmpfs as its root, everything else attached to it in the order given. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

/* From sys/mount.h, which clashes with linux/mount.h in glibc before 2.37. */
int mount(const char *, const char *, const char *, unsigned long, const void *);
int umount2(const char *, int);
enum { PRIVATE_ALL = 0x4000 | (1 << 18), LEAVE = 2 /* MNT_DETACH */ };

static const char *const STAGE = "/tmp"; /* covered in this namespace only */
static const char *const TERMINALS = "dev/pts"; /* where no mask is, and no workspace below */
static int root = -1;
static int scratch = -1; /* where private places are made from; the cage's own /tmp comes to lie over it */

enum { MAX_OWN = 64 };
static dev_t own[MAX_OWN]; /* file systems made here: only in these may a mount point be created */
static int owned;

static bool again; /* the cage stands, and what the host has uncovered meanwhile is covered once more */

/* File systems that were attached with the ground; 0 for none. */
static dev_t ahead_proc;
static dev_t ahead_terminals;

static void remember_own(int fd) {
    struct stat status;
    if (owned < MAX_OWN && fstat(fd, &status) == 0) {
        own[owned++] = status.st_dev;
    }
}

static bool is_own(int directory) {
    struct stat status;
    if (fstat(directory, &status) != 0) {
        return false;
    }
    for (int i = 0; i < owned; i++) {
        if (own[i] == status.st_dev) {
            return true;
        }
    }
    return false;
}

static void leave_the_hosts_mounts(void) {
    if (mount(NULL, "/", NULL, PRIVATE_ALL, NULL) != 0) {
        die("mounts", "mount(/, MS_REC|MS_PRIVATE)");
    }
    if (mount("cage", STAGE, "tmpfs", 2 | 4 /* nosuid, nodev */, "mode=0755,size=4m,nr_inodes=4096") != 0) {
        die("mounts", "mount(%s, tmpfs)", STAGE);
    }
    root = open(STAGE, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        die("mounts", "open(%s)", STAGE);
    }
    remember_own(root);
}

/* Opens the component `name` of `directory`, which is created when it is absent and on our own ground. */
static int step_into(int directory, const char *name, const char *path) {
    int next = openat(directory, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
    if (next < 0 && errno == ENOENT && is_own(directory)) {
        if (mkdirat(directory, name, 0755) != 0 && errno != EEXIST) {
            die("mounts", "mkdir(%s)", path);
        }
        next = openat(directory, name, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
    }
    if (next < 0) {
        die("mounts", "open(%s): the mount point or a directory above it", path);
    }
    return next;
}

/* The directory that holds the last component of `path`; `*last` becomes that component. */
static int parent_of(const char *path, const char **last) {
    char name[256];
    int directory = fcntl(root, F_DUPFD_CLOEXEC, 0);
    const char *at = path + 1;
    for (const char *slash; (slash = strchr(at, '/')) != NULL; at = slash + 1) {
        size_t size = (size_t) (slash - at);
        if (size >= sizeof name) {
            errno = ENAMETOOLONG;
            die("mounts", "open(%s)", path);
        }
        memcpy(name, at, size);
        name[size] = '\0';
        int next = step_into(directory, name, path);
        close(directory);
        directory = next;
    }
    *last = at;
    return directory;
}

static int place_directory(const char *path) {
    const char *last;
    int parent = parent_of(path, &last);
    int fd = step_into(parent, last, path);
    close(parent);
    return fd;
}

static int place_file(const char *path) {
    const char *last;
    int parent = parent_of(path, &last);
    int fd = openat(parent, last, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && is_own(parent)) {
        int made = openat(parent, last, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
        if (made < 0) {
            die("mounts", "create(%s)", path);
        }
        close(made);
        fd = openat(parent, last, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    }
    if (fd < 0) {
        die("mounts", "open(%s): the mount point or a directory above it", path);
    }
    close(parent);
    return fd;
}

static bool is_directory(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

/* While the host renames one object over another, the old one takes no mount any more and still has the name. */
static bool is_in_passing(void) {
    return again && errno == ENOENT;
}

static void attach(int detached, int place, const char *path) {
    if (move_mount_at(detached, place, "", MOVE_MOUNT_T_EMPTY_PATH) != 0 && !is_in_passing()) {
        die("mounts", "move_mount(%s)", path);
    }
    close(detached);
    close(place);
}

static void attach_at(int detached, const char *path) {
    attach(detached, is_directory(detached) ? place_directory(path) : place_file(path), path);
}

static void configure(int fs, const char *key, const char *value) {
    unsigned command = value == NULL ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING;
    if (syscall(__NR_fsconfig, fs, command, key, value, 0) != 0) {
        die("mounts", "fsconfig(%s=%s)", key, value == NULL ? "" : value);
    }
}

static int finish(int fs, const char *type, uint64_t attributes) {
    if (syscall(__NR_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) != 0) {
        die(type, "fsconfig(%s, create)", type);
    }
    int detached = (int) syscall(__NR_fsmount, fs, FSMOUNT_CLOEXEC, attributes);
    if (detached < 0) {
        die(type, "fsmount(%s)", type);
    }
    close(fs);
    return detached;
}

static int new_file_system(const char *type) {
    int fs = (int) syscall(__NR_fsopen, type, FSOPEN_CLOEXEC);
    if (fs < 0) {
        die("mounts", "fsopen(%s)", type);
    }
    return fs;
}

static int new_tmpfs(uint64_t bytes, const char *mode) {
    char size[32];
    char inodes[32];
    uint64_t files = bytes / 1024 + 1024;
    snprintf(size, sizeof size, "%llu", (unsigned long long) bytes);
    snprintf(inodes, sizeof inodes, "%llu", (unsigned long long) (files > 4000000 ? 4000000 : files));
    int fs = new_file_system("tmpfs");
    configure(fs, "size", size);
    configure(fs, "nr_inodes", inodes);
    configure(fs, "mode", mode);
    int detached = finish(fs, "tmpfs", ATTR_NOSUID | ATTR_NODEV);
    remember_own(detached);
    return detached;
}

static void lay_out_scratch(uint64_t size, const char *where) {
    int detached = new_tmpfs(size, "0755");
    if (move_mount_at(detached, root, where, 0) != 0) {
        die("mounts", "move_mount(scratch)");
    }
    close(detached);
    scratch = openat(root, where, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (scratch < 0 || mkdirat(scratch, "veil", 0) != 0) {
        die("mounts", "mkdir(scratch)");
    }
    int fd = openat(scratch, "veiled", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0);
    if (fd < 0) {
        die("mounts", "create(scratch)");
    }
    close(fd);
}

static void require_hidden_scratch(void) {
    struct stat above;
    struct stat below;
    if (fstatat(root, "tmp", &above, AT_SYMLINK_NOFOLLOW) != 0 || fstat(scratch, &below) != 0) {
        die("mounts", "fstat(scratch)");
    }
    if (above.st_dev == below.st_dev && above.st_ino == below.st_ino) {
        errno = EINVAL;
        die("mounts", "file tree without a /tmp");
    }
    close(scratch);
}

static int clone_of(int at, const char *name, uint64_t attributes) {
    int detached = open_tree_at(at, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | WHOLE_TREE | OPEN_TREE_CLONE | O_CLOEXEC);
    if (detached < 0) {
        die("mounts", "open_tree(%s)", name);
    }
    struct attributes a = {.set = attributes | ATTR_NOSUID | ATTR_NODEV};
    if (set_mount(detached, "", AT_EMPTY_PATH | WHOLE_TREE, &a) != 0) {
        die("mounts", "mount_setattr(%s)", name);
    }
    return detached;
}

static void write_content(int directory, const char *name, const struct entry *e) {
    int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
    if (fd < 0 || write(fd, e->source, e->source_size) != (ssize_t) e->source_size) {
        die("mounts", "write(%s)", e->target);
    }
    close(fd);
}

int find(const char *path, uint64_t flags, uint64_t resolve) {
    int fd = open_by(root, path, O_PATH | O_CLOEXEC | flags, resolve | NO_MAGIC_LINKS);
    if (fd < 0 && errno != ENOENT && errno != ENOTDIR) {
        die("masks", "open(%s)", path);
    }
    return fd;
}

int look_into(const char *path) {
    int fd = open_by(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, IN_ROOT | NO_LINKS | NO_MAGIC_LINKS);
    if (fd < 0 && errno != ENOENT) {
        die("masks", "open(%s)", path);
    }
    return fd;
}

static void cover(int place, const char *path) {
    attach(clone_of(scratch, is_directory(place) ? "veil" : "veiled", ATTR_RDONLY), place, path);
}

static void add_directory(const struct entry *e) {
    close(place_directory(e->target));
}

static void add_link(const struct entry *e) {
    const char *last;
    int parent = parent_of(e->target, &last);
    if (symlinkat(e->source, parent, last) != 0) {
        die("mounts", "symlink(%s)", e->target);
    }
    close(parent);
}

static void add_file(const struct entry *e) {
    const char *last;
    int parent = parent_of(e->target, &last);
    write_content(parent, last, e);
    close(parent);
}

static void add_scratch(const struct entry *e, uint32_t number) {
    char name[16];
    snprintf(name, sizeof name, "%u", number);
    if (mkdirat(scratch, name, (mode_t) e->size) != 0) {
        die("mounts", "mkdir(scratch for %s)", e->target);
    }
    attach(clone_of(scratch, name, 0), place_directory(e->target), e->target);
}

static void replace(const struct entry *e, uint32_t number) {
    int place = find(e->target, 0, IN_ROOT);
    if (place < 0) {
        return;
    }
    char name[16];
    snprintf(name, sizeof name, "%u", number);
    write_content(scratch, name, e);
    attach(clone_of(scratch, name, ATTR_RDONLY), place, e->target);
}

static void hide(const struct entry *e) {
    int place = find(e->target, 0, IN_ROOT);
    if (place >= 0) {
        cover(place, e->target);
    }
}

static int protected_place(const struct entry *e) {
    int place = find(e->target, O_NOFOLLOW, IN_ROOT | NO_LINKS);
    if (place < 0 && !again && !(e->flags & FLAG_OPTIONAL)) {
        die("masks", "open(%s)", e->target);
    }
    return place;
}

static bool is_endpoint(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && (S_ISSOCK(status.st_mode) || S_ISFIFO(status.st_mode));
}

/* Reading from a socket or pipe already talks to somebody, so those are covered instead. */
static void mask(const struct entry *e) {
    int place = protected_place(e);
    if (place < 0) {
        return;
    }
    if (e->kind == ENTRY_MASK_HIDDEN || is_endpoint(place)) {
        cover(place, e->target);
    } else {
        attach(clone_of(place, "", e->kind == ENTRY_PIN ? 0 : ATTR_RDONLY), place, e->target);
    }
}

/* A link can be mounted over a file; what opens the file by its name is led on, and the name stays where it is. */
static void mask_by_link(const struct entry *e, uint32_t number) {
    int place = protected_place(e);
    if (place < 0) {
        return;
    }
    if (is_directory(place)) {
        errno = EISDIR;
        die("masks", "link(%s)", e->target);
    }
    char name[24];
    snprintf(name, sizeof name, "link-%u", number);
    if (symlinkat(e->source, scratch, name) != 0) {
        die("masks", "symlink(for %s)", e->target);
    }
    attach(clone_of(scratch, name, ATTR_RDONLY), place, e->target);
}

static int new_proc(void) {
    return finish(new_file_system("proc"), "proc", ATTR_NOSUID | ATTR_NODEV | ATTR_NOEXEC);
}

static int new_terminals(void) {
    int fs = new_file_system("devpts");
    configure(fs, "newinstance", NULL);
    configure(fs, "ptmxmode", "0666");
    configure(fs, "mode", "0620");
    return finish(fs, "devpts", ATTR_NOSUID | ATTR_NOEXEC);
}

static dev_t file_system_of(int fd) {
    struct stat status;
    if (fstat(fd, &status) != 0) {
        die("mounts", "fstat(file system)");
    }
    return status.st_dev;
}

/* Is what was attached with the ground still what `path` leads to? */
static bool is_in_place(dev_t ahead, const char *path) {
    int fd = ahead == 0 ? -1 : find(path, O_NOFOLLOW, IN_ROOT | NO_LINKS);
    if (fd < 0) {
        return false;
    }
    bool same = file_system_of(fd) == ahead;
    close(fd);
    return same;
}

static void add_proc(const struct entry *e) {
    if (!is_in_place(ahead_proc, e->target)) {
        attach_at(new_proc(), e->target);
    }
}

static void add_terminals(const struct entry *e) {
    if (!is_in_place(ahead_terminals, e->target)) {
        attach_at(new_terminals(), e->target);
    }
}

static void add_overlay(const struct cage *c, uint32_t i) {
    if (i == 0 || c->entry[i - 1].kind != ENTRY_LAYERS) {
        errno = EINVAL;
        die("request", "overlay without layers");
    }
    attach_at(overlay_of(scratch, i, c->source_fd[i], c->source_fd[i - 1]), c->entry[i].target);
}

void add(struct cage *c, uint32_t i) {
    const struct entry *e = &c->entry[i];
    switch (e->kind) {
        case ENTRY_DIRECTORY: add_directory(e); break;
        case ENTRY_LINK: add_link(e); break;
        case ENTRY_FILE: add_file(e); break;
        case ENTRY_BIND:
            if (c->source_fd[i] >= 0) {
                attach_at(c->source_fd[i], e->target);
            }
            break;
        case ENTRY_SCRATCH: add_scratch(e, i); break;
        case ENTRY_TMPFS: attach_at(new_tmpfs(e->size, "0700"), e->target); break;
        case ENTRY_REPLACE: replace(e, i); break;
        case ENTRY_HIDE: hide(e); break;
        case ENTRY_MASK_READ_ONLY:
        case ENTRY_MASK_HIDDEN:
        case ENTRY_PIN: mask(e); break;
        case ENTRY_MASK_LINK: mask_by_link(e, i); break;
        case ENTRY_PROC: add_proc(e); break;
        case ENTRY_TERMINALS: add_terminals(e); break;
        case ENTRY_LAYERS: break;
        case ENTRY_OVERLAY: add_overlay(c, i); break;
        default: errno = EINVAL; die("request", "entry kind %u", e->kind);
    }
}

static void enter_root(void) {
    if (fchdir(root) != 0 || syscall(__NR_pivot_root, ".", ".") != 0) {
        die("mounts", "pivot_root()");
    }
    if (umount2(".", LEAVE) != 0 || chdir("/") != 0) {
        die("mounts", "umount(old root)");
    }
}

void lay_ground(void) {
    leave_the_hosts_mounts();
    int proc = new_proc(); /* the kernel wants to see the host's first */
    int terminals = new_terminals();
    ahead_proc = file_system_of(proc);
    ahead_terminals = file_system_of(terminals);
    attach_at(proc, "/proc");
    attach_at(terminals, "/dev/pts");
    enter_root();
}

void stage_tree(const struct cage *c) {
    if (!c->grounded) {
        leave_the_hosts_mounts();
    }
    if (mkdirat(root, "tmp", 0755) != 0) {
        die("mounts", "mkdir(scratch)");
    }
    lay_out_scratch(c->limits.scratch, "tmp"); /* stays: to unmount makes the kernel wait for every processor */
}

void build_tree(struct cage *c) {
    for (uint32_t i = 0; i < c->entries; i++) {
        add(c, i);
    }
    require_hidden_scratch();
}

void enter_tree(const struct cage *c) {
    if (!c->grounded) {
        enter_root();
    }
    if (chdir("/") != 0) {
        die("mounts", "chdir(/)");
    }
    struct attributes a = {.set = ATTR_RDONLY};
    if (set_mount(AT_FDCWD, "/", 0, &a) != 0) {
        die("mounts", "mount_setattr(/)");
    }
    close(root);
}

void return_to_tree(void) {
    again = true;
    root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void lay_out_covers(void) {
    lay_out_scratch(1 << 20, TERMINALS);
}

void take_away_covers(void) {
    if (fchdir(root) != 0 || umount2(TERMINALS, LEAVE) != 0) {
        die("mounts", "umount(scratch)");
    }
}
