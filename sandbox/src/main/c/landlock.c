/* Landlock: the cage may read what it sees, write where it was told, execute what was named, and neither
 * signal nor reach by an abstract socket anything outside. A kernel without it builds no cage. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>

struct ruleset { /* struct landlock_ruleset_attr of ABI 6 */
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};

static const uint64_t READING = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t FILE_RIGHTS = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE
                                    | LANDLOCK_ACCESS_FS_READ_FILE | RIGHT_TRUNCATE | RIGHT_IOCTL_DEV;

static uint64_t rights_of(int abi) {
    uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
    rights |= abi >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0;
    rights |= abi >= 3 ? RIGHT_TRUNCATE : 0;
    rights |= abi >= 5 ? RIGHT_IOCTL_DEV : 0;
    return rights;
}

static void allow(int ruleset, const char *path, uint64_t rights) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        return; /* what is not there needs no right */
    }
    struct stat status;
    if (fstat(fd, &status) != 0) {
        die("landlock", "fstat(%s)", path);
    }
    struct landlock_path_beneath_attr rule = {
        .allowed_access = S_ISDIR(status.st_mode) ? rights : rights & FILE_RIGHTS, .parent_fd = fd};
    if (syscall(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
        die("landlock", "landlock_add_rule(%s)", path);
    }
    close(fd);
}

static bool is_writable_place(const struct entry *e) {
    return e->kind == ENTRY_SCRATCH || e->kind == ENTRY_OVERLAY
           || ((e->kind == ENTRY_BIND || e->kind == ENTRY_TMPFS) && (e->flags & FLAG_WRITABLE));
}

static void allow_places(const struct cage *c, int ruleset, uint64_t all) {
    uint64_t execute = c->exec_named ? 0 : LANDLOCK_ACCESS_FS_EXECUTE;
    uint64_t devices = READING | LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE | RIGHT_IOCTL_DEV;
    allow(ruleset, "/", READING | execute);
    allow(ruleset, "/dev", devices & all);
    allow(ruleset, "/proc", READING | LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (uint32_t i = 0; i < c->entries; i++) {
        if (is_writable_place(&c->entry[i])) {
            uint64_t rights = all & ~RIGHT_IOCTL_DEV & ~(uint64_t) LANDLOCK_ACCESS_FS_EXECUTE;
            allow(ruleset, c->entry[i].target, rights | execute);
        }
    }
}

static void allow_programs(const struct cage *c, int ruleset) {
    struct payload list = c->payload;
    list.at = c->exec_list;
    for (uint32_t i = 0; i < c->exec_paths; i++) {
        allow(ruleset, take_text(&list, NULL), LANDLOCK_ACCESS_FS_EXECUTE);
    }
}

void landlock_everything_else(struct cage *c) {
    long abi = syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) {
        die("landlock", "landlock_create_ruleset(version)");
    }
    uint64_t all = rights_of((int) abi);
    struct ruleset rules = {.handled_access_fs = all};
    if (abi >= 6) {
        rules.scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
        c->ready |= READY_SCOPES;
    }
    size_t size = abi >= 6 ? sizeof rules : sizeof rules.handled_access_fs;
    int ruleset = (int) syscall(__NR_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0) {
        die("landlock", "landlock_create_ruleset(abi %ld)", abi);
    }
    allow_places(c, ruleset, all);
    allow_programs(c, ruleset);
    if (syscall(__NR_landlock_restrict_self, ruleset, 0) != 0) {
        die("landlock", "landlock_restrict_self()");
    }
    close(ruleset);
}

int keep_to_itself(void) {
    struct ruleset rules = {.scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL};
    int ruleset = (int) syscall(__NR_landlock_create_ruleset, &rules, sizeof rules, 0);
    if (ruleset < 0) {
        return 0;
    }
    int failed = (int) syscall(__NR_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return failed;
}
