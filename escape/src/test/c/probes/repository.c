/* Files of a workspace that somebody else starts later: hooks, agent, editor and shell configuration. Whether an
 * act got through is seen on the host, at the path named as its trace. */
#include "probe.h"

#include <linux/fs.h>

static const char *in(const char *name) { return in_workspace(name); }

static int write_free(void) { return act_write(in("free/work.txt"), O_CREAT, 0644); }
static int append_source(void) { return act_write(in("src/main.py"), O_APPEND, 0); }
static int rename_free(void) {
    act_write(in("free/old"), O_CREAT, 0600);
    return answer(rename(in("free/old"), in("free/new")));
}
static int make_folder(void) {
    rmdir(in("free/folder"));
    return answer(mkdir(in("free/folder"), 0755));
}
static int write_object(void) { return act_write(in(".git/objects/probe-object"), O_CREAT, 0644); }

static int create(const char *name) { return act_write(in(name), O_CREAT | O_EXCL, 0755); }
static int append(const char *name) { return act_write(in(name), O_APPEND, 0); }
static int create_in(const char *folder, const char *name) {
    if (mkdir(in(folder), 0755) < 0 && errno != EEXIST)
        return errno;
    return create(name);
}
static int replace(const char *name) {
    act_write(in("free/evil"), O_CREAT, 0755);
    return answer(rename(in("free/evil"), in(name)));
}

static int hook_create(void) { return create(".git/hooks/post-checkout"); }
static int hook_append(void) { return append(".git/hooks/pre-commit"); }
static int hook_truncate(void) { return answer(truncate(in(".git/hooks/pre-commit"), 0)); }
static int hook_unlink(void) { return answer(unlink(in(".git/hooks/pre-commit"))); }
static int hook_mode(void) { return answer(chmod(in(".git/hooks/pre-commit"), 0700)); }
static int hook_rename_over(void) { return replace(".git/hooks/pre-commit"); }
static int hook_symlink(void) { return answer(symlink("../../free/plain", in(".git/hooks/post-merge"))); }
static int hook_hard_link(void) { return answer(link(in("free/plain"), in(".git/hooks/post-rewrite"))); }
static int hook_mknod(void) { return answer(mknod(in(".git/hooks/post-commit"), S_IFREG | 0755, 0)); }
static int hook_exchange(void) {
    act_write(in("free/evil"), O_CREAT, 0755);
    return answer(renameat2(AT_FDCWD, in("free/evil"), AT_FDCWD, in(".git/hooks/pre-commit"), RENAME_EXCHANGE));
}
static int hook_by_link(void) {
    unlink(in("free/hook-link"));
    if (symlink("../.git/hooks/pre-commit", in("free/hook-link")) < 0)
        return errno;
    return act_write(in("free/hook-link"), O_APPEND, 0);
}
static int hook_alias(void) {
    unlink(in("free/hook-alias"));
    if (link(in(".git/hooks/pre-commit"), in("free/hook-alias")) < 0)
        return errno;
    return act_write(in("free/hook-alias"), O_APPEND, 0);
}
static int git_rename(void) {
    if (rename(in(".git"), in("free/git")) < 0)
        return errno;
    int problem = act_write(in("free/git/hooks/pre-commit"), O_APPEND, 0);
    rename(in("free/git"), in(".git"));
    return problem;
}
static int git_exchange(void) {
    mkdir(in("free/evil-git"), 0755);
    return answer(renameat2(AT_FDCWD, in("free/evil-git"), AT_FDCWD, in(".git"), RENAME_EXCHANGE));
}
static int hooks_rename(void) { return answer(rename(in(".git/hooks"), in(".git/hooks.old"))); }
static int hooks_exchange(void) {
    mkdir(in("free/hooks.new"), 0755);
    return answer(renameat2(AT_FDCWD, in("free/hooks.new"), AT_FDCWD, in(".git/hooks"), RENAME_EXCHANGE));
}
static int config_append(void) { return append(".git/config"); }
static int config_replace(void) { return replace(".git/config"); }
static int config_lock(void) {
    int problem = create(".git/config.lock");
    if (problem)
        return problem;
    problem = answer(rename(in(".git/config.lock"), in(".git/config")));
    unlink(in(".git/config.lock"));
    return problem;
}
static int worktree_config(void) { return create(".git/config.worktree"); }
static int info_attributes(void) { return create(".git/info/attributes"); }
static int nested_hook(void) { return create("vendor/lib/.git/hooks/pre-commit"); }
static int nested_config(void) { return append("vendor/lib/.git/config"); }
static int module_hook(void) { return create(".git/modules/sub/hooks/post-checkout"); }
static int workspace_rename(void) { return answer(rename(fact("workspace"), below(fact("workspace"), "../moved"))); }
static int tasks_present(void) { return append(".vscode/tasks.json"); }
static int tasks_exchange(void) { return replace(".vscode/tasks.json"); }
static int idea_absent(void) { return create_in(".idea", ".idea/workspace.xml"); }
static int cursor_absent(void) { return create_in(".cursor", ".cursor/mcp.json"); }
static int claude_present(void) { return append(".claude/settings.json"); }
static int claude_new_file(void) { return create(".claude/settings.local.json"); }
static int claude_rename(void) { return answer(rename(in(".claude"), in("free/claude"))); }
static int mcp_absent(void) { return create(".mcp.json"); }
static int mcp_link(void) { return answer(symlink("free/plain", in(".mcp.json"))); }
static int envrc_absent(void) { return create(".envrc"); }
static int envrc_rename(void) { return replace(".envrc"); }
static int gitmodules_absent(void) { return create(".gitmodules"); }
static int hook_sample(void) { return append(".git/hooks/pre-commit.sample"); }
static int xattr_hook(void) {
    return reached(syscall(SYS_setxattr, in(".git/hooks/pre-commit"), "user.probe", "x", 1L, 0), EOPNOTSUPP);
}
static int times_hook(void) { return answer(utimensat(AT_FDCWD, in(".git/hooks/pre-commit"), NULL, 0)); }
static int rmdir_hooks(void) {
    static const char *const names[] = {".git/hooks/pre-commit", ".git/hooks/pre-commit.sample"};
    for (int i = 0; i < 2; i++)
        unlink(in(names[i]));
    return answer(rmdir(in(".git/hooks")));
}

#define FREE "write a file in the workspace", write_free
#define SOURCE "append to a source file", append_source
#define RENAME "rename within the workspace", rename_free
#define FOLDER "make a folder in the workspace", make_folder
#define OBJECT "write below .git/objects", write_object
#define HOOK ".git/hooks/pre-commit"
const struct probe repository_probes[] = {
    {"B108-hook-create", "I9", "add a hook", OBJECT, "create .git/hooks/post-checkout", hook_create, ".git/hooks/post-checkout"},
    {"hook-append", "I9", "change a hook", SOURCE, "append to the pre-commit hook", hook_append, HOOK},
    {"B108-hook-truncate", "I9", "empty a hook", SOURCE, "truncate the hook", hook_truncate, HOOK},
    {"hook-unlink", "I9", "remove a hook", RENAME, "unlink the hook", hook_unlink, HOOK},
    {"B127-hook-mode", "I9", "change a hook's mode", FREE, "chmod the hook", hook_mode, HOOK},
    {"B127-hook-xattr", "I9", "set an attribute on a hook", FREE, "setxattr on the hook", xattr_hook, HOOK},
    {"B127-hook-times", "I9", "change a hook's times", FREE, "utimensat on the hook", times_hook, HOOK},
    {"B108-hook-rename-over", "I9", "rename a file over a hook", RENAME, "rename onto the hook", hook_rename_over, HOOK},
    {"B108-hook-exchange", "I9", "exchange a file with a hook", RENAME, "renameat2 RENAME_EXCHANGE", hook_exchange, HOOK},
    {"B108-hook-symlink", "I9", "add a hook as a symbolic link", FREE, "symlink in .git/hooks", hook_symlink, ".git/hooks/post-merge"},
    {"B108-hook-hard-link", "I9", "add a hook as a hard link", FREE, "link in .git/hooks", hook_hard_link, ".git/hooks/post-rewrite"},
    {"B108-hook-mknod", "I9", "add a hook by mknod", FREE, "mknod in .git/hooks", hook_mknod, ".git/hooks/post-commit"},
    {"hook-through-link", "I9", "write a hook through a link elsewhere", FREE, "open a link to the hook", hook_by_link, HOOK},
    {"hook-alias", "I9", "write a hook by a second name", FREE, "hard link the hook and append", hook_alias, HOOK},
    {"git-folder-rename", "I9", "move .git aside and write there", RENAME, "rename .git, append to the hook", git_rename, HOOK},
    {"git-folder-exchange", "I9", "exchange .git with another folder", RENAME, "RENAME_EXCHANGE of .git", git_exchange, HOOK},
    {"B108-hooks-folder-rename", "I9", "move the hooks folder", RENAME, "rename .git/hooks", hooks_rename, HOOK},
    {"hooks-folder-exchange", "I9", "exchange the hooks folder", RENAME, "RENAME_EXCHANGE of .git/hooks", hooks_exchange, HOOK},
    {"hooks-folder-remove", "I9", "remove the hooks folder", FOLDER, "rmdir .git/hooks", rmdir_hooks, HOOK},
    {"hook-sample", "I9", "change a sample hook", SOURCE, "append to pre-commit.sample", hook_sample, ".git/hooks/pre-commit.sample"},
    {"B110-git-config-append", "I9", "set core.fsmonitor", OBJECT, "append to .git/config", config_append, ".git/config"},
    {"git-config-replace", "I9", "replace the configuration", RENAME, "rename over .git/config", config_replace, ".git/config"},
    {"git-config-lock", "I9", "replace the configuration as git does", RENAME, "rename config.lock over config", config_lock,
     ".git/config"},
    {"git-worktree-config", "I9", "add a configuration for the worktree", OBJECT, "create .git/config.worktree", worktree_config,
     ".git/config.worktree"},
    {"B110-git-attributes", "I9", "bind a filter by attributes", OBJECT, "create .git/info/attributes", info_attributes,
     "?.git/info/attributes"},
    {"nested-repository-hook", "I9", "add a hook to a repository below", FREE, "create vendor/lib/.git/hooks/pre-commit", nested_hook,
     "vendor/lib/.git/hooks/pre-commit"},
    {"nested-repository-config", "I9", "change the configuration of a repository below", FREE, "append to vendor/lib/.git/config",
     nested_config, "vendor/lib/.git/config"},
    {"submodule-hook", "I9", "add a hook to a submodule", FREE, "create .git/modules/sub/hooks/post-checkout", module_hook,
     ".git/modules/sub/hooks/post-checkout"},
    {"workspace-rename", "I9", "move the workspace itself", RENAME, "rename the workspace", workspace_rename, "data.csv"},
    {"editor-tasks-present", "I9", "change the editor's tasks", SOURCE, "append to .vscode/tasks.json", tasks_present,
     ".vscode/tasks.json"},
    {"editor-tasks-replace", "I9", "replace the editor's tasks", RENAME, "rename over .vscode/tasks.json", tasks_exchange,
     ".vscode/tasks.json"},
    {"B114-idea-absent", "I9", "add an editor's folder", FOLDER, "create .idea/workspace.xml", idea_absent, ".idea"},
    {"B114-cursor-absent", "I9", "add another editor's folder", FOLDER, "create .cursor/mcp.json", cursor_absent, ".cursor"},
    {"agent-settings-present", "I9", "change an agent's settings", SOURCE, "append to .claude/settings.json", claude_present,
     ".claude/settings.json"},
    {"agent-settings-new-file", "I9", "add settings beside them", FREE, "create .claude/settings.local.json", claude_new_file,
     ".claude/settings.local.json"},
    {"agent-folder-rename", "I9", "move the agent's folder", RENAME, "rename .claude", claude_rename, ".claude/settings.json"},
    {"mcp-file-absent", "I9", "add an MCP server", FREE, "create .mcp.json", mcp_absent, ".mcp.json"},
    {"mcp-file-link", "I9", "add an MCP server by a link", FREE, "symlink .mcp.json", mcp_link, ".mcp.json"},
    {"envrc-absent", "I9", "add a shell environment", FREE, "create .envrc", envrc_absent, ".envrc"},
    {"envrc-rename", "I9", "rename a file to .envrc", RENAME, "rename to .envrc", envrc_rename, ".envrc"},
    {"gitmodules-absent", "I9", "point a submodule elsewhere", FREE, "create .gitmodules", gitmodules_absent, "?.gitmodules"},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
