package dev.cagewright.supervisor.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.sandbox.Access;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.Mount;
import dev.cagewright.sandbox.Streams;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunGuideTest {
    private static final AgentsGuide GUIDE = new AgentsGuide(AgentsGuide.Net.NONE, Optional.empty(), List.of());
    private static final Launch LAUNCH = new Launch(
            ByteString.of("/bin/true"),
            List.of(ByteString.of("HOME=/home/cage"), ByteString.of("CAGEWRIGHT_AGENTS_MD=/elsewhere")),
            Streams.Pipes.discarding());

    @TempDir
    private Path folder;

    private CageSpec spec() throws ConfinementException {
        return CageSpec.of("cage", HostDirectory.open(ByteString.of(folder.toString()), Access.READ_ONLY));
    }

    @Test
    void it_can_be_read_at_its_place_and_is_named() throws ConfinementException {
        var guide = new RunGuide(GUIDE);

        assertThat(guide.over(spec()).mounts())
                .containsExactly(new Mount(
                        new GuestPath("/run/cagewright/AGENTS.md"),
                        new Mount.Text(ByteString.of(GUIDE.text())),
                        Access.READ_ONLY));
        assertThat(guide.over(LAUNCH, spec()).environment())
                .containsExactly(
                        ByteString.of("HOME=/home/cage"),
                        ByteString.of("CAGEWRIGHT_AGENTS_MD=/run/cagewright/AGENTS.md"));
    }

    @Test
    void a_place_where_the_policy_mounts_something_is_left_to_it() throws ConfinementException {
        for (String taken : List.of("/run/cagewright/AGENTS.md", "/run/cagewright", "/run")) {
            var own = spec().withMounts(List.of(new Mount(
                    new GuestPath(taken), new Mount.HostPath(ByteString.of(folder.toString())), Access.READ_ONLY)));
            var guide = new RunGuide(GUIDE);
            assertThat(guide.over(own)).as(taken).isEqualTo(own);
            assertThat(guide.over(LAUNCH, own)).as(taken).isEqualTo(LAUNCH);
        }
    }
}
