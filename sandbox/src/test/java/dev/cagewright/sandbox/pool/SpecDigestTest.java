package dev.cagewright.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.ExecRights;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Mount;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpecDigestTest {
    private static final CageSpec PLAIN = CageSpec.of("one", workspace("/w", Access.READ_WRITE, 7, 1000));
    private static final Mount TOOLS =
            new Mount(new GuestPath("/tools"), new Mount.HostPath(ByteString.of("/opt/tools")), Access.READ_ONLY);
    private static final Mount CACHE = new Mount(new GuestPath("/cache"), new Mount.Tmpfs(1 << 20), Access.READ_WRITE);

    private static HostDirectory workspace(String path, Access access, long inode, int owner) {
        return new HostDirectory(ByteString.of(path), new HostDirectory.Identity(3, inode, owner, 1000), access);
    }

    private static Diversion diversion(Diversion.Kind kind, long inode) {
        return new Diversion(ByteString.of("/w"), kind, workspace("/copy", Access.READ_WRITE, inode, 1000));
    }

    private static Mask mask(String path, Mask.Kind kind) {
        return new Mask(ByteString.of(path), kind);
    }

    @Test
    void the_name_of_a_cage_does_not_count() {
        assertThat(SpecDigest.of(PLAIN.withId("two"))).isEqualTo(SpecDigest.of(PLAIN));
    }

    @Test
    void the_order_of_mounts_masks_and_programs_does_not_count() {
        var hooks = mask(".git/hooks", Mask.Kind.READ_ONLY);
        var keys = mask(".env", Mask.Kind.HIDDEN);
        var git = ByteString.of("/usr/bin/git");
        var node = ByteString.of("/usr/bin/node");
        var one = PLAIN.withMounts(List.of(TOOLS, CACHE))
                .withMasks(List.of(hooks, keys))
                .withExec(new ExecRights.Only(List.of(git, node)));
        var other = PLAIN.withMounts(List.of(CACHE, TOOLS))
                .withMasks(List.of(keys, hooks))
                .withExec(new ExecRights.Only(List.of(node, git)));

        assertThat(SpecDigest.of(one)).isEqualTo(SpecDigest.of(other));
        assertThat(SpecDigest.of(one)).isNotEqualTo(SpecDigest.of(PLAIN));
    }

    @Test
    void everything_else_makes_another_cage() {
        var limits = PLAIN.limits();
        var variants = List.of(
                PLAIN,
                new CageSpec(
                        "one",
                        workspace("/v", Access.READ_WRITE, 7, 1000),
                        List.of(),
                        List.of(),
                        List.of(),
                        PLAIN.exec(),
                        limits,
                        PLAIN.netCell(),
                        "cage"),
                new CageSpec(
                        "one",
                        workspace("/w", Access.READ_ONLY, 7, 1000),
                        List.of(),
                        List.of(),
                        List.of(),
                        PLAIN.exec(),
                        limits,
                        PLAIN.netCell(),
                        "cage"),
                new CageSpec(
                        "one",
                        workspace("/w", Access.READ_WRITE, 8, 1000),
                        List.of(),
                        List.of(),
                        List.of(),
                        PLAIN.exec(),
                        limits,
                        PLAIN.netCell(),
                        "cage"),
                new CageSpec(
                        "one",
                        workspace("/w", Access.READ_WRITE, 7, 1001),
                        List.of(),
                        List.of(),
                        List.of(),
                        PLAIN.exec(),
                        limits,
                        PLAIN.netCell(),
                        "cage"),
                new CageSpec(
                        "one",
                        PLAIN.workspace(),
                        List.of(),
                        List.of(),
                        List.of(),
                        PLAIN.exec(),
                        limits,
                        PLAIN.netCell(),
                        "other"),
                PLAIN.withNetCell(CageSpec.NetAccess.REQUESTED),
                PLAIN.withMounts(List.of(TOOLS)),
                PLAIN.withMounts(List.of(new Mount(TOOLS.at(), TOOLS.source(), Access.READ_WRITE))),
                PLAIN.withMounts(List.of(new Mount(TOOLS.at(), CACHE.source(), Access.READ_ONLY))),
                PLAIN.withMounts(List.of(CACHE)),
                PLAIN.withDiversions(List.of(diversion(Diversion.Kind.OVERLAY, 9))),
                PLAIN.withDiversions(List.of(diversion(Diversion.Kind.REPLACEMENT, 9))),
                PLAIN.withDiversions(List.of(diversion(Diversion.Kind.REPLACEMENT, 10))),
                PLAIN.withMasks(List.of(mask("a", Mask.Kind.PIN))),
                PLAIN.withMasks(List.of(mask("a", Mask.Kind.HIDDEN))),
                PLAIN.withMasks(List.of(mask("ab", Mask.Kind.HIDDEN))),
                PLAIN.withExec(new ExecRights.Only(List.of(ByteString.of("/usr")))),
                PLAIN.withLimits(limits.withWall(Duration.ofSeconds(1))),
                PLAIN.withLimits(limits.withOutputBytes(1)),
                PLAIN.withLimits(limits.withProcesses(1)),
                PLAIN.withLimits(limits.withMemoryBytes(1)),
                PLAIN.withLimits(limits.withCpus(1)),
                PLAIN.withLimits(limits.withFileSize(1)),
                PLAIN.withLimits(limits.withDisk(1)),
                PLAIN.withLimits(limits.withOpenFiles(1)));

        var digests = new HashSet<SpecDigest>();
        for (var variant : variants) {
            assertThat(digests.add(SpecDigest.of(variant)))
                    .as(variant.toString())
                    .isTrue();
        }
    }

    @Test
    void a_limit_that_is_set_to_its_default_is_the_same_cage() {
        assertThat(SpecDigest.of(PLAIN.withLimits(Limits.DEFAULT))).isEqualTo(SpecDigest.of(PLAIN));
    }

    @Test
    void a_digest_is_shown_short_and_kept_whole() {
        var digest = SpecDigest.of(PLAIN);

        assertThat(digest.hex()).matches("[0-9a-f]{64}").startsWith(digest.toString());
        assertThat(digest.toString()).hasSize(12);
    }
}
