/* Runs probes, each twin in a process of its own, and prints one line for each:
 *   id TAB twin TAB succeeded|refused|hung|cannot TAB detail
 * Usage: probe list | probe run (allowed|denied|both) (GROUP|ID) [fact=value ...] | probe story NAME [WORD ...]
 * Group `free` is for a cage where any program may start, `exec` for one with an allowlist. */
#include "probe.h"

#include <sys/mman.h>

enum { CANNOT = 250, HUNG_SECONDS = 20, MOST_FACTS = 64, REASON_BYTES = 256 };

static const struct {
    const char *name;
    const struct probe *probes;
} groups[] = {{"free", file_probes},      {"free", link_probes},      {"free", process_probes}, {"free", mount_probes},
              {"free", kernel_probes},    {"free", privilege_probes}, {"free", secret_probes},  {"free", ipc_probes},
              {"free", network_probes},   {"free", repository_probes}, {"exec", exec_probes}};
static const char *facts[MOST_FACTS];
static int fact_count;
static char *reason;

const char *fact(const char *name) {
    size_t length = strlen(name);
    for (int i = 0; i < fact_count; i++)
        if (strncmp(facts[i], name, length) == 0 && facts[i][length] == '=')
            return facts[i] + length + 1;
    snprintf(reason, REASON_BYTES, "no fact %s", name);
    _exit(CANNOT);
}

int fact_number(const char *name) { return atoi(fact(name)); }

int is_outside(void) { return strcmp(fact("outside"), "yes") == 0; }

int cannot(const char *why) {
    snprintf(reason, REASON_BYTES, "%s", why);
    return CANNOT;
}

int answer(long result) { return result < 0 ? errno : 0; }

int reached(long result, int also) { return result < 0 && errno != also ? errno : 0; }

const char *below(const char *base, const char *name) {
    static char buffers[4][4096];
    static unsigned next;
    char *buffer = buffers[next++ % 4];
    snprintf(buffer, sizeof buffers[0], "%s/%s", base, name);
    return buffer;
}

const char *in_workspace(const char *name) { return below(fact("workspace"), name); }

int act_open(const char *path, int flags) {
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0)
        return errno;
    close(file);
    return 0;
}

int act_read(const char *path) {
    char byte;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return errno;
    long got = read(file, &byte, 1);
    int problem = got < 0 ? errno : got == 0 ? ENODATA : 0;
    close(file);
    return problem;
}

int act_write(const char *path, int flags, int mode) {
    static const char line[] = "# written by a probe\n";
    int file = open(path, flags | O_WRONLY | O_CLOEXEC, mode);
    if (file < 0)
        return errno;
    long put = write(file, line, sizeof line - 1);
    int problem = put < 0 ? errno : 0;
    close(file);
    return problem;
}

/* What a process that ran an act says about it: the act's answer, or 128 + signal. */
static int outcome_of(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return ECHILD;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 300 + WTERMSIG(status);
}

int in_child(act *child) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0)
        return errno;
    if (pid == 0)
        _exit(child());
    int outcome = outcome_of(pid);
    return outcome > 300 ? EINTR : outcome;
}

static void print(const char *id, const char *twin, int outcome) {
    if (outcome == 0)
        printf("%s\t%s\tsucceeded\t\n", id, twin);
    else if (outcome == CANNOT)
        printf("%s\t%s\tcannot\t%s\n", id, twin, reason);
    else if (outcome == 300 + SIGALRM)
        printf("%s\t%s\thung\tno answer in %d s\n", id, twin, HUNG_SECONDS);
    else if (outcome > 300)
        printf("%s\t%s\trefused\tSIG%s\n", id, twin, sigabbrev_np(outcome - 300));
    else
        printf("%s\t%s\trefused\t%s\n", id, twin, strerrorname_np(outcome) ? strerrorname_np(outcome) : "?");
    fflush(stdout);
}

static void run_twin(const char *id, const char *twin, act *act) {
    pid_t pid = fork();
    if (pid < 0) {
        print(id, twin, errno);
        return;
    }
    if (pid == 0) {
        signal(SIGALRM, SIG_DFL);
        alarm(HUNG_SECONDS);
        _exit(act());
    }
    print(id, twin, outcome_of(pid));
}

static void list(void) {
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (const struct probe *p = groups[g].probes; p->id; p++)
            printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\n", p->id, p->invariant, p->tries, p->allowed_twin, p->denied_twin,
                   p->trace ? p->trace : "-", groups[g].name);
}

/* Is it one of those, which have commas between them? */
static int is_among(const char *id, const char *wanted) {
    size_t length = strlen(id);
    for (const char *at = strstr(wanted, id); at; at = strstr(at + 1, id))
        if ((at == wanted || at[-1] == ',') && (at[length] == ',' || at[length] == 0))
            return 1;
    return 0;
}

static void run(const char *twins, const char *wanted) {
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++)
        for (const struct probe *p = groups[g].probes; p->id; p++) {
            int is_named = is_among(p->id, wanted);
            /* Outside, an act that changes the workspace for good is done by name, in a copy. */
            if (!is_named && (strcmp(wanted, groups[g].name) != 0 || (p->trace && is_outside())))
                continue;
            if (strcmp(twins, "denied") != 0)
                run_twin(p->id, "allowed", p->allowed);
            if (strcmp(twins, "allowed") != 0)
                run_twin(p->id, "denied", p->denied);
        }
}

int main(int argc, char **argv) {
    reason = mmap(NULL, REASON_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    signal(SIGPIPE, SIG_IGN);
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        list();
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "story") == 0)
        return story(argc - 2, argv + 2);
    if (argc < 4 || strcmp(argv[1], "run") != 0) {
        fprintf(stderr, "usage: probe list | probe run TWINS GROUP|ID[,ID...] [fact=value ...] | probe story NAME [WORD ...]\n");
        return 2;
    }
    for (int i = 4; i < argc && fact_count < MOST_FACTS; i++)
        facts[fact_count++] = argv[i];
    run(argv[2], argv[3]);
    return 0;
}
