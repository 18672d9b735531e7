package dev.cagewright.supervisor.repository;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.files.TreeRemoval;
import dev.cagewright.sandbox.gitconfig.ConfigIntrusion;
import dev.cagewright.sandbox.gitconfig.ConfigMerge;
import dev.cagewright.sandbox.gitconfig.HarmlessSettings;
import dev.cagewright.supervisor.state.SharedFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// A cage's own copies of the configuration files of a workspace's repositories. In the cage a link stands in the
/// place of each file, which git follows when it writes; the host's is out of reach. When nothing of the cage lives
/// any more, [#bring] takes what is harmless over. For one thread.
public final class OwnConfigs {
    /// Where the cage has them.
    public static final GuestPath PLACE = new GuestPath("/run/cagewright/git");

    private static final int MOST = 200;

    private static final String FOLDER = "git";

    private static final String TAKEN_OUT =
            ": was replaced on the host, and then held what is not known to be harmless; it was taken out: ";

    private final SharedFolder place;
    private final List<Own> all;

    /// What the host's files held when they were last looked at, by number.
    private final Map<String, String> seen = new HashMap<>();

    private OwnConfigs(SharedFolder place, List<Own> all) {
        this.place = place;
        this.all = List.copyOf(all);
        all.forEach(one -> seen.put(one.number, one.base));
    }

    /// What a file is, and so what of it is taken over.
    public enum Kind {
        /// The harmless part.
        SETTINGS(1 << 20),
        /// What became of each reference that the cage changed.
        PACKED_REFS(1 << 24);

        /// Bytes; of larger ones there is no copy.
        private final int most;

        Kind(int most) {
            this.most = most;
        }
    }

    /// A file that the cage gets a copy of, where a READ_ONLY mask stands over it.
    ///
    /// @param at relative to the target's top
    /// @param masked the path of its mask
    public record Original(Kind kind, Target target, ByteString at, ByteString masked) {
        RelativePath path() {
            return new RelativePath(at);
        }

        Optional<String> text() {
            return target.text(path(), kind.most);
        }

        boolean isOfTheHost() {
            return target.copy().isEmpty();
        }

        boolean isThere() throws IOException {
            return target.isThere(path());
        }

        boolean isUnder(Mask mask) {
            return mask.kind() == Mask.Kind.READ_ONLY && mask.path().equals(masked);
        }
    }

    /// @param base its text when the run began, one char a byte
    private record Own(Original original, String number, String base) {
        String name() {
            return original.path().name().utf8().orElseThrow();
        }

        ByteString guest() {
            return ByteString.of(PLACE.child(number).value() + "/" + name());
        }

        @Override
        public String toString() {
            return original.masked.printable();
        }
    }

    private static Path copies(SharedFolder place) {
        return place.path().resolve(FOLDER);
    }

    /// The folder on the host that the cage can fill, if there is one.
    public static Optional<Path> folder(SharedFolder place) {
        return Optional.of(copies(place)).filter(folder -> Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS));
    }

    /// For a workspace that is not written to.
    public static OwnConfigs none(SharedFolder place) {
        return new OwnConfigs(place, List.of());
    }

    /// Copies them.
    ///
    /// @param masks those that the cage is built with
    /// @param originals of those that have no READ_ONLY mask none is copied
    /// @throws IOException if a copy cannot be written
    public static OwnConfigs of(SharedFolder place, List<Mask> masks, List<Original> originals) throws IOException {
        remove(copies(place));
        var own = new ArrayList<Own>();
        for (Original original : originals) {
            if (masks.stream().anyMatch(original::isUnder) && own.size() < MOST) {
                original.text().ifPresent(text -> own.add(new Own(original, Integer.toString(own.size()), text)));
            }
        }
        var made = new OwnConfigs(place, own);
        made.write();
        return made;
    }

    private void write() throws IOException {
        if (all.isEmpty()) {
            return;
        }
        opened(Files.createDirectory(place.make().resolve(FOLDER)));
        for (Own one : all) {
            var folder = opened(Files.createDirectory(copies(place).resolve(one.number)));
            var file = folder.resolve(one.name());
            Files.write(file, one.base.getBytes(StandardCharsets.ISO_8859_1), StandardOpenOption.CREATE_NEW);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
    }

    private static Path opened(Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Is it a file that the cage has a copy of?
    ///
    /// @param printable its path, relative to the workspace
    boolean isOwn(String printable) {
        return all.stream().anyMatch(one -> one.toString().equals(printable));
    }

    /// `masks`, with links in the place of these files.
    public List<Mask> masks(List<Mask> masks) {
        return masks.stream().map(this::led).toList();
    }

    private Mask led(Mask mask) {
        return all.stream()
                .filter(one -> one.original.isUnder(mask))
                .findFirst()
                .map(one -> Mask.link(mask.path(), one.guest()))
                .orElse(mask);
    }

    /// `spec` with the folder of the copies mounted.
    public CageSpec over(CageSpec spec) {
        if (all.isEmpty()) {
            return spec;
        }
        var mounts = new ArrayList<>(spec.mounts());
        var source = new Mount.HostPath(ByteString.of(copies(place).toString()));
        mounts.add(new Mount(PLACE, source, Access.READ_WRITE));
        return spec.withMounts(mounts);
    }

    /// The settings that are harmless on the host of the cage that is built from `spec`.
    public static HarmlessSettings harmless(CageSpec spec) {
        return new HarmlessSettings(WritablePlaces.of(spec));
    }

    /// Takes out of the host's files of settings what has come into them since the last time and is not known to be
    /// harmless. Nothing of the cage may run meanwhile, and nobody else may ask.
    ///
    /// @param spec what the cage was built from
    /// @return what it was, one sentence a file, safe on a terminal
    /// @throws IOException if a file is not as git has it, or cannot be changed
    List<String> disarm(CageSpec spec) throws IOException {
        var told = new ArrayList<String>();
        for (Own one : all) {
            if (one.original.kind == Kind.SETTINGS && one.original.isOfTheHost()) {
                disarm(one, harmless(spec)).ifPresent(told::add);
            }
        }
        return told;
    }

    private Optional<String> disarm(Own one, HarmlessSettings harmless) throws IOException {
        var found = one.original.text();
        if (found.isEmpty() && one.original.isThere()) {
            throw new IOException(one + ": is not as git writes it");
        }
        var before = seen.getOrDefault(one.number, "");
        var now = found.orElse(before);
        var came = ConfigIntrusion.of(before, now, harmless);
        if (came.text().isPresent()) {
            var file = new Target.Changed(one.original.path(), place.session(), one.original.kind.most);
            one.original.target.change(
                    file, text -> ConfigIntrusion.of(before, text, harmless).text());
        }
        seen.put(one.number, came.text().orElse(now));
        return came.text().map(_ -> one + TAKEN_OUT + String.join(", ", came.settings()));
    }

    /// Takes over what is harmless of what the cage changed, and removes the copies.
    ///
    /// @param spec what the cage was built from
    /// @return what came over and what did not, one sentence each, safe on a terminal
    public List<String> bring(CageSpec spec) {
        var told = new ArrayList<String>();
        var harmless = harmless(spec);
        for (Own one : all) {
            try {
                bring(one, harmless, told);
            } catch (IOException e) {
                told.add(one + ": what the workload changed in its copy could not be taken over: "
                        + ByteString.of(String.valueOf(e.getMessage())).printable());
            }
        }
        try {
            discard();
        } catch (IOException e) {
            told.add("copies of git's configuration are left beside the homes of agents: "
                    + ByteString.of(String.valueOf(e.getMessage())).printable());
        }
        return told;
    }

    private void bring(Own one, HarmlessSettings harmless, List<String> told) throws IOException {
        var cage = cageText(one);
        if (cage.isEmpty() || cage.get().equals(one.base)) {
            return;
        }
        var kind = one.original.kind;
        var file = new Target.Changed(one.original.path(), place.session(), kind.most);
        if (kind == Kind.PACKED_REFS) {
            one.original.target.change(file, now -> PackedRefs.merged(one.base, cage.get(), now));
            return;
        }
        var outcome = new AtomicReference<Optional<ConfigMerge>>(Optional.empty());
        one.original.target.change(file, now -> {
            var merge = ConfigMerge.of(new ConfigMerge.Texts(one.base, cage.get(), now), harmless);
            outcome.set(Optional.of(merge));
            return merge.text();
        });
        outcome.get().ifPresent(merge -> tell(one, merge, told));
    }

    private static void tell(Own one, ConfigMerge merge, List<String> told) {
        if (!merge.brought().isEmpty()) {
            told.add(one + ": took over " + String.join(", ", merge.brought()));
        }
        merge.kept().forEach(why -> told.add(one + ": not taken over: " + why));
    }

    private Optional<String> cageText(Own one) throws IOException {
        try (var folder = HostFolder.open(ByteString.of(copies(place).toString()))) {
            var own = folder.folder(ByteString.of(one.number));
            if (own.isEmpty()) {
                return Optional.empty();
            }
            try (var open = own.get()) {
                return ConfigFile.read(open, one.original.path().name(), one.original.kind.most);
            }
        }
    }

    /// Removes the copies, of which nothing is taken over any more.
    public void discard() throws IOException {
        remove(copies(place));
        place.removeEmpty();
    }

    private static void remove(Path folder) throws IOException {
        if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var held = HostFolder.open(ByteString.of(folder.toString()))) {
            TreeRemoval.clear(held);
        }
        Files.delete(folder);
    }
}
