package dev.cagewright.sandbox.disarm;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostEntry;
import dev.cagewright.sandbox.files.HostFile;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.gitconfig.ConfigText;
import dev.cagewright.sandbox.gitconfig.HarmlessSettings;
import dev.cagewright.sandbox.gitconfig.Setting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// A folder of git that was not there before a run: a clone's, a submodule's, a linked worktree's. For one thread;
/// closes nothing.
///
/// @param folder the folder of git itself
/// @param isOwnWorktree may `core.worktree` have this value, one char a byte?
public record NewRepository(HostFolder folder, HarmlessSettings harmless, Predicate<String> isOwnWorktree) {
    private static final String AWAY = ".taken-out";
    private static final int LARGEST = 1 << 20;
    private static final int HOOKS = 1_000;
    private static final int SETTINGS = 500;
    private static final ByteString FRESH = ByteString.of(".cagewright-config");

    /// Takes settings out that are not known to be harmless.
    ///
    /// @return what was taken out, each a few words, safe on a terminal
    public List<String> disarmSettings() throws IOException {
        var told = new ArrayList<String>();
        for (String name : List.of("config", "config.worktree")) {
            var file = ByteString.of(name);
            var entry = folder.look(file);
            if (entry.isEmpty()) {
                continue;
            }
            if (!entry.get().isFile() || entry.get().size() > LARGEST) {
                putAway(folder, file).ifPresent(told::add);
            } else {
                disarm(file, entry.get(), told);
            }
        }
        var shared = ByteString.of("commondir");
        if (folder.look(shared).isPresent() && !leadsToParent(shared)) {
            putAway(folder, shared).ifPresent(told::add);
        }
        return told;
    }

    private void disarm(ByteString file, HostEntry entry, List<String> told) throws IOException {
        var text = ConfigText.parse(read(file));
        if (!text.isWhole() || text.settings().size() > SETTINGS) {
            putAway(folder, file).ifPresent(told::add);
            return;
        }
        var kept = text;
        for (Setting one : List.copyOf(text.settings())) {
            if (objection(one, text)) {
                kept = kept.without(one);
                told.add(one.toString());
            }
        }
        if (kept.text().equals(text.text())) {
            return;
        }
        try (var fresh = folder.create(FRESH)) {
            fresh.append(kept.text().getBytes(StandardCharsets.ISO_8859_1));
            fresh.dress(entry.permissions() & 0777, InstantSource.system().instant());
            if (!fresh.look().identity().equals(entry.identity())) {
                giveIfAllowed(fresh, entry.identity());
            }
            fresh.flush();
        }
        folder.replace(FRESH, file);
        folder.flush();
    }

    /// Only root may; who else makes a file owns it.
    private static void giveIfAllowed(HostFile file, HostEntry.Identity owner) {
        try {
            file.give(owner);
        } catch (IOException _) {
            return;
        }
    }

    private boolean objection(Setting one, ConfigText text) {
        if (one.name().equals("core.worktree")) {
            return !isOwnWorktree.test(one.value());
        }
        return harmless.objectionInNew(one, text).isPresent();
    }

    private String read(ByteString file) throws IOException {
        try (var open = folder.read(file)) {
            return new String(open.head(LARGEST), StandardCharsets.ISO_8859_1);
        }
    }

    /// A linked worktree shares the folder two levels up.
    private boolean leadsToParent(ByteString file) throws IOException {
        var entry = folder.look(file);
        return entry.isPresent()
                && entry.get().isFile()
                && entry.get().size() < 64
                && read(file).strip().equals("../..");
    }

    /// Gives hooks names that git does not look for.
    ///
    /// @return what got another name, each a few words, safe on a terminal
    public List<String> disarmHooks() throws IOException {
        var told = new ArrayList<String>();
        var name = ByteString.of("hooks");
        var entry = folder.look(name);
        if (entry.isEmpty()) {
            return told;
        }
        if (!entry.get().isFolder()) {
            putAway(folder, name).ifPresent(told::add);
            return told;
        }
        try (var hooks = folder.folder(name).orElseThrow(() -> new IOException("hooks: changed just now"))) {
            var names = new ArrayList<>(hooks.names(HOOKS + 1));
            if (names.size() > HOOKS) {
                putAway(folder, name).ifPresent(told::add);
                return told;
            }
            names.sort(null);
            for (ByteString hook : names) {
                if (!hook.latin1().endsWith(".sample") && !hook.latin1().endsWith(AWAY)) {
                    putAway(hooks, hook).map(said -> "the hook " + said).ifPresent(told::add);
                }
            }
        }
        return told;
    }

    private static Optional<String> putAway(HostFolder folder, ByteString name) throws IOException {
        for (int number = 1; number < 100; number++) {
            var end = AWAY.substring(0, 1) + (number == 1 ? "" : number + "-") + AWAY.substring(1);
            var away = ByteString.copyOf((cut(name.latin1()) + end).getBytes(StandardCharsets.ISO_8859_1));
            var move = folder.moveTo(name, folder, away);
            if (move == HostFolder.Move.DONE) {
                return Optional.of(name.printable() + " (now " + away.printable() + ")");
            }
            if (move == HostFolder.Move.ABSENT) {
                return Optional.empty();
            }
            if (move == HostFolder.Move.UNSUPPORTED && folder.look(away).isEmpty()) {
                folder.replace(name, away);
                return Optional.of(name.printable() + " (now " + away.printable() + ")");
            }
        }
        throw new IOException(name + ": no free name to put it away");
    }

    private static String cut(String name) {
        return name.length() > 200 ? name.substring(0, 200) : name;
    }
}
