#ifndef STOPPER_H
#define STOPPER_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

enum { STEP_SIZE = 400 };

/* Who plays in a run; 0 while not there yet. A number stays when its process is gone. */
struct cast {
    pid_t supervisor;
    pid_t helper;
    pid_t init;
};

/* Reports from now on; returns the descriptor of the reports, or -1. */
int install_filter(void);

/* "helper mount /proc": false for a process that has no part in the cast. Learns who helper and init are. */
bool name_step(const struct seccomp_notif *n, struct cast *cast, char name[STEP_SIZE]);

/* The how many-th step of that name this is, from 1. */
int count_step(const char *name);

/* A line for each process that still has the filter; each is killed. */
void list_survivors(FILE *report, int listener);

#endif
