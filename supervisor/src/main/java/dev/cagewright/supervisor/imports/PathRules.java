package dev.cagewright.supervisor.imports;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// Allowed and denied paths of sources that begin with the whole machine, as mounts and hidden names.
final class PathRules {
    /// Names of a workspace that no cage can write, so that a source that denies them too loses nothing.
    private static final Set<String> KEPT = Set.of(
            ".git/hooks",
            ".git/config",
            ".vscode",
            ".idea",
            ".zed",
            ".claude",
            ".mcp.json",
            ".codex",
            ".gemini",
            ".opencode",
            ".pi",
            ".cursor",
            ".windsurf",
            ".kiro",
            ".envrc");

    /// What the product shows in no cage anyway.
    private static final Set<String> NEVER_SHOWN = Set.of("/etc/shadow", "/etc/gshadow", "/etc/ssl/private");

    private static final Set<String> TEMPORARY = Set.of("/tmp", "/var/tmp", "/private/tmp", "/dev/shm");

    private static final String UNGUARDED =
            "outside of the workspace nothing is protected in a mount, so it can only be read; make it rw by hand where"
                    + " nothing in it is run by the host";

    private final Draft draft;
    private final Places places;

    PathRules(Draft draft, Places places) {
        this.draft = draft;
        this.places = places;
    }

    /// What may be written.
    void write(Section.Text text) {
        switch (places.of(text.value())) {
            case Places.Place.Inside(String below) when below.isEmpty() -> draft.grantWorkspace(Draft.Access.WRITE);
            case Places.Place.Inside _, Places.Place.Pattern _ ->
                draft.leave(text.key(), "one folder of the workspace cannot be written where the rest is not");
            case Places.Place.Outside(Path path)
            when places.holdsWorkspace(path) -> {
                draft.grantWorkspace(Draft.Access.WRITE);
                draft.narrow(text.key(), "of it only the workspace is there");
            }
            case Places.Place.Outside(Path path)
            when TEMPORARY.contains(path.toString()) ->
                draft.narrow(text.key(), "each cage has a /tmp of its own, in memory");
            case Places.Place.Outside(Path path)
            when path.startsWith("/dev") -> draft.narrow(text.key(), "each cage has a /dev of its own");
            case Places.Place.Outside(Path path)
            when Places.system(path).isPresent() ->
                draft.leave(text.key(), "the system's folders are read-only in each cage");
            case Places.Place.Outside(Path path) -> {
                if (draft.folder(text.key(), path)) {
                    draft.narrow(text.key(), UNGUARDED);
                }
            }
            case Places.Place.Unclear(String why) -> draft.leave(text.key(), why);
        }
    }

    /// What may be read although something above it may not.
    void read(Section.Text text) {
        switch (places.of(text.value())) {
            case Places.Place.Inside _, Places.Place.Pattern _ -> {
                // the workspace is there, and what of it is hidden was decided before
            }
            case Places.Place.Outside(Path path)
            when places.holdsWorkspace(path) -> draft.narrow(text.key(), "of it only the workspace is there");
            case Places.Place.Outside(Path path) when Places.system(path).isPresent() -> {
                // each cage can read them
            }
            case Places.Place.Outside(Path path) -> {
                var _ = draft.folder(text.key(), path);
            }
            case Places.Place.Unclear(String why) -> draft.leave(text.key(), why);
        }
    }

    /// What may not be read.
    ///
    /// @param again what may be read although it is below that
    void hide(Section.Text text, List<Section.Text> again) throws ImportException {
        switch (places.of(text.value())) {
            case Places.Place.Inside(String below) when below.isEmpty() -> workspace(text, again);
            case Places.Place.Inside(String below) -> {
                draft.hide(text.key(), "/workspace/" + below);
                if (again.stream().anyMatch(one -> isBelow(one, below))) {
                    draft.narrow(text.key(), "what may be read below it is hidden with it");
                }
            }
            case Places.Place.Pattern(String pattern) -> hidePattern(text, pattern);
            case Places.Place.Outside(Path path) when places.holdsWorkspace(path) -> workspace(text, again);
            case Places.Place.Outside(Path path) -> outside(text, path);
            case Places.Place.Unclear(String why) -> unclear(text, why);
        }
    }

    private boolean isBelow(Section.Text text, String folder) {
        return places.of(text.value()) instanceof Places.Place.Inside(String below) && below.startsWith(folder + "/");
    }

    private void workspace(Section.Text text, List<Section.Text> again) {
        boolean isBack = again.stream().anyMatch(one -> holdsWorkspace(places.of(one.value())));
        if (!isBack) {
            draft.boundWorkspace(Draft.Access.NONE, text.key(), "the workspace may not be read, and is left out");
        }
    }

    private boolean holdsWorkspace(Places.Place place) {
        return switch (place) {
            case Places.Place.Inside(String below) -> below.isEmpty();
            case Places.Place.Outside(Path path) -> places.holdsWorkspace(path);
            case Places.Place.Pattern _, Places.Place.Unclear _ -> false;
        };
    }

    private void hidePattern(Section.Text text, String pattern) {
        var name = pattern.replaceFirst("^\\*\\*/", "").replaceFirst("/\\*\\*$", "");
        if (pattern.startsWith("**/") && name.matches("[^*?\\[\\]/]+")) {
            draft.hide(text.key(), "**/" + name);
            return;
        }
        var folder = pattern.replaceFirst("/?[^/]*[*?\\[].*$", "");
        if (folder.isEmpty()) {
            draft.boundWorkspace(
                    Draft.Access.NONE,
                    text.key(),
                    "names of this pattern cannot be hidden, so the workspace is left out; name them one by one in fs.hide"
                            + " (\"**/NAME\") and mount /workspace by hand");
        } else {
            draft.hide(text.key(), "/workspace/" + folder);
            draft.narrow(text.key(), "all of " + folder + " is hidden");
        }
    }

    private void outside(Section.Text text, Path path) throws ImportException {
        draft.forbid(text.key(), path);
        if (Places.system(path).isEmpty() || NEVER_SHOWN.contains(path.toString())) {
            return;
        }
        if (Places.isFolder(path)) {
            draft.mount(text.key(), path, "tmpfs", "ro");
        } else {
            throw new ImportException(
                    text.key() + ": " + path + " can be read in each cage, and only a folder there can"
                            + " be covered (take it out of the source to import the rest)");
        }
    }

    /// Takes mounts out that would show something denied below them.
    void recheck(List<Section.Text> denied) {
        for (Section.Text text : denied) {
            if (places.of(text.value()) instanceof Places.Place.Outside(Path path)) {
                draft.forbidBelow(text.key(), path);
            }
        }
    }

    private void unclear(Section.Text text, String why) {
        draft.leave(text.key(), why + "; outside of the workspace nothing of the person's is in a cage");
        if (!text.value().startsWith("~") && !text.value().startsWith("/")) {
            draft.boundWorkspace(
                    Draft.Access.NONE, text.key(), "it may mean something in the workspace, which is left out");
        }
    }

    /// What may not be written.
    void keep(Section.Text text) {
        switch (places.of(text.value())) {
            case Places.Place.Inside(String below) when KEPT.contains(below) -> {
                // no cage can
            }
            case Places.Place.Outside(Path path) when !places.holdsWorkspace(path) -> {
                // mounts outside of the workspace are read-only here
            }
            case Places.Place.Inside _, Places.Place.Pattern _, Places.Place.Outside _, Places.Place.Unclear _ ->
                draft.boundWorkspace(
                        Draft.Access.READ,
                        text.key(),
                        "a part of the workspace cannot be read-only, so all of it is; its rw can be given back by hand");
        }
    }
}
