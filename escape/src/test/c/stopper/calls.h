#ifndef CALLS_H
#define CALLS_H

/* What of a call's arguments names the thing it acts on. */
enum operand { NONE, PATH, THIRD_PATH, FOURTH_PATH, FILE_NUMBER };

/* first: what the first argument is; second: what the second is, or which later one is a path. */
struct call {
    long number;
    const char *name;
    enum operand first;
    enum operand second;
};

extern const struct call calls[];
extern const int call_count;

#endif
