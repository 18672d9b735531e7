/* Starting programs in a cage whose policy names this program, true and find, and no other. */
#include "probe.h"

#include <sys/mman.h>
#include <sys/sendfile.h>

/* Forks, runs `start` and answers its errno, or 0 when a program really began. */
static int began(void (*start)(void)) {
    int ends[2];
    int problem = 0;
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 1);
        dup2(null, 2);
        start();
        problem = errno;
        _exit(write(ends[1], &problem, sizeof problem) < 0 ? 1 : 0);
    }
    close(ends[1]);
    if (read(ends[0], &problem, sizeof problem) <= 0)
        problem = 0;
    close(ends[0]);
    waitpid(pid, NULL, 0);
    return problem;
}
static void run(const char *path, const char *first, const char *second) {
    char *arguments[] = {(char *)(uintptr_t)path, (char *)(uintptr_t)first, (char *)(uintptr_t)second, NULL};
    char *environment[] = {NULL};
    execve(path, arguments, environment);
}
static int copy_to(const char *from, int to) {
    struct stat found;
    int file = open(from, O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &found) < 0)
        return errno;
    for (off_t left = found.st_size; left > 0;) {
        ssize_t moved = sendfile(to, file, NULL, (size_t)left);
        if (moved <= 0)
            return EIO;
        left -= moved;
    }
    close(file);
    return 0;
}
static void run_copy(const char *from, const char *to) {
    unlink(to);
    int file = open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0700);
    if (file < 0 || copy_to(from, file) != 0)
        return;
    close(file);
    run(to, NULL, NULL);
}

static void start_true(void) { run("/usr/bin/true", NULL, NULL); }
static void start_id(void) { run("/usr/bin/id", NULL, NULL); }
static void start_shell(void) { run("/bin/sh", "-c", ":"); }
static void start_copy(void) { run_copy("/usr/bin/id", in_workspace("free/id-copy")); }
static void start_copy_in_tmp(void) { run_copy("/usr/bin/id", "/tmp/id-copy"); }
static void start_copy_in_shm(void) { run_copy("/usr/bin/id", "/dev/shm/id-copy"); }
static void start_renamed(void) { run_copy("/bin/sh", in_workspace("free/true")); }
static void start_own_copy(void) { run_copy("/proc/self/exe", in_workspace("free/own-copy")); }
static void start_link(void) {
    unlink(in_workspace("free/find"));
    if (symlink("/usr/bin/id", in_workspace("free/find")) == 0)
        run(in_workspace("free/find"), NULL, NULL);
}
static void start_script(void) {
    static const char text[] = "#!/bin/sh\n:\n";
    int file = open(in_workspace("free/script.sh"), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0700);
    long put = write(file, text, sizeof text - 1);
    close(file);
    if (put > 0)
        run(in_workspace("free/script.sh"), NULL, NULL);
}
static void start_script_of_allowed(void) {
    static const char text[] = "#!/usr/bin/true\n";
    int file = open(in_workspace("free/script.true"), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0700);
    long put = write(file, text, sizeof text - 1);
    close(file);
    if (put > 0)
        run(in_workspace("free/script.true"), NULL, NULL);
}
static void start_memory(void) {
    char *arguments[] = {(char *)(uintptr_t) "id", NULL};
    char *environment[] = {NULL};
    int file = memfd_create("id", 0);
    if (file >= 0 && copy_to("/usr/bin/id", file) == 0)
        syscall(SYS_execveat, file, "", arguments, environment, AT_EMPTY_PATH);
}
static void start_descriptor(void) {
    char *arguments[] = {(char *)(uintptr_t) "id", NULL};
    char *environment[] = {NULL};
    int file = open("/usr/bin/id", O_PATH | O_CLOEXEC);
    if (file >= 0)
        syscall(SYS_execveat, file, "", arguments, environment, AT_EMPTY_PATH);
}
static void start_by_proc(void) { run("/proc/self/root/usr/bin/id", NULL, NULL); }
static void start_interpreter(void) { run("/usr/bin/python3", "-c", ""); }
static void start_perl(void) { run("/usr/bin/perl", "-e", ""); }

static int true_begins(void) { return began(start_true); }
static int id_begins(void) { return began(start_id); }
static int shell_begins(void) { return began(start_shell); }
static int copy_begins(void) { return began(start_copy); }
static int tmp_copy_begins(void) { return began(start_copy_in_tmp); }
static int shm_copy_begins(void) { return began(start_copy_in_shm); }
static int renamed_begins(void) { return began(start_renamed); }
static int own_copy_begins(void) { return began(start_own_copy); }
static int link_begins(void) { return began(start_link); }
static int script_begins(void) { return began(start_script); }
static int allowed_script_begins(void) { return began(start_script_of_allowed); }
static int memory_begins(void) { return began(start_memory); }
static int descriptor_begins(void) { return began(start_descriptor); }
static int proc_begins(void) { return began(start_by_proc); }
static int interpreter_begins(void) { return began(start_interpreter); }
static int perl_begins(void) { return began(start_perl); }

static int find_in_workspace(const char *program) {
    char *arguments[] = {(char *)(uintptr_t) "find", (char *)(uintptr_t)in_workspace("data.csv"), (char *)(uintptr_t) "-exec",
                         (char *)(uintptr_t)program, (char *)(uintptr_t)in_workspace("free/found"), (char *)(uintptr_t) ";", NULL};
    char *environment[] = {NULL};
    if (!program)
        arguments[2] = NULL;
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 1);
        dup2(null, 2);
        execve("/usr/bin/find", arguments, environment);
        _exit(127);
    }
    int status;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
}
static int find_works(void) { return find_in_workspace(NULL); }
static int find_starts_another(void) {
    struct stat found;
    unlink(in_workspace("free/found"));
    find_in_workspace("/usr/bin/touch");
    return stat(in_workspace("free/found"), &found) < 0 ? errno : 0;
}

#define TRUE "start /usr/bin/true", true_begins
const struct probe exec_probes[] = {
    {"exec-other", "I10", "start a program that the policy does not name", TRUE, "execve /usr/bin/id", id_begins, NULL},
    {"exec-shell", "I10", "start a shell", TRUE, "execve /bin/sh", shell_begins, NULL},
    {"exec-python", "I10", "start an interpreter", TRUE, "execve /usr/bin/python3", interpreter_begins, NULL},
    {"exec-perl", "I10", "start another interpreter", TRUE, "execve /usr/bin/perl", perl_begins, NULL},
    {"exec-copy", "I10", "start a copy in the workspace", TRUE, "copy id and execve", copy_begins, NULL},
    {"exec-copy-in-tmp", "I10", "start a copy in /tmp", TRUE, "copy id to /tmp and execve", tmp_copy_begins, NULL},
    {"exec-copy-in-shm", "I10", "start a copy in /dev/shm", TRUE, "copy id to /dev/shm and execve", shm_copy_begins, NULL},
    {"B170-exec-renamed", "I10", "start a shell that is called true", TRUE, "copy sh to ./true and execve", renamed_begins, NULL},
    {"exec-own-copy", "I10", "drop a program of its own", TRUE, "copy the own file and execve", own_copy_begins, NULL},
    {"B174-exec-link", "I10", "start a program through an allowed name", TRUE, "link ./find to id and execve", link_begins, NULL},
    {"exec-script", "I10", "start a script by its first line", TRUE, "execve ./script.sh", script_begins, NULL},
    {"exec-script-of-allowed", "I10", "start a script of an allowed interpreter", TRUE, "execve a #!/usr/bin/true file",
     allowed_script_begins, NULL},
    {"exec-memory", "I10", "start a program from memory", TRUE, "memfd_create and execveat", memory_begins, NULL},
    {"exec-descriptor", "I10", "start a program by its descriptor", TRUE, "open O_PATH and execveat", descriptor_begins, NULL},
    {"exec-by-proc", "I10", "start a program by /proc/self/root", TRUE, "execve /proc/self/root/usr/bin/id", proc_begins, NULL},
    {"exec-by-find", "I10", "let an allowed tool start another", "find without -exec", find_works, "find -exec touch",
     find_starts_another, NULL},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
