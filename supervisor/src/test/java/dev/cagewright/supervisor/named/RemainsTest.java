package dev.cagewright.supervisor.named;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.SessionLife;
import dev.cagewright.supervisor.state.SharedFolder;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What interrupted commands and killed sessions left.
class RemainsTest {
    @TempDir
    private Path folder;

    private StateFolders folders() {
        return new StateFolders(folder.resolve("config"), folder.resolve("state"));
    }

    private Path shared(String session) throws IOException {
        var made = new SharedFolder(folders(), folders().session(new SessionId(session))).make();
        Files.writeString(Files.createDirectory(made.resolve("git")).resolve("config"), "[core]\n");
        return made;
    }

    private List<Litter> found() throws IOException {
        return new Remains(folders(), Instant.now()).find();
    }

    @Test
    void what_the_cage_of_a_killed_session_had_goes_and_what_a_living_one_has_stays() throws IOException {
        var dead = shared("aaaaaaaaaa");
        var living = shared("bbbbbbbbbb");
        var withoutFolder = shared("cccccccccc");
        Files.delete(folders().session(new SessionId("cccccccccc")));
        try (var life = SessionLife.begin(folders().session(new SessionId("bbbbbbbbbb")))) {
            assertThat(life).isNotNull();
            assertThat(found()).extracting(Litter::place).containsExactlyInAnyOrder(dead, withoutFolder);
            for (Litter litter : found()) {
                litter.remove();
            }
            assertThat(found()).isEmpty();
            assertThat(living.resolve("git/config")).exists();
        }
        assertThat(found()).extracting(Litter::what).containsExactly("what the cage of session bbbbbbbbbb had");
    }

    @Test
    void homes_and_what_else_stands_there_are_none_of_it() throws IOException {
        var homes = folders().homes();
        folders().makeHome(homes.resolve("cage.mine"));
        Files.createDirectory(homes.resolve("session.short"));
        Files.createDirectory(homes.resolve("sessionxaaaaaaaaaa"));
        Files.createSymbolicLink(homes.resolve("session.aaaaaaaaaa"), folder);
        Files.writeString(homes.resolve("session.bbbbbbbbbb"), "");
        assertThat(found()).isEmpty();
    }
}
