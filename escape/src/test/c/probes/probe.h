/* What every probe program shares: the form of a probe, facts from the command line, small acts. */
#ifndef CAGEWRIGHT_PROBE_H
#define CAGEWRIGHT_PROBE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* An act: 0 when it got through, else the kernel's errno, or cannot(...). */
typedef int act(void);

struct probe {
    const char *id;
    const char *invariant;
    const char *tries;
    const char *allowed_twin;
    act *allowed;
    const char *denied_twin;
    act *denied;
    /* A path below the workspace that must be the same on the host afterwards, or, after a ?, that the run has at
     * least to tell about when it is not; NULL: the errno decides. */
    const char *trace;
};

extern const struct probe file_probes[], link_probes[], process_probes[], mount_probes[], kernel_probes[],
    privilege_probes[], network_probes[], repository_probes[], ipc_probes[], secret_probes[], exec_probes[];

/* A whole program of its own; answers its exit code. */
int story(int argc, char **argv);

/* The value of `name=value` on the command line; the probe counts as not runnable without it. */
const char *fact(const char *name);
int fact_number(const char *name);

/* Whether this is the control run outside every cage, where a denied twin has to get through. */
int is_outside(void);

/* Says why this host cannot run the act. */
int cannot(const char *reason);

/* `errno` as an act's answer for a system call's `result`. */
int answer(long result);

/* Like answer(), but `also` counts as having passed the gate: the kernel looked at the arguments. */
int reached(long result, int also);

/* `base`/`name` in a buffer that lives until four calls later. */
const char *below(const char *base, const char *name);
const char *in_workspace(const char *name);

int act_read(const char *path);                       /* opens and gets at least one byte */
int act_write(const char *path, int flags, int mode); /* opens for writing and writes one line */
int act_open(const char *path, int flags);            /* only opens */

/* Runs `child` in a forked process and answers what it answered. */
int in_child(act *child);

#endif
