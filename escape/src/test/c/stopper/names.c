/* Who does a step, and to what: read from /proc while the process waits. */
#define _GNU_SOURCE
#include "calls.h"
#include "stopper.h"

#include <ctype.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>
#include <dirent.h>

enum { PATH_SIZE = 300, MOST_NAMES = 4096, ID_LENGTH = 10 };

static char *seen[MOST_NAMES];
static int times[MOST_NAMES];

int count_step(const char *name) {
    for (int i = 0; i < MOST_NAMES; i++) {
        if (seen[i] == NULL) {
            seen[i] = strdup(name);
        }
        if (strcmp(seen[i], name) == 0) {
            return ++times[i];
        }
    }
    return 0;
}

static long status_number(pid_t pid, const char *key) {
    char path[64];
    char line[256];
    long value = -1;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, strlen(key)) == 0) {
            value = atol(line + strlen(key));
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return value;
}

static bool is_the_products_init(pid_t pid) {
    char path[64];
    char target[PATH_SIZE] = "";
    snprintf(path, sizeof path, "/proc/%d/exe", pid);
    return readlink(path, target, sizeof target - 1) > 0 && strstr(target, "cagewright-init") != NULL;
}

static const char *role(pid_t thread, struct cast *cast) {
    pid_t pid = (pid_t) status_number(thread, "Tgid:");
    if (pid == cast->supervisor) {
        return "supervisor";
    }
    if (pid <= 0 || !is_the_products_init(pid)) {
        return NULL;
    }
    long parent = status_number(pid, "PPid:");
    if (parent == cast->supervisor && cast->helper == 0) {
        cast->helper = pid;
    }
    if (parent == cast->helper && cast->helper > 0 && cast->init == 0) {
        cast->init = pid;
    }
    if (pid == cast->helper) {
        return "helper";
    }
    return pid == cast->init ? "init" : NULL;
}

static void read_path(pid_t thread, __u64 address, char path[PATH_SIZE]) {
    struct iovec here = {path, PATH_SIZE - 1};
    /* In two pieces where it may cross into a page that is not there: a transfer ends between pieces only. */
    size_t rest = 4096 - (address & 4095);
    size_t first = rest < PATH_SIZE - 1 ? rest : PATH_SIZE - 1;
    char *from = (char *) (unsigned long) address;
    struct iovec there[] = {{from, first}, {from + first, PATH_SIZE - 1 - first}};
    ssize_t size = process_vm_readv(thread, &here, 1, there, 2, 0);
    path[size > 0 ? size : 0] = 0;
}

static void operand(const struct seccomp_notif *n, const struct call *call, char path[PATH_SIZE]) {
    char link[64];
    path[0] = 0;
    if (call->first == FILE_NUMBER) {
        snprintf(link, sizeof link, "/proc/%d/fd/%d", n->pid, (int) n->data.args[0]);
        ssize_t size = readlink(link, path, PATH_SIZE - 1);
        path[size > 0 ? size : 0] = 0;
    } else if (call->first == PATH) {
        read_path((pid_t) n->pid, n->data.args[0], path);
    } else if (call->second != NONE) {
        int at = call->second == PATH ? 1 : call->second == THIRD_PATH ? 2 : 3;
        read_path((pid_t) n->pid, n->data.args[at], path);
    }
}

/* What differs from run to run becomes a word: the names of sessions, numbers of four
 * digits and more, and what makes the names of temporary files unique. */
static void plain(const char *path, char name[STEP_SIZE]) {
    const char *last = strrchr(path, '/');
    const char *from = last != NULL && last[1] != 0 ? last + 1 : path;
    size_t size = 0;
    while (*from != 0 && size < 100) {
        size_t word = strspn(from, "abcdefghijklmnopqrstuvwxyz234567");
        size_t digits = strspn(from, "0123456789");
        if (strncmp(from, ".new-", 5) == 0) {
            size += (size_t) sprintf(name + size, ".new");
            break;
        }
        if (word == ID_LENGTH && memcmp(from, "cagewright", ID_LENGTH) != 0) {
            size += (size_t) sprintf(name + size, "ID");
            from += word;
        } else if (digits >= 4) {
            size += (size_t) sprintf(name + size, "N");
            from += digits;
        } else {
            name[size++] = isgraph((unsigned char) *from) ? *from : '?';
            from++;
            while (size < 100 && isalnum((unsigned char) *from) && isalnum((unsigned char) from[-1])) {
                name[size++] = *from++;
            }
        }
    }
    name[size] = 0;
}

bool name_step(const struct seccomp_notif *n, struct cast *cast, char name[STEP_SIZE]) {
    char path[PATH_SIZE];
    char thing[STEP_SIZE];
    const char *who = role((pid_t) n->pid, cast);
    for (int i = 0; who != NULL && i < call_count; i++) {
        if (calls[i].number == n->data.nr) {
            operand(n, &calls[i], path);
            plain(path, thing);
            snprintf(name, STEP_SIZE, "%s %s %.200s", who, calls[i].name, thing);
            return true;
        }
    }
    return false;
}

/* Those below this process: it reaps for all of them. */
static bool is_ours(pid_t pid) {
    for (int depth = 0; pid > 1 && depth < 100; depth++) {
        if (pid == getpid()) {
            return true;
        }
        pid = (pid_t) status_number(pid, "PPid:");
    }
    return false;
}

void list_survivors(FILE *report, int listener) {
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc != NULL && (entry = readdir(proc)) != NULL;) {
        pid_t pid = (pid_t) atol(entry->d_name);
        if (pid > 0 && pid != getpid() && is_ours(pid)) {
            char path[64];
            char words[PATH_SIZE] = "";
            snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
            FILE *file = fopen(path, "re");
            if (file != NULL) {
                size_t size = fread(words, 1, sizeof words - 1, file);
                for (size_t i = 0; i + 1 < size; i++) {
                    words[i] = words[i] == 0 ? ' ' : words[i];
                }
                fclose(file);
            }
            fprintf(report, "survivor %d %s\n", pid, words);
            kill(pid, SIGKILL);
        }
    }
    if (proc != NULL) {
        closedir(proc);
    }
    close(listener);
}
