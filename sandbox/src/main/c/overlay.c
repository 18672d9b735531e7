/* A place whose writes go to the session's folder: overlayfs in the cage's own user namespace, Linux 5.11. Its
 * layers are named by places of our own, so no byte of the host's paths needs quoting. */
#include "cage.h"
#include "kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <sys/stat.h>

static void stage_layer(int stage, const char *name, int detached) {
    if (mkdirat(stage, name, 0700) != 0) {
        die("mounts", "mkdir(scratch for %s)", name);
    }
    if (move_mount_at(detached, stage, name, 0) != 0) {
        die("overlay", "move_mount(%s)", name);
    }
    close(detached);
}

static void set(int fs, const char *key, const char *value) {
    if (syscall(__NR_fsconfig, fs, FSCONFIG_SET_STRING, key, value, 0) != 0) {
        die("overlay", "fsconfig(%s=%s)", key, value);
    }
}

/* Nothing of what the host's administrator may have made the default: names that lead elsewhere (redirect_dir)
 * and files without data (metacopy) are off with userxattr, an index would need to decode file handles. */
static int create(const char *lower, const char *upper, const char *work) {
    int fs = (int) syscall(__NR_fsopen, "overlay", FSOPEN_CLOEXEC);
    if (fs < 0) {
        die("overlay", "fsopen(overlay)");
    }
    set(fs, "lowerdir", lower);
    set(fs, "upperdir", upper);
    set(fs, "workdir", work);
    set(fs, "index", "off");
    if (syscall(__NR_fsconfig, fs, FSCONFIG_SET_FLAG, "userxattr", NULL, 0) != 0) {
        die("overlay", "fsconfig(userxattr)");
    }
    if (syscall(__NR_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) != 0) {
        die("overlay", "fsconfig(overlay, create)");
    }
    int detached = (int) syscall(__NR_fsmount, fs, FSMOUNT_CLOEXEC, ATTR_NOSUID | ATTR_NODEV);
    if (detached < 0) {
        die("overlay", "fsmount(overlay)");
    }
    close(fs);
    return detached;
}

int overlay_of(int stage, uint32_t number, int lower, int layers) {
    char below[32];
    char above[32];
    char upper[48];
    char work[48];
    snprintf(below, sizeof below, "lower-%u", number);
    snprintf(above, sizeof above, "layers-%u", number);
    snprintf(upper, sizeof upper, "%s/upper", above);
    snprintf(work, sizeof work, "%s/work", above);
    stage_layer(stage, below, lower);
    stage_layer(stage, above, layers);
    if (fchdir(stage) != 0) {
        die("overlay", "fchdir(scratch)");
    }
    return create(below, upper, work);
}
