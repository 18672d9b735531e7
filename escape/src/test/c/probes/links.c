/* The same files by other names: links, the magic links of /proc, descriptors, handles; and what must not stay
 * behind in the workspace: set-id files and device nodes. */
#include "probe.h"

#include <dirent.h>
#include <linux/openat2.h>
#include <sys/sysmacros.h>

static const char *free_name(const char *name) { return below(in_workspace("free"), name); }

static int through_link(const char *target, const char *name) {
    unlink(name);
    if (symlink(target, name) < 0)
        return errno;
    int problem = act_read(name);
    unlink(name);
    return problem;
}
static int link_inside(void) { return through_link(in_workspace("data.csv"), free_name("link-in")); }
static int link_to_shadow(void) { return through_link("/etc/shadow", free_name("link-shadow")); }
static int link_to_secret(void) { return through_link(fact("sibling-secret"), free_name("link-secret")); }
static int planted_link(void) { return act_read(in_workspace("link-to-secret")); }
static int planted_link_folder(void) { return act_read(in_workspace("link-to-root/etc/shadow")); }

static int hard_link_inside(void) {
    unlink(free_name("hard"));
    int problem = answer(link(in_workspace("data.csv"), free_name("hard")));
    unlink(free_name("hard"));
    return problem;
}
static int hard_link_secret(void) {
    unlink(free_name("hard-secret"));
    if (link(fact("sibling-secret"), free_name("hard-secret")) < 0)
        return errno;
    int problem = act_read(free_name("hard-secret"));
    unlink(free_name("hard-secret"));
    return problem;
}
static int parent_walk(void) {
    char path[4096] = "";
    for (int i = 0; i < 40; i++)
        strcat(path, "../");
    strcat(path, fact("sibling-secret") + 1);
    return act_read(path);
}
static int parent_inside(void) { return act_read(in_workspace("free/../data.csv")); }

static const char *process(const char *leaf) {
    static char path[4096];
    snprintf(path, sizeof path, "/proc/%s/%s", fact("init"), leaf);
    return path;
}
static int own_root(void) { return act_read("/proc/self/root/etc/passwd"); }
static int own_root_secret(void) { return act_read(below("/proc/self/root", fact("sibling-secret") + 1)); }
static int init_root(void) { return act_read(below(process("root"), fact("sibling-secret") + 1)); }
static int init_cwd(void) { return act_open(process("cwd"), O_RDONLY | O_DIRECTORY); }
static int own_cwd(void) { return act_open("/proc/self/cwd", O_RDONLY | O_DIRECTORY); }
static int init_fds(void) { return act_open(process("fd"), O_RDONLY | O_DIRECTORY); }
static int own_fds(void) { return act_open("/proc/self/fd", O_RDONLY | O_DIRECTORY); }
static int init_environ(void) { return act_read(process("environ")); }
static int own_status(void) { return act_read("/proc/self/status"); }
static int init_mem(void) { return act_open(process("mem"), O_RDWR); }
static int own_mem(void) { return act_open("/proc/self/mem", O_RDONLY); }
static int init_maps(void) { return act_read(process("maps")); }
static int init_exe(void) { return act_read(process("exe")); }
static int own_exe(void) { return act_read("/proc/self/exe"); }

static int openat2_read(const char *path) {
    struct open_how how = {.flags = O_RDONLY | O_CLOEXEC};
    char byte;
    int file = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (file < 0)
        return errno;
    int problem = read(file, &byte, 1) == 1 ? 0 : ENODATA;
    close(file);
    return problem;
}
static int openat_inside(void) {
    int folder = open(fact("workspace"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder < 0 ? errno : answer(openat(folder, "data.csv", O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
}
static int openat2_magic(void) { return openat2_read(below(process("root"), fact("sibling-secret") + 1)); }

/* A handle is an inode's name without a path: whoever may open one reaches files outside every mount. */
static int by_handle(void) {
    char buffer[sizeof(struct file_handle) + 128];
    struct file_handle *handle = (struct file_handle *)buffer;
    handle->handle_bytes = 128;
    int mount_id;
    int folder = open(fact("workspace"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return errno;
    if (name_to_handle_at(AT_FDCWD, in_workspace("data.csv"), handle, &mount_id, 0) < 0)
        return errno == EOPNOTSUPP ? cannot("the file system has no handles") : errno;
    int file = open_by_handle_at(folder, handle, O_RDONLY);
    return file < 0 ? errno : 0;
}

static int names_below(const char *folder, int least) {
    DIR *dir = opendir(folder);
    if (!dir)
        return -1;
    int count = 0;
    int own = dirfd(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.' && atoi(entry->d_name) >= least && atoi(entry->d_name) != own)
            count++;
    closedir(dir);
    return count;
}
static int standard_streams(void) { return names_below("/proc/self/fd", 0) >= 3 ? 0 : ENOENT; }
static int leaked_descriptors(void) { return names_below("/proc/self/fd", 3) > 0 ? 0 : ENOENT; }
static int leaked_folder(void) {
    static char path[64];
    for (int fd = 3; fd < 64; fd++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d/secret.txt", fd);
        if (act_read(path) == 0)
            return 0;
    }
    return ENOENT;
}

static int is_special(const char *path) {
    struct stat found;
    if (lstat(path, &found) < 0)
        return errno;
    int special = (found.st_mode & (S_ISUID | S_ISGID)) || S_ISCHR(found.st_mode) || S_ISBLK(found.st_mode);
    return special ? 0 : ENOTSUP;
}
/* The mode may be refused or cut; only a set-id bit that is there afterwards counts. */
static int left_special(long result, const char *path) {
    int refused = answer(result);
    int special = is_special(path);
    if (special == 0) {
        chmod(path, 0600);
        return 0;
    }
    return refused ? refused : special;
}
static const char *plain(const char *name) {
    const char *path = free_name(name);
    act_write(path, O_CREAT, 0600);
    return path;
}
static int chmod_plain(void) { return answer(chmod(plain("mode"), 0755)); }
static int chmod_setuid(void) { return left_special(syscall(SYS_fchmodat, AT_FDCWD, plain("suid1"), 04755), free_name("suid1")); }
static int chmod_setgid(void) { return left_special(chmod(plain("sgid1"), 02755), free_name("sgid1")); }
static int fchmod_setuid(void) {
    int file = open(plain("suid2"), O_RDWR | O_CLOEXEC);
    return left_special(fchmod(file, 04755), free_name("suid2"));
}
static int fchmodat2_setuid(void) {
    return left_special(syscall(452, AT_FDCWD, plain("suid3"), 04755, 0), free_name("suid3"));
}
static int open_setuid(void) {
    unlink(free_name("suid4"));
    return left_special(open(free_name("suid4"), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 04755), free_name("suid4"));
}
static int openat2_setuid(void) {
    struct open_how how = {.flags = O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, .mode = 04755};
    unlink(free_name("suid5"));
    return left_special(syscall(SYS_openat2, AT_FDCWD, free_name("suid5"), &how, sizeof how), free_name("suid5"));
}
static int mkdir_setgid(void) {
    rmdir(free_name("sgid-folder"));
    long made = mkdir(free_name("sgid-folder"), 0755);
    if (made == 0)
        made = chmod(free_name("sgid-folder"), 02777);
    return left_special(made, free_name("sgid-folder"));
}
static int mknod_setuid(void) {
    unlink(free_name("suid6"));
    return left_special(mknod(free_name("suid6"), S_IFREG | 04755, 0), free_name("suid6"));
}
static int tmpfile_setuid(void) {
    unlink(free_name("suid7"));
    int file = open(in_workspace("free"), O_TMPFILE | O_RDWR | O_CLOEXEC, 04755);
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    if (file < 0 || linkat(AT_FDCWD, name, AT_FDCWD, free_name("suid7"), AT_SYMLINK_FOLLOW) < 0)
        return errno == EOPNOTSUPP ? cannot("no O_TMPFILE here") : errno;
    return left_special(0, free_name("suid7"));
}
static int mkfifo_plain(void) {
    unlink(free_name("fifo"));
    int problem = answer(mkfifo(free_name("fifo"), 0600));
    unlink(free_name("fifo"));
    return problem;
}
static int mknod_device(void) {
    unlink(free_name("device"));
    int problem = answer(mknod(free_name("device"), S_IFCHR | 0666, makedev(1, 1)));
    unlink(free_name("device"));
    return problem;
}
static int mknod_block(void) {
    unlink(free_name("block"));
    int problem = answer(mknod(free_name("block"), S_IFBLK | 0666, makedev(7, 0)));
    unlink(free_name("block"));
    return problem;
}
static int set_user_xattr(void) {
    return reached(syscall(SYS_setxattr, plain("xattr"), "user.note", "x", 1L, 0), EOPNOTSUPP);
}
static int set_capability(void) {
    static const unsigned char all[20] = {1, 0, 0, 2, 255, 255, 255, 255};
    return answer(syscall(SYS_setxattr, plain("caps"), "security.capability", all, sizeof all, 0));
}

const struct probe link_probes[] = {
    {"symlink-to-shadow", "I2", "read a host file through a new symbolic link", "read the workspace through a link", link_inside,
     "link to /etc/shadow and read", link_to_shadow, NULL},
    {"symlink-to-sibling", "I7", "read beside the workspace through a new link", "read the workspace through a link", link_inside,
     "link to a file beside the workspace and read", link_to_secret, NULL},
    {"planted-link", "I7", "read through a link that was in the workspace before", "read the workspace through a link", link_inside,
     "read a link that leads out of the workspace", planted_link, NULL},
    {"B104-link-to-root", "I7", "walk through a planted link to /", "read the workspace through a link", link_inside,
     "read link/etc/shadow", planted_link_folder, NULL},
    {"hard-link", "I7", "give a host file a second name in the workspace", "hard link within the workspace", hard_link_inside,
     "link(2) a file beside the workspace and read", hard_link_secret, NULL},
    {"parent-walk", "I7", "walk up with ../ beyond the root", "read free/../data.csv", parent_inside, "read forty ../ and a host path",
     parent_walk, NULL},
    {"proc-self-root", "I7", "reach the host by /proc/self/root", "read /proc/self/root/etc/passwd", own_root,
     "read a host file below /proc/self/root", own_root_secret, NULL},
    {"proc-init-root", "I6", "reach the host by the root of PID 1", "read /proc/self/root/etc/passwd", own_root,
     "read a host file below /proc/1/root", init_root, NULL},
    {"B145-proc-init-cwd", "I6", "open the working directory of PID 1", "open /proc/self/cwd", own_cwd, "open /proc/1/cwd", init_cwd,
     NULL},
    {"proc-init-fd", "I6", "look at the descriptors of PID 1", "list /proc/self/fd", own_fds, "open /proc/1/fd", init_fds, NULL},
    {"B146-proc-init-environ", "I2", "read the environment of PID 1", "read /proc/self/status", own_status,
     "read /proc/1/environ", init_environ, NULL},
    {"proc-init-mem", "I6", "open the memory of PID 1", "open /proc/self/mem", own_mem, "open /proc/1/mem", init_mem, NULL},
    {"proc-init-maps", "I6", "read the memory map of PID 1", "read /proc/self/status", own_status, "read /proc/1/maps", init_maps,
     NULL},
    {"proc-init-exe", "I6", "read the supervisor's program by /proc/1/exe", "read /proc/self/exe", own_exe, "open /proc/1/exe",
     init_exe, NULL},
    {"openat2-magic-link", "I6", "resolve a magic link by openat2", "openat from a descriptor of the workspace", openat_inside,
     "openat2 a host file below /proc/1/root", openat2_magic, NULL},
    {"file-handle", "I7", "open a file by its handle, past every path", "openat from a descriptor of the workspace", openat_inside,
     "name_to_handle_at and open_by_handle_at", by_handle, NULL},
    {"leaked-descriptor", "I6", "use a descriptor that the caller left open", "have 0, 1 and 2", standard_streams,
     "find any descriptor from 3 on", leaked_descriptors, NULL},
    {"leaked-folder", "I6", "read a host file below a leaked directory descriptor", "have 0, 1 and 2", standard_streams,
     "read /proc/self/fd/N/secret.txt", leaked_folder, NULL},
    {"setuid-by-chmod", "I9", "leave a set-user-id file by chmod", "chmod 0755", chmod_plain, "fchmodat 04755", chmod_setuid, NULL},
    {"setgid-by-chmod", "I9", "leave a set-group-id file by chmod", "chmod 0755", chmod_plain, "chmod 02755", chmod_setgid, NULL},
    {"setuid-by-fchmod", "I9", "leave a set-user-id file by fchmod", "chmod 0755", chmod_plain, "fchmod 04755", fchmod_setuid, NULL},
    {"setuid-by-fchmodat2", "I9", "leave a set-user-id file by fchmodat2", "chmod 0755", chmod_plain, "fchmodat2 04755",
     fchmodat2_setuid, NULL},
    {"setuid-by-open", "I9", "create a set-user-id file at once", "chmod 0755", chmod_plain, "open(O_CREAT, 04755)", open_setuid,
     NULL},
    {"setuid-by-openat2", "I9", "create a set-user-id file by openat2", "openat from a descriptor of the workspace", openat_inside,
     "openat2(O_CREAT, 04755)", openat2_setuid, NULL},
    {"setuid-by-tmpfile", "I9", "link an unnamed set-user-id file into the workspace", "chmod 0755", chmod_plain,
     "open(O_TMPFILE, 04755) and linkat", tmpfile_setuid, NULL},
    {"setuid-by-mknod", "I9", "create a set-user-id file by mknod", "mkfifo", mkfifo_plain, "mknod(S_IFREG|04755)", mknod_setuid, NULL},
    {"setgid-folder", "I9", "leave a folder that hands its group on", "chmod 0755", chmod_plain, "mkdir and chmod 02777", mkdir_setgid,
     NULL},
    {"character-device", "I6", "make a device node for the memory", "mkfifo", mkfifo_plain, "mknod c 1 1", mknod_device, NULL},
    {"block-device", "I6", "make a device node for a disk", "mkfifo", mkfifo_plain, "mknod b 7 0", mknod_block, NULL},
    {"file-capability", "I9", "leave a file with capabilities", "set a user attribute", set_user_xattr,
     "setxattr security.capability", set_capability, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
