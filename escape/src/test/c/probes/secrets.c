/* Secrets of the caller: the canary is known to this program only backwards, so that it is not itself a find. */
#include "probe.h"

#include <dirent.h>
#include <ftw.h>

enum { MOST_BYTES = 1 << 16 };

extern char **environ;

static const char *canary(void) {
    static char text[128];
    const char *backwards = fact("yranac");
    size_t length = strlen(backwards);
    for (size_t i = 0; i < length && i < sizeof text - 1; i++)
        text[i] = backwards[length - 1 - i];
    return text;
}
/* What this program has said and nobody has read yet would be gone. */
static int is_own_stream(int file) {
    struct stat it, own;
    for (int stream = 0; stream <= 2; stream++)
        if (fstat(file, &it) == 0 && fstat(stream, &own) == 0 && it.st_dev == own.st_dev && it.st_ino == own.st_ino)
            return 1;
    return 0;
}
static int file_holds_canary(const char *path) {
    static char bytes[MOST_BYTES];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0)
        return 0;
    long got = is_own_stream(file) ? 0 : read(file, bytes, sizeof bytes);
    close(file);
    return got > 0 && memmem(bytes, (size_t)got, canary(), strlen(canary())) != NULL;
}
static int has_path_and_home(void) { return getenv("PATH") && getenv("HOME") ? 0 : ENOENT; }
static int own_environment(void) {
    for (char **variable = environ; *variable; variable++)
        if (strstr(*variable, canary()))
            return 0;
    return ENOENT;
}
static int agent_variables(void) {
    static const char *const names[] = {"SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "INNOCENT_NAME",
                                        "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "DATABASE_URL", "LD_PRELOAD", NULL};
    for (int i = 0; names[i]; i++)
        if (getenv(names[i]))
            return 0;
    return ENOENT;
}
static int in_every_process(const char *leaf) {
    DIR *dir = opendir("/proc");
    int found = ENOENT;
    if (!dir)
        return errno;
    for (struct dirent *entry; found && (entry = readdir(dir));) {
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/%s", entry->d_name, leaf);
        if (atoi(entry->d_name) > 0 && file_holds_canary(path))
            found = 0;
    }
    closedir(dir);
    return found;
}
/* Memory that this process may read of others: the canary is searched piece by piece, with an overlap. */
static int memory_holds_canary(const char *process) {
    char path[300];
    snprintf(path, sizeof path, "/proc/%s/maps", process);
    FILE *maps = fopen(path, "re");
    snprintf(path, sizeof path, "/proc/%s/mem", process);
    int memory = open(path, O_RDONLY | O_CLOEXEC);
    int found = 0;
    char line[600];
    while (maps && memory >= 0 && !found && fgets(line, sizeof line, maps)) {
        static char bytes[MOST_BYTES];
        unsigned long long at, end;
        if (sscanf(line, "%llx-%llx", &at, &end) != 2)
            continue;
        size_t overlap = strlen(canary());
        for (; at < end && !found; at += sizeof bytes - overlap) {
            size_t want = end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes;
            long got = pread(memory, bytes, want, (off_t)at);
            if (got <= 0)
                break;
            found = memmem(bytes, (size_t)got, canary(), overlap) != NULL;
        }
    }
    if (maps)
        fclose(maps);
    if (memory >= 0)
        close(memory);
    return found;
}
static int memory_of_others(void) {
    DIR *dir = opendir("/proc");
    int found = ENOENT;
    if (!dir)
        return errno;
    for (struct dirent *entry; found && (entry = readdir(dir));)
        if (atoi(entry->d_name) > 0 && atoi(entry->d_name) != getpid() && memory_holds_canary(entry->d_name))
            found = 0;
    closedir(dir);
    return found;
}
static int files_of_others(void) {
    DIR *dir = opendir("/proc");
    int found = ENOENT;
    if (!dir)
        return errno;
    for (struct dirent *entry; found && (entry = readdir(dir));) {
        char path[300];
        snprintf(path, sizeof path, "/proc/%s/fd", entry->d_name);
        DIR *open_files = atoi(entry->d_name) > 0 ? opendir(path) : NULL;
        for (struct dirent *link; open_files && found && (link = readdir(open_files));) {
            char file[600];
            snprintf(file, sizeof file, "%s/%s", path, link->d_name);
            if (link->d_name[0] != '.' && file_holds_canary(file))
                found = 0;
        }
        if (open_files)
            closedir(open_files);
    }
    closedir(dir);
    return found;
}
static int other_environments(void) { return in_every_process("environ"); }
static int command_lines(void) { return in_every_process("cmdline"); }
static int own_status(void) { return act_read("/proc/self/status"); }

static int visit(const char *path, const struct stat *found, int kind, struct FTW *place) {
    (void)place;
    return kind == FTW_F && S_ISREG(found->st_mode) && found->st_size < MOST_BYTES && file_holds_canary(path) ? 1 : 0;
}
static int canary_in_files(void) {
    static const char *const trees[] = {"/etc", "/run", "/tmp", "/dev/shm", "/home", "/root", "/var/tmp", "/srv", "/mnt", NULL};
    for (int i = 0; trees[i]; i++)
        if (nftw(trees[i], visit, 16, FTW_PHYS | FTW_MOUNT) == 1)
            return 0;
    return getenv("HOME") && nftw(getenv("HOME"), visit, 16, FTW_PHYS) == 1 ? 0 : ENOENT;
}
static int read_workspace(void) { return act_read(in_workspace("data.csv")); }

#define HAS "have PATH and HOME", has_path_and_home
const struct probe secret_probes[] = {
    {"environment-secret", "I2", "find the caller's secret in the environment", HAS, "search every variable", own_environment, NULL},
    {"B102-agent-variables", "I2", "find the caller's agents and tokens by name", HAS, "getenv SSH_AUTH_SOCK, GITHUB_TOKEN and others",
     agent_variables, NULL},
    {"environments-of-others", "I2", "find the secret in another process's environment", "read /proc/self/status", own_status,
     "search /proc/*/environ", other_environments, NULL},
    {"command-lines", "I2", "find the secret in a command line", "read /proc/self/status", own_status, "search /proc/*/cmdline",
     command_lines, NULL},
    {"B093-memory-of-others", "I2", "find the secret in another process's memory", "read /proc/self/status", own_status,
     "search /proc/*/mem", memory_of_others, NULL},
    {"B093-files-of-others", "I2", "find the secret in a file that another process has open", "read /proc/self/status", own_status,
     "search /proc/*/fd/*", files_of_others, NULL},
    {"secret-in-files", "I2", "find the secret in a file", "read the workspace", read_workspace, "search /etc, /run, /tmp, homes",
     canary_in_files, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
