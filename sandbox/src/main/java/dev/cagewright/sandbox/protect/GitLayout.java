package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.protect.Placeholder.Filler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Protects what git on the host would start or obey in repositories of the workspace: hooks wherever they
/// really are, configuration and what it includes, and the files that say where these lie
/// (gitrepository-layout(5)). Reads files; never runs git.
final class GitLayout {
    private static final int REPOSITORY_LIMIT = 500;
    private static final int MODULE_DEPTH = 8;
    private static final int INCLUDE_DEPTH = 5;

    private final PlanDraft draft;
    private final Set<TreePath> done = new HashSet<>();
    private final Set<Path> seenConfigs = new HashSet<>();
    private final Optional<String> personsHooks;

    GitLayout(PlanDraft draft) {
        this.draft = draft;
        this.personsHooks = personsHooks();
    }

    /// The hooks folder that the person's own configuration sets for all repositories.
    private Optional<String> personsHooks() {
        return List.of(
                        draft.home().resolve(".gitconfig"),
                        draft.home().resolve(".config/git/config"),
                        Path.of("/etc/gitconfig"))
                .stream()
                .flatMap(file -> read(file).last("core", "hookspath").stream())
                .findFirst();
    }

    /// Protects the repository whose `.git`, of whatever shape, stands at `dotGit`.
    void protect(TreePath dotGit) {
        var worktree = dotGit.parent();
        switch (Shape.of(dotGit.on(draft.root()))) {
            case DIRECTORY -> protectGitFolder(dotGit, worktree);
            case FILE -> protectPointer(dotGit, worktree);
            case LINK ->
                draft.follow(dotGit).ifPresent(end -> {
                    if (Shape.of(end.on(draft.root())) == Shape.DIRECTORY) {
                        protectGitFolder(end, worktree);
                    }
                });
            case SOCKET, SPECIAL -> draft.protect(dotGit, Mask.Kind.HIDDEN);
            case ABSENT -> {}
        }
    }

    /// A worktree or submodule: a file that says where the folder of git is.
    private void protectPointer(TreePath dotGit, TreePath worktree) {
        draft.repository(dotGit);
        if (draft.isWanted(ProtectionGroup.GIT_CONFIG)) {
            draft.protect(dotGit, Mask.Kind.READ_ONLY);
        }
        var text = text(dotGit.on(draft.root())).strip();
        var named =
                text.startsWith("gitdir:") ? text.substring("gitdir:".length()).strip() : "";
        var inside = named.isEmpty() ? Optional.<TreePath>empty() : worktree.resolve(draft.root(), named);
        inside.flatMap(draft::follow)
                .ifPresentOrElse(
                        folder -> protectGitFolder(folder, worktree), () -> protectLinkedWorktree(dotGit, worktree));
    }

    private void protectLinkedWorktree(TreePath dotGit, TreePath worktree) {
        if (worktree.isTop() && draft.repository().isPresent()) {
            if (draft.isWanted(ProtectionGroup.GIT_HOOKS)) {
                hooksPaths(draft.repository().get()).stream()
                        .flatMap(value -> worktree.resolve(draft.root(), expanded(value)).stream())
                        .forEach(this::holdHooksFolder);
            }
        } else {
            draft.tell(
                    Notice.Kind.REPOSITORY,
                    dotGit,
                    "its git folder lies outside of the workspace, and the cage does not have it: git does not work"
                            + " there");
        }
    }

    /// Every value of `core.hooksPath` that a repository outside of the workspace may have.
    private Set<String> hooksPaths(Path repository) {
        var values = new HashSet<String>();
        personsHooks.ifPresent(values::add);
        var own = read(repository.resolve("config"));
        own.last("core", "hookspath").ifPresent(values::add);
        for (String included : own.includes()) {
            var file = repository.resolve(expanded(included)).normalize();
            TreePath.TOP
                    .resolve(draft.root(), TreePath.latin1Of(file))
                    .ifPresentOrElse(
                            inside -> {
                                if (draft.isWanted(ProtectionGroup.GIT_CONFIG)) {
                                    draft.protect(inside, Mask.Kind.READ_ONLY);
                                }
                                collectHooks(inside, values, /* depth= */ 1);
                            },
                            () -> read(file).last("core", "hookspath").ifPresent(values::add));
        }
        values.remove("");
        return values;
    }

    /// Protects the folder that a repository has for one linked worktree; it is the top.
    void protectWorktreeFolder() {
        draft.repository(TreePath.TOP);
        protectLinked(TreePath.TOP);
        protectModules(TreePath.TOP.child("modules"), 0);
    }

    private void protectGitFolder(TreePath folder, TreePath worktree) {
        if (done.size() >= REPOSITORY_LIMIT) {
            draft.tell(
                    Notice.Kind.BOUND_HIT,
                    TreePath.TOP,
                    "has more than " + REPOSITORY_LIMIT
                            + " git repositories: the others are not protected; use a smaller workspace");
            return;
        }
        if (!done.add(folder)) {
            return;
        }
        draft.repository(folder);
        var shared = sharedFolder(folder);
        if (shared.isPresent()) {
            protectLinked(folder);
            protectGitFolder(shared.get(), worktree);
        } else if (draft.isWanted(ProtectionGroup.GIT_CONFIG)) {
            protectConfig(folder);
        }
        if (draft.isWanted(ProtectionGroup.GIT_HOOKS)) {
            protectHooks(shared.orElse(folder), worktree);
        }
        if (draft.isWanted(ProtectionGroup.SOCKETS)) {
            names(folder).stream()
                    .map(folder::child)
                    .filter(entry -> Shape.of(entry.on(draft.root())) == Shape.SOCKET)
                    .forEach(draft::hide);
        }
        protectWorktrees(folder);
        protectModules(folder.child("modules"), 0);
    }

    /// Where the folder of a linked worktree has its hooks and configuration, if that is in the workspace.
    private Optional<TreePath> sharedFolder(TreePath folder) {
        var named = text(folder.child("commondir").on(draft.root())).strip();
        return named.isEmpty()
                ? Optional.empty()
                : folder.resolve(draft.root(), named).filter(shared -> !shared.equals(folder) && !shared.isTop());
    }

    private void protectLinked(TreePath folder) {
        if (draft.isWanted(ProtectionGroup.GIT_CONFIG)) {
            for (String file : List.of("commondir", "gitdir")) {
                draft.protect(folder.child(file), Mask.Kind.READ_ONLY);
            }
            protectOwnConfig(folder, "config.worktree");
        }
    }

    private void protectConfig(TreePath folder) {
        var group = ProtectionGroup.GIT_CONFIG;
        protectOwnConfig(folder, "config");
        draft.protectOrHoldFree(folder.child("commondir"), Mask.Kind.READ_ONLY, Filler.OWN_DIRECTORY_FILE, group);
        draft.protectOrHoldFree(folder.child("info/attributes"), Mask.Kind.READ_ONLY, Filler.EMPTY_FILE, group);
        protectOwnConfig(folder, "config.worktree");
        protectIncludes(folder.child("config"), 0);
    }

    /// Git on the host heeds the second one as soon as `extensions.worktreeConfig` says so, whoever wrote it.
    private void protectOwnConfig(TreePath folder, String name) {
        var at = folder.child(name);
        draft.protectOrHoldFree(at, Mask.Kind.READ_ONLY, Filler.EMPTY_FILE, ProtectionGroup.GIT_CONFIG);
        draft.config(at);
    }

    private void protectIncludes(TreePath file, int depth) {
        if (depth == INCLUDE_DEPTH) {
            return;
        }
        for (String included : config(file).includes()) {
            file.parent().resolve(draft.root(), expanded(included)).ifPresent(inside -> {
                if (draft.protect(inside, Mask.Kind.READ_ONLY)) {
                    protectIncludes(inside, depth + 1);
                } else {
                    draft.watch(inside);
                }
            });
        }
    }

    private void protectHooks(TreePath folder, TreePath worktree) {
        holdHooksFolder(folder.child("hooks"));
        for (String value : hooksPaths(folder)) {
            worktree.resolve(draft.root(), expanded(value)).ifPresent(this::holdHooksFolder);
        }
    }

    private void holdHooksFolder(TreePath hooks) {
        draft.protectOrHoldFree(hooks, Mask.Kind.READ_ONLY, Filler.DIRECTORY, ProtectionGroup.GIT_HOOKS);
        // husky: the folder git is told of holds stubs that start the scripts one level up.
        if (hooks.name().equals("_") && !hooks.parent().isTop()) {
            draft.protect(hooks.parent(), Mask.Kind.READ_ONLY);
        }
    }

    /// Every value of `core.hooksPath` that may be in force.
    private Set<String> hooksPaths(TreePath folder) {
        var values = new HashSet<String>();
        personsHooks.ifPresent(values::add);
        collectHooks(folder.child("config"), values, 0);
        collectHooks(folder.child("config.worktree"), values, 0);
        values.remove("");
        return values;
    }

    private void collectHooks(TreePath file, Set<String> values, int depth) {
        var config = config(file);
        config.last("core", "hookspath").ifPresent(values::add);
        if (depth < INCLUDE_DEPTH) {
            for (String included : config.includes()) {
                var inside = file.parent().resolve(draft.root(), expanded(included));
                if (inside.isPresent()) {
                    collectHooks(inside.get(), values, depth + 1);
                } else if (expanded(included).startsWith("/") && seenConfigs.size() < REPOSITORY_LIMIT) {
                    var outside = Path.of("/").resolve(expanded(included));
                    seenConfigs.add(outside);
                    read(outside).last("core", "hookspath").ifPresent(values::add);
                }
            }
        }
    }

    private String expanded(String value) {
        return value.startsWith("~/") ? TreePath.latin1Of(draft.home()) + value.substring(1) : value;
    }

    /// The folders of linked worktrees: what they say about where git's data lies decides which hooks run there.
    private void protectWorktrees(TreePath folder) {
        for (String name : names(folder.child("worktrees"))) {
            draft.repository(folder.child("worktrees").child(name));
            protectLinked(folder.child("worktrees").child(name));
        }
    }

    /// Submodules keep their folders in `modules`, at any depth, as their names may hold slashes.
    private void protectModules(TreePath folder, int depth) {
        if (depth == MODULE_DEPTH || Shape.of(folder.on(draft.root())) != Shape.DIRECTORY) {
            return;
        }
        for (String name : names(folder)) {
            var module = folder.child(name);
            if (Shape.of(module.on(draft.root())) == Shape.DIRECTORY) {
                if (Shape.of(module.child("HEAD").on(draft.root())) == Shape.FILE) {
                    protectGitFolder(module, moduleWorktree(module));
                } else {
                    protectModules(module, depth + 1);
                }
            }
        }
    }

    private TreePath moduleWorktree(TreePath module) {
        return config(module.child("config"))
                .last("core", "worktree")
                .flatMap(path -> module.resolve(draft.root(), path))
                .orElse(module);
    }

    private List<String> names(TreePath folder) {
        var names = new ArrayList<String>();
        try (var open = Folder.descend(draft.root(), folder)) {
            var entries = open.entries();
            while (entries.hasNext() && names.size() < REPOSITORY_LIMIT) {
                names.add(TreePath.nameOf(entries.next()));
            }
        } catch (IOException _) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    private GitConfig config(TreePath file) {
        return read(file.on(draft.root()));
    }

    private static GitConfig read(Path file) {
        return GitConfig.parse(text(file));
    }

    private static String text(Path file) {
        var parent = file.getParent();
        if (parent == null || !Files.isRegularFile(file)) {
            return "";
        }
        try (var folder = Folder.open(parent.toRealPath())) {
            return folder.read(file);
        } catch (IOException _) {
            return "";
        }
    }
}
