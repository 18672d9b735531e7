package dev.cagewright.supervisor.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RefusedTokenException;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenOfficeTest {
    @TempDir
    private Path folder;

    private final TokenKey key = TokenKey.of(new byte[TokenKey.LENGTH]);
    private StateFolders folders = new StateFolders(Path.of("/none"), Path.of("/none"));
    private final List<String> noted = new ArrayList<>();

    @BeforeEach
    void place() {
        folders = new StateFolders(folder.resolve("config"), folder.resolve("state"));
    }

    private TokenOffice office(TokenOffice.Ledger ledger) throws IOException {
        var list = RevocationFile.of(folders, key, Optional.empty(), InstantSource.system());
        return new TokenOffice(key, list, ledger, "host");
    }

    private TokenOffice office() throws IOException {
        return office((String name, JsonObject detail) -> noted.add(name + " " + detail.write()));
    }

    private static Link link(String rev, String host) {
        long now = InstantSource.system().instant().getEpochSecond();
        var rights = Rights.NONE.with(Axis.ACTIONS, List.of("http.request")).with(Axis.HOSTS, List.of(host));
        return new Link(new RevId(rev), Optional.empty(), now, now + 600, rights);
    }

    private static Link narrower(String rev, String host) {
        var link = link(rev, host);
        return new Link(link.rev(), link.issuer(), link.issued(), link.expires() - 60, link.rights());
    }

    @Test
    void each_act_is_on_record_before_anybody_has_what_came_of_it() throws IOException, RefusedTokenException {
        var root = office().mint(link("root", "a.test"));
        office().attenuate(root, narrower("child", "a.test"));
        office().revoke(new RevId("root"));

        assertThat(noted).hasSize(3);
        assertThat(noted.get(0)).startsWith("token.mint {").contains("\"rev\":\"root\"", "\"hosts\":[\"a.test\"]");
        assertThat(noted.get(1)).startsWith("token.delegate {").contains("\"parent\":\"root\"", "\"by\":\"host\"");
        assertThat(noted.get(2)).startsWith("token.revoke {").contains("\"counter\":2");
        var tag = new String(root, StandardCharsets.US_ASCII).strip().split("\\.", -1)[2];
        assertThat(String.join("\n", noted)).doesNotContain(tag);
    }

    @Test
    void what_cannot_be_recorded_is_not_made() throws IOException {
        var full = office((_, _) -> {
            throw new IOException("No space left on device");
        });
        assertThatThrownBy(() -> full.mint(link("root", "a.test"))).hasMessage("No space left on device");
    }

    @Test
    void B189_nothing_is_delegated_from_a_revoked_token_and_that_is_on_record()
            throws IOException, RefusedTokenException {
        var root = office().mint(link("root", "a.test"));
        office().revoke(new RevId("root"));
        noted.clear();
        assertThatThrownBy(() -> office().attenuate(root, narrower("child", "a.test")))
                .isInstanceOf(RefusedTokenException.class)
                .hasMessage("the token root is revoked (rule token:revoked)");
        assertThat(noted)
                .singleElement()
                .asString()
                .startsWith("token.refused {")
                .contains("token:revoked");
    }

    @Test
    void a_name_that_is_revoked_is_not_given_again() throws IOException {
        office().revoke(new RevId("root"));
        assertThatThrownBy(() -> office().mint(link("root", "a.test"))).isInstanceOf(RefusedTokenException.class);
    }

    @Test
    void keys_and_tokens_are_files_of_their_owners_alone() throws IOException, RefusedTokenException {
        var file = folder.resolve("k.key.hex");
        try (var made = TokenFiles.create(file);
                var read = TokenFiles.key(file)) {
            assertThat(read.id()).isEqualTo(made.id());
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThatThrownBy(() -> TokenFiles.create(file))
                .hasMessage("the key file " + file + " exists already: choose another name or move it away");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> TokenFiles.key(file))
                .hasMessage(
                        "the token key " + file + " is open to others (rw-r-----): run chmod 600 on it, and make a new"
                                + " one if others may have read it");

        var token = folder.resolve("t.tok");
        TokenFiles.write(token, office().mint(link("root", "a.test")));
        assertThat(TokenFiles.read(token.toString())).isEqualTo(Files.readAllBytes(token));
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw----r--"));
        assertThatThrownBy(() -> TokenFiles.read(token.toString()))
                .hasMessageStartingWith("the token " + token + " is open to others (rw----r--)");
    }

    @Test
    void a_token_on_the_command_line_is_refused_and_not_repeated() {
        assertThatThrownBy(() -> TokenFiles.read("cwt1.AAAA.BBBB"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stands on the command line")
                .hasMessageNotContaining("AAAA");
    }
}
