/* Programs that a whole story needs: they last, fill, flood, or leave something behind. Usage in story(). */
#include "probe.h"

#include <poll.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>

enum { MEBIBYTE = 1 << 20, SESSION_KEY = 0x43571234, LOOKS_FOR_ZOMBIES = 100 };

static void last_forever(void) {
    for (;;)
        pause();
}
static void touch(const char *path) { close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0644)); }

/* Starts one more process that lasts, made to outlive its parent in the way named by `kind`. */
static void linger_as(int kind) {
    pid_t pid = fork();
    if (pid != 0)
        return;
    if (kind >= 1)
        setsid();
    if (kind == 2 && fork() != 0)
        _exit(0);
    if (kind == 3)
        for (int number = 1; number < NSIG; number++)
            signal(number, SIG_IGN);
    if (kind != 4) {
        /* All but one let go of the pipes. */
        int null = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3; i++)
            dup2(null, i);
    }
    last_forever();
}
static int linger(const char *started) {
    for (int kind = 0; kind < 5; kind++)
        linger_as(kind);
    usleep(50000);
    touch(started);
    return 0;
}
static int hold(const char *started, const char *go) {
    struct stat found;
    touch(started);
    while (stat(go, &found) < 0)
        usleep(5000);
    return 0;
}
static int ignore_everything(const char *started) {
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_IGN);
    linger_as(3);
    linger_as(4);
    touch(started);
    last_forever();
    return 0;
}
static int fork_bomb(void) {
    int count = 0;
    for (; count < 100000; count++) {
        pid_t pid = fork();
        if (pid == 0)
            last_forever();
        if (pid < 0)
            break;
    }
    printf("forks %d %s\n", count, strerrorname_np(errno));
    return 0;
}
static int use_memory(int mebibytes) {
    for (int i = 0; i < mebibytes; i++) {
        char *block = mmap(NULL, MEBIBYTE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) {
            printf("memory %d %s\n", i, strerrorname_np(errno));
            return 0;
        }
        memset(block, 'x', MEBIBYTE);
    }
    printf("memory %d unbounded\n", mebibytes);
    return 0;
}
static int use_descriptors(void) {
    int count = 0;
    while (count < 2000000 && dup(0) >= 0)
        count++;
    printf("descriptors %d %s\n", count, strerrorname_np(errno));
    return 0;
}
static int fill(const char *path, int mebibytes) {
    static char block[MEBIBYTE];
    int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    memset(block, 'x', sizeof block);
    for (int i = 0; i < mebibytes; i++)
        if (write(file, block, sizeof block) != (long)sizeof block) {
            printf("filled %d %s\n", i, strerrorname_np(errno));
            return 0;
        }
    printf("filled %d unbounded\n", mebibytes);
    return 0;
}
static int flood(int mebibytes, int code) {
    static char line[1024];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (int i = 0; i < mebibytes * 1024; i++)
        for (int end = 1; end <= 2; end++)
            for (size_t put = 0; put < sizeof line;) {
                long n = write(end, line + put, sizeof line - put);
                if (n < 0)
                    return 99;
                put += (size_t)n;
            }
    return code;
}
static int count_zombies(int most) {
    int zombies = 0;
    for (int pid = 2; pid < most; pid++) {
        char path[64], line[256] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *file = fopen(path, "r");
        char *state = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
        zombies += state && state[2] == 'Z';
        if (file)
            fclose(file);
    }
    return zombies;
}
/* Whoever reaps them may have to wait for a processor; who is never reaped is there at the last look, too. */
static int orphans(int count) {
    for (int i = 0; i < count; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            if (fork() == 0)
                _exit(0);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    int looks = 0;
    int zombies;
    do {
        usleep(200000);
        zombies = count_zombies(3 * count);
    } while (zombies > 0 && ++looks < LOOKS_FOR_ZOMBIES);
    printf("zombies %d\n", zombies);
    return 0;
}
static int kill_all(void) {
    kill(-1, SIGKILL);
    usleep(100000);
    return 0;
}
static int abstract_end(int is_server) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path + 1, "probe-session", 13);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 14);
    int end = socket(AF_UNIX, SOCK_STREAM, 0);
    if (is_server)
        return bind(end, (struct sockaddr *)&address, size) == 0 ? listen(end, 1) : -1;
    return connect(end, (struct sockaddr *)&address, size);
}
static const char *home_file(void) { return below(getenv("HOME") ? getenv("HOME") : "/", "session-canary"); }

/* Leaves something in every place that a later session might share. */
static int plant(const char *started, const char *go) {
    touch("/tmp/session-canary");
    touch("/dev/shm/session-canary");
    touch(home_file());
    int queue = msgget(SESSION_KEY, IPC_CREAT | 0666);
    int memory = shmget(SESSION_KEY, 4096, IPC_CREAT | 0666);
    int server = abstract_end(1);
    printf("planted %d\n", queue >= 0 && memory >= 0 && server == 0);
    fflush(stdout);
    return hold(started, go);
}
static int look(void) {
    struct stat found;
    printf("tmp %d\n", stat("/tmp/session-canary", &found) == 0);
    printf("shm %d\n", stat("/dev/shm/session-canary", &found) == 0);
    printf("home %d\n", stat(home_file(), &found) == 0);
    printf("queue %d\n", msgget(SESSION_KEY, 0) >= 0);
    printf("memory %d\n", shmget(SESSION_KEY, 0, 0) >= 0);
    printf("abstract %d\n", abstract_end(0) == 0);
    return 0;
}
/* Ends what plant() and look() left in a place without a cage. */
static int sweep(void) {
    unlink("/tmp/session-canary");
    unlink("/dev/shm/session-canary");
    unlink(home_file());
    msgctl(msgget(SESSION_KEY, 0), IPC_RMID, NULL);
    shmctl(shmget(SESSION_KEY, 0, 0), IPC_RMID, NULL);
    return 0;
}
static int spoil_terminal(void) {
    struct termios mode;
    if (tcgetattr(0, &mode) < 0)
        return 3;
    cfmakeraw(&mode);
    mode.c_cc[VINTR] = 'x';
    tcsetattr(0, TCSANOW, &mode);
    if (write(1, "\033[?1049h\033[?2004h", 16) < 0)
        return 4;
    raise(SIGKILL);
    return 5;
}
static int say_signal(const char *started) {
    sigset_t all;
    int number;
    sigemptyset(&all);
    sigaddset(&all, SIGINT);
    sigaddset(&all, SIGTERM);
    sigprocmask(SIG_BLOCK, &all, NULL);
    touch(started);
    sigwait(&all, &number);
    return number == SIGTERM ? 7 : 8;
}
static int write_to(const char *path, const char *text) {
    int file = open(path, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0755);
    if (file < 0 || dprintf(file, "%s\n", text) < 0) {
        printf("write %s\n", strerrorname_np(errno));
        return 1;
    }
    printf("write ok\n");
    return 0;
}
static int make_folder(const char *path) {
    int failed = mkdir(path, 0755) < 0 && errno != EEXIST;
    printf("mkdir %s\n", failed ? strerrorname_np(errno) : "ok");
    return failed;
}
static int call_unix(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int failed = connect(end, (struct sockaddr *)&address, sizeof address) < 0;
    printf("connect %s\n", failed ? strerrorname_np(errno) : "ok");
    return failed;
}

int story(int argc, char **argv) {
    const char *name = argv[0];
    const char *first = argc > 1 ? argv[1] : "";
    const char *second = argc > 2 ? argv[2] : "";
    if (strcmp(name, "linger") == 0)
        return linger(first);
    if (strcmp(name, "hold") == 0)
        return hold(first, second);
    if (strcmp(name, "ignore") == 0)
        return ignore_everything(first);
    if (strcmp(name, "forks") == 0)
        return fork_bomb();
    if (strcmp(name, "memory") == 0)
        return use_memory(atoi(first));
    if (strcmp(name, "descriptors") == 0)
        return use_descriptors();
    if (strcmp(name, "fill") == 0)
        return fill(first, atoi(second));
    if (strcmp(name, "flood") == 0)
        return flood(atoi(first), atoi(second));
    if (strcmp(name, "orphans") == 0)
        return orphans(atoi(first));
    if (strcmp(name, "kill-all") == 0)
        return kill_all();
    if (strcmp(name, "plant") == 0)
        return plant(first, second);
    if (strcmp(name, "look") == 0)
        return look();
    if (strcmp(name, "sweep") == 0)
        return sweep();
    if (strcmp(name, "spoil-terminal") == 0)
        return spoil_terminal();
    if (strcmp(name, "say-signal") == 0)
        return say_signal(first);
    if (strcmp(name, "write") == 0)
        return write_to(first, second);
    if (strcmp(name, "hold-write") == 0 && argc > 3)
        return hold(first, second) || write_to(argv[3], "# from the cage");
    if (strcmp(name, "mkdir") == 0)
        return make_folder(first);
    if (strcmp(name, "call") == 0)
        return call_unix(first);
    fprintf(stderr, "probe: no story %s\n", name);
    return 2;
}
