/* Every file and directory of the host that the cage will see, opened by descriptor before anything is
 * covered, checked, and cloned into a detached mount with its final attributes. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

static void refuse_endpoints(const struct entry *e, const struct stat *status) {
    if (S_ISSOCK(status->st_mode) || S_ISFIFO(status->st_mode)) {
        errno = ENOTSUP;
        die("mounts", "open(%s): a socket or pipe", e->source);
    }
    if (!(e->flags & FLAG_DEVICE) && (S_ISCHR(status->st_mode) || S_ISBLK(status->st_mode))) {
        errno = ENOTSUP;
        die("mounts", "open(%s): a device", e->source);
    }
}

static int open_source(const struct entry *e) {
    int fd = open_by(AT_FDCWD, e->source, O_PATH | O_CLOEXEC, NO_MAGIC_LINKS);
    if (fd < 0) {
        if (errno == ENOENT && (e->flags & FLAG_OPTIONAL)) {
            return -1;
        }
        die("mounts", "open(%s)", e->source);
    }
    struct stat status;
    if (fstat(fd, &status) != 0) {
        die("mounts", "fstat(%s)", e->source);
    }
    refuse_endpoints(e, &status);
    if (e->inode != 0 && (status.st_ino != e->inode || status.st_dev != e->device)) {
        errno = ESTALE;
        die("mounts", "open(%s): another object stands there now", e->source);
    }
    return fd;
}

static void set_attributes(const struct cage *c, const struct entry *e, int detached) {
    struct attributes a = {.propagation = MS_PRIVATE};
    a.set = ATTR_NOSUID | (e->flags & FLAG_DEVICE ? 0 : ATTR_NODEV);
    a.set |= e->flags & (FLAG_WRITABLE | FLAG_DEVICE) ? 0 : ATTR_RDONLY;
    if (set_mount(detached, "", AT_EMPTY_PATH | WHOLE_TREE, &a) != 0) {
        die("mounts", "mount_setattr(%s)", e->source);
    }
    if (e->flags & FLAG_IDMAP) {
        int map = idmap_namespace(e, c);
        struct attributes owner = {.set = ATTR_IDMAP, .userns = (uint64_t) map};
        if (set_mount(detached, "", AT_EMPTY_PATH | WHOLE_TREE, &owner) != 0) {
            die("idmap", "mount_setattr(%s, MOUNT_ATTR_IDMAP)", e->source);
        }
    }
}

static bool is_of_the_host(const struct entry *e) {
    return e->kind == ENTRY_BIND || e->kind == ENTRY_LAYERS || e->kind == ENTRY_OVERLAY;
}

void open_sources(struct cage *c) {
    for (uint32_t i = 0; i < c->entries; i++) {
        const struct entry *e = &c->entry[i];
        if (!is_of_the_host(e)) {
            continue;
        }
        int fd = open_source(e);
        if (fd < 0) {
            continue;
        }
        c->source_fd[i] = open_tree_at(fd, "", AT_EMPTY_PATH | WHOLE_TREE | OPEN_TREE_CLONE | O_CLOEXEC);
        if (c->source_fd[i] < 0) {
            die("mounts", "open_tree(%s)", e->source);
        }
        close(fd);
        set_attributes(c, e, c->source_fd[i]);
    }
}
