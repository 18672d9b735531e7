/* What one cage is made from, and the steps that make it. Each step takes something away; the order is
 * in cage.c. */
#ifndef CAGEWRIGHT_CAGE_H
#define CAGEWRIGHT_CAGE_H

#include "wire.h"
#include <stdbool.h>
#include <sys/types.h>

enum entry_kind {
    ENTRY_DIRECTORY = 1,      /* target */
    ENTRY_LINK = 2,           /* target, source: the link's text */
    ENTRY_FILE = 3,           /* target, source: the content */
    ENTRY_BIND = 4,           /* target, source: a path of the host */
    ENTRY_SCRATCH = 5,        /* target, size: permissions; private and writable */
    ENTRY_TMPFS = 6,          /* target, size */
    ENTRY_REPLACE = 7,        /* target, source: content that covers an existing file */
    ENTRY_HIDE = 8,           /* target: covered when it exists */
    ENTRY_MASK_READ_ONLY = 9, /* target */
    ENTRY_MASK_HIDDEN = 10,   /* target */
    ENTRY_PIN = 11,           /* target: a directory that stays where it is */
    ENTRY_PROC = 12,          /* target */
    ENTRY_TERMINALS = 13,     /* target: devpts */
    ENTRY_LAYERS = 14,        /* source: a folder of the host that holds upper and work; for the next entry */
    ENTRY_OVERLAY = 15,       /* target, source: a directory of the host that nothing is written to */
    ENTRY_MASK_LINK = 16      /* target: a file, source: the text of a link that stands in its place */
};

enum entry_flag {
    FLAG_WRITABLE = 1,
    FLAG_DEVICE = 2,   /* keeps device nodes usable */
    FLAG_OPTIONAL = 4, /* an absent source or target is no failure */
    FLAG_IDMAP = 8     /* the owner on disk becomes the cage's user */
};

struct entry {
    uint32_t kind;
    uint32_t flags;
    uint64_t device; /* with inode: which object must stand at source; 0 for any */
    uint64_t inode;
    uint64_t size;
    uint32_t disk_uid;
    uint32_t disk_gid;
    const char *target;
    const char *source;
    uint32_t source_size;
};

struct limits {
    uint64_t processes;
    uint64_t open_files;
    uint64_t file_size;
    uint64_t data;
    uint64_t scratch;
};

struct cage {
    struct payload payload;
    uid_t uid;
    gid_t gid;
    bool by_root;    /* the spawn server has real root: it opens, maps and idmaps */
    bool grounded;   /* its user is known from the beginning, so the ground of its file tree is laid */
    bool net_cell;
    bool exec_named; /* only the named paths may be executed */
    struct limits limits;
    const char *hostname;
    uint32_t entries;
    uint32_t exec_paths;
    const char *exec_list; /* that many texts in the payload */
    int control;
    int group_fds[MAX_PASSED];
    int groups;
    uint32_t ready; /* bits of enum ready */
    struct passed net; /* of a net cell; behind it, for a cage with masks, its user and its mount namespace */
    int mounts;        /* its own list of mounts, urgent when that has changed, proc_pid_mountinfo(5); or -1 */
    /* The first `entries` of these are in use; the rest is never touched, so that it costs nothing. */
    struct entry entry[MAX_ENTRIES];
    int source_fd[MAX_ENTRIES]; /* a detached mount for each entry whose source is of the host, else -1 */
};

/* request.c: fills the cage from its payload. */
void read_cage(struct cage *c);

/* probe.c: says what this host can do, see there; instead of serving. */
int probe_main(void);

/* The spawn server keeps some descriptors from one request to the next, at numbers of their own; whatever is
 * above belongs to one request. */
enum {
    IDMAPS = 4,
    SEAMS = 32,
    FIRST_IDMAP = CONTROL_FD + 1,
    FIRST_SEAM = FIRST_IDMAP + IDMAPS,
    FIRST_LOOSE = FIRST_SEAM + SEAMS
};

/* blank.c: what a first process does before anybody knows which cage it will be; returns with the cage read.
 * `seam` is its line to the spawn server. */
void wait_as_blank(struct cage *c, int seam);
/* The server opens them while the cage does what needs none. */
void take_sources(struct cage *c);
/* The server's ends. */
void pass_on_identity(int seam);
void pass_on_payload(int seam, int payload);
void pass_on_sources(const struct cage *c, int seam);

/* identity.c */
void write_maps(pid_t child, uid_t inside_uid, uid_t outside_uid, gid_t inside_gid, gid_t outside_gid);
/* Kept for the next that needs the same; stays the server's. */
int idmap_namespace(const struct entry *e, const struct cage *c);
void take_identity(const struct cage *c);

/* sources.c */
void open_sources(struct cage *c);

/* overlay.c: a detached mount in which `lower` can be changed, and what changes is in `layers`; both are used
 * up. `stage` is a directory to put them in meanwhile. */
int overlay_of(int stage, uint32_t number, int lower, int layers);

/* tree.c: covers what the sources are opened from, then attaches them. The ground can be laid ahead where the sources
 * come from the server: after that nothing of the host is seen. */
void lay_ground(void);
void stage_tree(const struct cage *c);
void build_tree(struct cage *c);
void enter_tree(const struct cage *c);
/* What stands at `path` in the cage, its last link followed or not; -1 when nothing does. */
int find(const char *path, uint64_t flags, uint64_t resolve);
/* The file at `path`, for reading; -1 when there is none. */
int look_into(const char *path);
void add(struct cage *c, uint32_t i);
/* For somebody who has come into a cage that stands. To add() masks there takes what lies over its terminals
 * meanwhile. */
void return_to_tree(void);
void lay_out_covers(void);
void take_away_covers(void);

/* cover.c: for a cage with masks, how it hears of what the host uncovers and how others come back. */
void open_own_doors(struct cage *c);
/* In a child of the spawn server: payload, user namespace, mount namespace; answers DONE, or FAILED. */
_Noreturn void cover_again(struct cage *c, const struct passed *passed);

/* network.c */
void raise_loopback(const struct cage *c);
void open_net_cell(struct cage *c);

/* privileges.c */
void join_control_groups(const struct cage *c);
void volunteer_for_the_oom_killer(void);
void name_the_machine(const struct cage *c);
void bound_capabilities(void);
void drop_capabilities(void);
void bind_to_supervisor(const struct cage *c);
void set_limits(const struct cage *c);

/* landlock.c, seccomp.c */
void landlock_everything_else(struct cage *c);
/* What the process becomes can signal, trace or reach by an abstract socket nobody but its own descendants. An older
 * kernel knows nothing of it, which is no failure. */
int keep_to_itself(void);
void filter_what_no_cage_needs(void);
void filter_system_calls(const struct cage *c);

/* act.c: does what the payload says, and ends */
void act_on_file(struct payload *p);

/* init.c */
_Noreturn void serve_programs(const struct cage *c);

#endif
