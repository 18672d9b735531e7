/* Files of the host by their names. */
#include "probe.h"

static int read_passwd(void) { return act_read("/etc/passwd"); }
static int read_shadow(void) { return act_read("/etc/shadow"); }

static int read_cage_home(void) {
    const char *home = is_outside() ? fact("home") : getenv("HOME");
    if (!home)
        return ENOENT;
    int problem = act_write(below(home, "note"), O_CREAT, 0600);
    return problem ? problem : act_read(below(home, "note"));
}
static int read_ssh_key(void) { return act_read(below(fact("home"), ".ssh/id_ed25519")); }
static int read_other_home(void) { return act_read(fact("other-secret")); }
static int read_root_home(void) { return act_read(fact("root-secret")); }

static int read_workspace(void) { return act_read(in_workspace("data.csv")); }
static int read_sibling(void) { return act_read(fact("sibling-secret")); }

static int use_cage_tmp(void) {
    int problem = act_write("/tmp/probe-note", O_CREAT, 0600);
    return problem ? problem : act_read("/tmp/probe-note");
}
static int read_host_tmp(void) { return act_read(fact("tmp-secret")); }
static int read_host_var(void) { return act_read(fact("var-secret")); }
static int read_host_shm(void) { return act_read(fact("shm-secret")); }
static int read_host_run(void) { return act_read(fact("run-secret")); }

static int write_workspace(void) { return act_write(in_workspace("free/out.txt"), O_CREAT, 0600); }
static int read_audit(void) { return act_read(fact("audit")); }
static int append_audit(void) { return act_write(fact("audit"), O_APPEND, 0); }
static int truncate_audit(void) { return answer(truncate(fact("audit"), 0)); }
static int unlink_audit(void) { return answer(unlink(fact("audit"))); }
static int read_policy(void) { return act_read(fact("policy")); }
static int write_policy(void) { return act_write(fact("policy"), O_APPEND, 0); }
static int open_state(void) { return act_open(fact("state"), O_RDONLY | O_DIRECTORY); }
static int open_config(void) { return act_open(fact("config"), O_RDONLY | O_DIRECTORY); }
static int read_product(void) { return act_read(fact("product")); }

static int write_then_remove(const char *path) {
    int problem = act_write(path, O_CREAT | O_EXCL, 0644);
    if (!problem)
        unlink(path);
    return problem;
}
static int write_tmp(void) { return write_then_remove("/tmp/probe-canary"); }
static int write_usr(void) { return write_then_remove("/usr/cagewright-probe-canary"); }
static int write_etc(void) { return write_then_remove("/etc/cagewright-probe-canary"); }
static int write_root(void) { return write_then_remove("/cagewright-probe-canary"); }
static int write_bin(void) { return act_open("/usr/bin/env", O_WRONLY); }
static int open_passwd(void) { return act_open("/etc/passwd", O_WRONLY); }
static int read_env_binary(void) { return act_read("/usr/bin/env"); }

static int chmod_workspace(void) { return answer(chmod(in_workspace("free/plain"), 0640)); }
static int chmod_usr(void) {
    struct stat found;
    return stat("/usr/bin", &found) < 0 ? errno : answer(chmod("/usr/bin", found.st_mode & 07777));
}
static int xattr_usr(void) { return reached(syscall(SYS_removexattr, "/usr/bin/env", "user.no-such"), ENODATA); }

static int read_dev_zero(void) { return act_read("/dev/zero"); }
static int open_kernel_log(void) { return act_open("/dev/kmsg", O_WRONLY); }
static int open_disk(void) {
    static const char *const disks[] = {"/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/xvda", "/dev/loop0", NULL};
    int problem = ENOENT;
    for (int i = 0; disks[i] && problem; i++)
        problem = act_open(disks[i], O_RDONLY | O_NONBLOCK);
    return problem;
}
static int open_fuse(void) { return act_open("/dev/fuse", O_RDWR); }

const struct probe file_probes[] = {
    {"shadow-file", "I2", "read the password hashes of the host", "read /etc/passwd", read_passwd,
     "read /etc/shadow", read_shadow, NULL},
    {"ssh-key-of-the-owner", "I2", "read the owner's ssh key under the real home", "write and read a note in the cage's HOME",
     read_cage_home, "read ~/.ssh/id_ed25519 of the real home", read_ssh_key, NULL},
    {"other-home", "I7", "read a file in somebody else's home", "write and read a note in the cage's HOME", read_cage_home,
     "read a world-readable file below another home", read_other_home, NULL},
    {"root-home", "I7", "read a file in root's home", "read the workspace", read_workspace, "read a file below /root",
     read_root_home, NULL},
    {"sibling-folder", "I7", "read what lies beside the workspace", "read the workspace", read_workspace,
     "read a file of the folder beside the workspace", read_sibling, NULL},
    {"host-tmp", "I7", "read the host's /tmp", "write and read the cage's own /tmp", use_cage_tmp,
     "read a world-readable file in the host's /tmp", read_host_tmp, NULL},
    {"host-var", "I7", "read the host's /var", "read the workspace", read_workspace,
     "read a world-readable file in /var/tmp", read_host_var, NULL},
    {"host-shm-file", "I7", "read the host's /dev/shm", "write and read the cage's own /tmp", use_cage_tmp,
     "read a world-readable file in /dev/shm", read_host_shm, NULL},
    {"host-run", "I7", "read the host's /run", "read the workspace", read_workspace,
     "read a world-readable file in /run", read_host_run, NULL},
    {"audit-log-read", "I6", "read the audit log by its path", "write in the workspace", write_workspace,
     "open the audit log for reading", read_audit, NULL},
    {"audit-log-append", "I6", "append a line to the audit log", "write in the workspace", write_workspace,
     "open the audit log for appending", append_audit, NULL},
    {"policy-read", "I6", "read the policy by its path", "read the workspace", read_workspace, "open the policy file",
     read_policy, NULL},
    {"policy-write", "I6", "widen the policy", "write in the workspace", write_workspace, "append to the policy file",
     write_policy, NULL},
    {"state-folder", "I6", "list the product's state and sessions", "read the workspace", read_workspace,
     "open the XDG state folder", open_state, NULL},
    {"config-folder", "I6", "list the user's policies", "read the workspace", read_workspace, "open the XDG config folder",
     open_config, NULL},
    {"product-files", "I6", "read the product's own jars", "read /usr/bin/env", read_env_binary,
     "open a file of the installed product", read_product, NULL},
    {"write-usr", "I6", "put a file below /usr", "write in /tmp", write_tmp, "create a file in /usr", write_usr, NULL},
    {"write-etc", "I6", "put a file below /etc", "write in /tmp", write_tmp, "create a file in /etc", write_etc, NULL},
    {"write-root", "I6", "put a file into the root directory", "write in /tmp", write_tmp, "create a file in /", write_root,
     NULL},
    {"write-system-binary", "I9", "change a program of the system", "read /usr/bin/env", read_env_binary,
     "open /usr/bin/env for writing", write_bin, NULL},
    {"write-passwd", "I9", "change the accounts", "read /etc/passwd", read_passwd, "open /etc/passwd for writing", open_passwd,
     NULL},
    {"chmod-system", "I6", "change modes of the system's files", "chmod in the workspace", chmod_workspace, "chmod /usr/bin",
     chmod_usr, NULL},
    {"xattr-system", "I6", "set an attribute on a system file", "chmod in the workspace", chmod_workspace,
     "removexattr on /usr/bin/env", xattr_usr, NULL},
    {"kernel-log-device", "I6", "write to the kernel's log", "read /dev/zero", read_dev_zero, "open /dev/kmsg", open_kernel_log,
     NULL},
    {"disk-device", "I6", "read the host's disk", "read /dev/zero", read_dev_zero, "open a block device", open_disk, NULL},
    {"fuse-device", "I6", "serve a file system", "read /dev/zero", read_dev_zero, "open /dev/fuse", open_fuse, NULL},
    {"audit-log-truncate", "I6", "empty the audit log", "write in the workspace", write_workspace, "truncate the audit log",
     truncate_audit, NULL},
    {"audit-log-unlink", "I6", "remove the audit log", "write in the workspace", write_workspace, "unlink the audit log",
     unlink_audit, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
