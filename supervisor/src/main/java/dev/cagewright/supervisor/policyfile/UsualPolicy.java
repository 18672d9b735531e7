package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.FsSection;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.Origin;
import dev.cagewright.policy.document.Origins;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Resources;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.TimeSpan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What [PolicyTemplates#usual] says, written out: most runs are under it, and reading a policy's text takes a cold
/// start longer than everything else that is decided. A test reads the text and compares.
final class UsualPolicy {
    /// The name in messages; there is no such file.
    static final String NAME = "built-in";

    private static final String WORKSPACE = "/workspace";
    private static final long GIBIBYTE = 1L << 30;

    private UsualPolicy() {}

    /// The policy.
    ///
    /// @param file where a person would put one to have another
    static LoadedPolicy at(Path file) {
        var text = PolicyTemplates.usual();
        var bytes = ByteString.copyOf(text.getBytes(StandardCharsets.UTF_8));
        return new LoadedPolicy(file, NAME, bytes, document(), List.of(text.split("\n", -1)));
    }

    private static PolicyDocument document() {
        return new PolicyDocument(
                Optional.of(new CageName("default")),
                Optional.of(Isolation.NAMESPACES),
                Optional.of(Mode.ENFORCE),
                Optional.empty(),
                Optional.of(files()),
                Optional.of(noNetwork()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(resources()),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                origins());
    }

    private static FsSection files() {
        var workspace = new Mount(new GuestPath(WORKSPACE), Mount.Access.RW, new Mount.Source.HostPath(WORKSPACE));
        return new FsSection(Optional.of(List.of(workspace)), List.of(), List.of());
    }

    private static NetSection noNetwork() {
        return new NetSection(
                Optional.of(NetSection.Reach.NONE), Optional.empty(), Optional.empty(), Map.of(), Upstream.DIRECT);
    }

    private static Resources resources() {
        return new Resources(
                Optional.empty(),
                Optional.of(new ByteSize(4 * GIBIBYTE)),
                Optional.of(new Count(512)),
                Optional.of(new TimeSpan(Duration.ofHours(12))),
                Optional.of(new ByteSize(GIBIBYTE)),
                Optional.of(new ByteSize(4 * GIBIBYTE)),
                Optional.empty());
    }

    private static Origins origins() {
        return new Origins(Map.ofEntries(
                place("", 3, 1),
                place("/tool", 3, 1),
                place("/min_isolation", 4, 1),
                place("/mode", 5, 1),
                place("/fs", 6, 1),
                place("/fs/mounts", 7, 3),
                place("/fs/mounts/0", 8, 7),
                place("/fs/mounts/0/path", 8, 8),
                place("/fs/mounts/0/mode", 8, 26),
                place("/fs/protect", 9, 3),
                place("/net", 10, 1),
                place("/net/mode", 11, 3),
                place("/resources", 12, 1),
                place("/resources/memory", 12, 13),
                place("/resources/processes", 12, 27),
                place("/resources/timeout", 12, 43),
                place("/resources/output", 12, 57),
                place("/resources/disk", 12, 71)));
    }

    private static Map.Entry<String, Origin> place(String pointer, int line, int column) {
        return Map.entry(pointer, new Origin(NAME, line, column));
    }
}
