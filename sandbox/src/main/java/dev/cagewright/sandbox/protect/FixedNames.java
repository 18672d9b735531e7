package dev.cagewright.sandbox.protect;

import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.protect.Placeholder.Filler;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The protected names whose place is known: the top of the workspace, the person's home directory where the
/// workspace covers it, and files of the workspace that links in the home directory lead to, as dotfile managers
/// make them.
final class FixedNames {
    /// A password or token that is really there; one taken from a variable is none.
    private static final Pattern SECRET =
            Pattern.compile("(?i)(_auth|_authToken|_password|password|token)\\s*[=:>]\\s*(?!\\$\\{)[^\\s<>$]{4,}");

    private final PlanDraft draft;
    private final Optional<TreePath> home;
    private final NamesAtTop namesAtHome;

    FixedNames(PlanDraft draft) {
        this.draft = draft;
        this.home = homeInside(draft);
        this.namesAtHome = home.isPresent() ? NamesAtTop.UNKNOWN : NamesAtTop.of(draft.home());
    }

    /// The home directory, if it is the workspace or lies in it.
    private static Optional<TreePath> homeInside(PlanDraft draft) {
        try {
            return TreePath.TOP.resolve(
                    draft.root(), TreePath.latin1Of(draft.home().toRealPath()));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    void protect() {
        draft.knowing(NamesAtTop.of(draft.root()));
        for (ProtectedName row : ProtectedName.TABLE) {
            if (draft.isWanted(row.group())) {
                protect(row);
            }
        }
        draft.knowing(NamesAtTop.UNKNOWN);
    }

    private void protect(ProtectedName row) {
        switch (row.reach()) {
            case EVERYWHERE ->
                draft.protectOrHoldFree(new TreePath(row.path()), row.kind(), Filler.DIRECTORY, row.group());
            case WHERE_IT_EXISTS -> watchAtTop(row);
            case HOME -> protectHome(row);
        }
        protectBehindLink(row);
    }

    private void watchAtTop(ProtectedName row) {
        var at = new TreePath(row.path());
        if (!row.path().contains("*") && draft.shape(at) == Shape.ABSENT) {
            draft.watch(at);
        }
    }

    private void protectHome(ProtectedName row) {
        if (home.isPresent()) {
            draft.protectOrHoldFree(below(home.get(), row.path()), row.kind(), Filler.DIRECTORY, row.group());
        }
        var atTop = new TreePath(row.path());
        boolean isHome = home.isPresent() && home.get().isTop();
        if (!isHome && (!row.hidesOnlySecrets() || holdsSecret(atTop))) {
            draft.protect(atTop, row.kind());
        }
    }

    private static TreePath below(TreePath base, String path) {
        return base.isTop() ? new TreePath(path) : base.child(path);
    }

    private boolean holdsSecret(TreePath at) {
        if (draft.shape(at) == Shape.ABSENT) {
            return false;
        }
        try (var folder = Folder.descend(draft.root(), at.parent())) {
            return SECRET.matcher(folder.read(at.on(draft.root()))).find();
        } catch (IOException _) {
            return false;
        }
    }

    /// `~/.bashrc -> ~/dotfiles/bashrc` makes a file of the workspace `~/dotfiles` a start-up file.
    private void protectBehindLink(ProtectedName row) {
        if (row.path().contains("*") || home.isPresent() || namesAtHome.lack(row.path())) {
            return;
        }
        var named = draft.home().resolve(row.path());
        try {
            var real = named.toRealPath();
            if (draft.root().startsWith(real)) {
                protectOrTell(TreePath.TOP, named, row.kind());
                return;
            }
            TreePath.TOP
                    .resolve(draft.root(), TreePath.latin1Of(real))
                    .ifPresent(inside -> protectOrTell(inside, named, row.kind()));
        } catch (IOException _) {
            return;
        }
    }

    private void protectOrTell(TreePath inside, Path named, Mask.Kind kind) {
        if (inside.isTop()) {
            draft.tell(
                    Notice.Kind.UNPROTECTED,
                    inside,
                    "lies in " + named
                            + ", which tools of yours obey: its content cannot be protected from a workload in it");
        } else {
            draft.protect(inside, kind);
        }
    }

    /// The names in one directory at one moment. Of a hundred protected names nearly all are absent, and to
    /// ask the kernel for each costs an exception; whoever has the list asks only for those that can be there.
    /// Case does not count, because some file systems do not count it. Immutable.
    record NamesAtTop(Optional<Set<String>> names) {
        /// Nothing is known: everything may be there.
        static final NamesAtTop UNKNOWN = new NamesAtTop(Optional.empty());

        /// Of larger directories nothing is known.
        private static final int LIMIT = 20_000;

        /// Reads `directory`. Where it cannot be read, and where a name is not ASCII, so that nobody knows
        /// what its file system takes for the same, nothing is known.
        static NamesAtTop of(Path directory) {
            var names = new HashSet<String>();
            try (var entries = Files.newDirectoryStream(directory)) {
                for (Path entry : entries) {
                    var name = TreePath.nameOf(entry);
                    if (!TreePath.isAscii(name) || names.size() == LIMIT) {
                        return UNKNOWN;
                    }
                    names.add(name.toLowerCase(Locale.ROOT));
                }
            } catch (IOException | DirectoryIteratorException _) {
                return UNKNOWN;
            }
            return new NamesAtTop(Optional.of(names));
        }

        /// Was nothing there under the first name of `path`, relative to the directory?
        boolean lack(String path) {
            int slash = path.indexOf('/');
            var first = slash < 0 ? path : path.substring(0, slash);
            return !first.isEmpty() && names.isPresent() && !names.get().contains(first.toLowerCase(Locale.ROOT));
        }
    }
}
