/* What older kernel headers lack. Numbers from 424 on are the same on every architecture
 * (asm-generic/unistd.h), so these hold wherever <asm/unistd.h> does not know them yet. */
#ifndef CAGEWRIGHT_KERNEL_H
#define CAGEWRIGHT_KERNEL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <asm/unistd.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __NR_cachestat
#define __NR_cachestat 451
#endif
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef __NR_statmount
#define __NR_statmount 457
#endif
#ifndef __NR_listmount
#define __NR_listmount 458
#endif
#ifndef __NR_lsm_get_self_attr
#define __NR_lsm_get_self_attr 459
#define __NR_lsm_set_self_attr 460
#define __NR_lsm_list_modules 461
#endif
#ifndef __NR_open_tree_attr
#define __NR_open_tree_attr 467
#endif
#ifndef __NR_file_setattr
#define __NR_file_setattr 469
#endif
#ifndef __NR_listns
#define __NR_listns 470
#endif
#define NEWEST_KNOWN_CALL __NR_listns

/* linux/landlock.h after ABI 2. */
#define RIGHT_TRUNCATE (UINT64_C(1) << 14)  /* ABI 3, Linux 6.2 */
#define RIGHT_IOCTL_DEV (UINT64_C(1) << 15) /* ABI 5, Linux 6.10 */
#define SCOPE_ABSTRACT_UNIX (UINT64_C(1) << 0) /* ABI 6, Linux 6.12 */
#define SCOPE_SIGNAL (UINT64_C(1) << 1)

/* linux/mount.h and linux/fs.h clash with sys/mount.h in some C libraries: the few values used here. */
#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#endif
#ifndef MOVE_MOUNT_F_EMPTY_PATH
#define MOVE_MOUNT_F_EMPTY_PATH 0x04
#endif
#ifndef MOVE_MOUNT_T_EMPTY_PATH
#define MOVE_MOUNT_T_EMPTY_PATH 0x40
#endif
#define ATTR_RDONLY UINT64_C(0x01)
#define ATTR_NOSUID UINT64_C(0x02)
#define ATTR_NODEV UINT64_C(0x04)
#define ATTR_NOEXEC UINT64_C(0x08)
#define ATTR_IDMAP UINT64_C(0x00100000)
#define WHOLE_TREE 0x8000 /* AT_RECURSIVE */

struct attributes { /* struct mount_attr */
    uint64_t set;
    uint64_t clear;
    uint64_t propagation;
    uint64_t userns;
};

struct way { /* struct open_how */
    uint64_t flags;
    uint64_t mode;
    uint64_t resolve;
};
#define NO_MAGIC_LINKS UINT64_C(0x02)
#define NO_LINKS UINT64_C(0x04)
#define IN_ROOT UINT64_C(0x10)

static inline int open_tree_at(int at, const char *path, unsigned flags) {
    return (int) syscall(__NR_open_tree, at, path, flags);
}
static inline int move_mount_at(int from, int to, const char *path, unsigned flags) {
    return (int) syscall(__NR_move_mount, from, "", to, path, flags | MOVE_MOUNT_F_EMPTY_PATH);
}
static inline int set_mount(int at, const char *path, unsigned flags, struct attributes *a) {
    return (int) syscall(__NR_mount_setattr, at, path, flags, a, sizeof *a);
}
static inline int open_by(int at, const char *path, uint64_t flags, uint64_t resolve) {
    struct way how = {.flags = flags, .resolve = resolve};
    return (int) syscall(__NR_openat2, at, path, &how, sizeof how);
}

#endif
