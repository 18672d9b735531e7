/* Reading what the supervisor asks for. The supervisor is trusted, its bytes are still bounded. */
#include "cage.h"

#include <errno.h>

static void read_limits(struct limits *l, struct payload *p) {
    l->processes = take_u64(p);
    l->open_files = take_u64(p);
    l->file_size = take_u64(p);
    l->data = take_u64(p);
    l->scratch = take_u64(p);
}

static void read_entry(struct entry *e, struct payload *p) {
    e->kind = take_u32(p);
    e->flags = take_u32(p);
    e->device = take_u64(p);
    e->inode = take_u64(p);
    e->size = take_u64(p);
    e->disk_uid = take_u32(p);
    e->disk_gid = take_u32(p);
    e->target = take_text(p, NULL);
    e->source = take_text(p, &e->source_size);
    if (e->target[0] != '/') {
        errno = EINVAL;
        die("request", "target(%s)", e->target);
    }
}

void read_cage(struct cage *c) {
    struct payload *p = &c->payload;
    c->uid = take_u32(p);
    c->gid = take_u32(p);
    c->net_cell = take_u32(p) != 0;
    c->hostname = take_text(p, NULL);
    read_limits(&c->limits, p);
    c->entries = take_u32(p);
    if (c->entries > MAX_ENTRIES) {
        errno = E2BIG;
        die("request", "file tree of %u entries, at most %d", c->entries, MAX_ENTRIES);
    }
    for (uint32_t i = 0; i < c->entries; i++) {
        read_entry(&c->entry[i], p);
        c->source_fd[i] = -1;
    }
    c->exec_named = take_u32(p) != 0;
    c->exec_paths = take_u32(p);
    c->exec_list = p->at;
}
