package dev.cagewright.supervisor.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.HostFolder;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.value.SecretValue;
import dev.cagewright.supervisor.named.CageEstate;
import dev.cagewright.supervisor.named.FirstPolicy;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.receipt.Sha256;
import dev.cagewright.supervisor.scaffold.Scaffolds;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.CarriedSecrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A named cage in one file and out of it again.
class CageBackupTest {
    @TempDir
    private Path folder;

    private NamedCages here() {
        return NamedCages.of(new StateFolders(folder.resolve("config"), folder.resolve("state")));
    }

    private NamedCages elsewhere() {
        return NamedCages.of(new StateFolders(folder.resolve("other/config"), folder.resolve("other/state")));
    }

    private Path archive() {
        return folder.resolve("mine.backup");
    }

    @BeforeEach
    void make() throws IOException, PolicySyntaxException {
        here().create(
                        new NamedCage("mine", Path.of("/srv"), Optional.empty(), List.of(), List.of()),
                        "# mine\n"
                                + FirstPolicy.text("mine", Optional.of("claude-code"), Scaffolds.of(here().folders())));
        var home = here().home("mine").folder();
        here().folders().makeHome(home);
        Files.createDirectories(home.resolve(".config/agent"));
        Files.writeString(home.resolve(".config/agent/settings.json"), "{}");
        Files.setPosixFilePermissions(
                home.resolve(".config/agent/settings.json"), PosixFilePermissions.fromString("rwxr-x---"));
        Files.createSymbolicLink(home.resolve(".config/link"), Path.of("agent/settings.json"));
        Files.createSymbolicLink(home.resolve(".config/agent/up"), Path.of("../link"));
        Files.createSymbolicLink(home.resolve("out"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(home.resolve("out2"), Path.of("../../x"));
        try (var open = HostFolder.open(ByteString.of(home.toString()));
                var bytes = open.create(ByteString.copyOf(new byte[] {'n', (byte) 0xff, '\n'}))) {
            bytes.append(new byte[] {0, 1, 2});
        }
    }

    private CageBackup.Written written() throws IOException {
        return CageBackup.write(here(), "mine", archive(), Optional.empty());
    }

    private NamedCage restored(String name) throws IOException, PolicySyntaxException {
        try (var restore = CageRestore.open(elsewhere(), archive())) {
            return restore.as(name, Optional.empty());
        }
    }

    @Test
    void what_is_written_comes_back_byte_for_byte() throws IOException, PolicySyntaxException {
        var written = written();

        assertThat(written.left())
                .containsExactly(
                        "out is a link that leaves the home, to /etc/passwd",
                        "out2 is a link that leaves the home, to ../../x");
        assertThat(Files.getPosixFilePermissions(archive())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        restored("mine");
        assertThat(elsewhere().policyFile("mine")).hasSameBinaryContentAs(here().policyFile("mine"));
        assertThat(elsewhere().form("mine")).hasSameBinaryContentAs(here().form("mine"));
        var home = elsewhere().home("mine").folder();
        assertThat(home.resolve(".config/agent/settings.json")).hasContent("{}");
        assertThat(Files.getPosixFilePermissions(home.resolve(".config/agent/settings.json")))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-x---"));
        assertThat(Files.getLastModifiedTime(home.resolve(".config/agent/settings.json")))
                .isEqualTo(
                        Files.getLastModifiedTime(here().home("mine").folder().resolve(".config/agent/settings.json")));
        assertThat(Files.readSymbolicLink(home.resolve(".config/link"))).isEqualTo(Path.of("agent/settings.json"));
        assertThat(Files.readSymbolicLink(home.resolve(".config/agent/up"))).isEqualTo(Path.of("../link"));
        assertThat(home.resolve("out")).doesNotExist();
        try (var open = HostFolder.open(ByteString.of(home.toString()));
                var bytes = open.read(ByteString.copyOf(new byte[] {'n', (byte) 0xff, '\n'}))) {
            assertThat(bytes.head(9)).containsExactly(0, 1, 2);
        }
    }

    @Test
    void another_name_stands_in_the_files_and_all_else_stays() throws IOException, PolicySyntaxException {
        written();

        var cage = restored("yours");

        assertThat(elsewhere().find("yours")).isEqualTo(cage);
        assertThat(elsewhere().policy("yours").text()).contains("# mine", "tool: \"yours\"", "api.anthropic.com");
        assertThat(elsewhere().home("yours").folder()).exists();
        assertThat(elsewhere().has("mine")).isFalse();
    }

    @Test
    void nothing_that_is_there_is_overwritten() throws IOException, PolicySyntaxException {
        written();
        assertThatThrownBy(this::written).isInstanceOf(FileAlreadyExistsException.class);
        restored("mine");
        Files.writeString(elsewhere().home("mine").folder().resolve("later"), "kept");

        assertThatThrownBy(() -> restored("mine")).isInstanceOf(FileAlreadyExistsException.class);
        elsewhere().remove("mine");
        assertThatThrownBy(() -> restored("mine")).hasMessageContaining("a home of an earlier cage mine is there");
        assertThat(elsewhere().home("mine").folder().resolve("later")).hasContent("kept");
    }

    @Test
    void secrets_are_sealed_under_their_passphrase() throws IOException {
        var store = folder.resolve("carried");
        var salt = CarriedSecrets.salt();
        try (var carried = CarriedSecrets.at(store, "correct horse".getBytes(StandardCharsets.UTF_8), salt);
                var value = SecretValue.copyOf("sk-REAL-0123456789".getBytes(StandardCharsets.UTF_8))) {
            carried.store().put("KEY", value, SecretStore.Terms.USUAL);
        }
        var sealed =
                new CageBackup.SealedSecrets(ByteString.copyOf(salt), ByteString.copyOf(Files.readAllBytes(store)));
        CageBackup.write(here(), "mine", archive(), Optional.of(sealed));

        assertThat(new String(Files.readAllBytes(archive()), StandardCharsets.ISO_8859_1))
                .doesNotContain("sk-REAL");
        try (var restore = CageRestore.open(elsewhere(), archive())) {
            assertThat(restore.hasSecrets()).isTrue();
            assertThatThrownBy(() -> restore.secrets("wrong horse".getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(IOException.class);
            var opened = restore.secrets("correct horse".getBytes(StandardCharsets.UTF_8));
            assertThat(opened).hasSize(1);
            try (var value = opened.getFirst().value()) {
                assertThat(value.matches("sk-REAL-0123456789".getBytes(StandardCharsets.UTF_8)))
                        .isTrue();
            }
        }
    }

    /// The archive with its entries changed, and its manifest's digest put right.
    private void forged(Consumer<Map<String, String>> change) throws IOException {
        var entries = new LinkedHashMap<String, String>();
        try (var zip = new ZipFile(archive().toFile())) {
            for (var entry : zip.stream().toList()) {
                try (var in = zip.getInputStream(entry)) {
                    entries.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
                }
            }
        }
        change.accept(entries);
        var manifest = String.valueOf(entries.get("manifest.jsonl")).getBytes(StandardCharsets.ISO_8859_1);
        entries.replace("manifest.sha256", Sha256.of(manifest) + "\n");
        try (var out = new ZipOutputStream(Files.newOutputStream(archive()))) {
            for (var entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue().getBytes(StandardCharsets.ISO_8859_1));
                out.closeEntry();
            }
        }
    }

    private void line(String line) throws IOException {
        forged(entries -> entries.computeIfPresent("manifest.jsonl", (_, text) -> text + line + "\n"));
    }

    private void requireRefused(String why) {
        assertThatThrownBy(() -> restored("mine"))
                .isInstanceOf(BackupException.class)
                .hasMessageContaining(why);
        assertThat(elsewhere().has("mine")).isFalse();
        assertThat(elsewhere().folders().homes())
                .satisfiesAnyOf(
                        homes -> assertThat(homes).doesNotExist(),
                        homes -> assertThat(homes).isEmptyDirectory());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"path\":\"../x\",\"kind\":\"folder\",\"mode\":448}                     | relative",
                "{\"path\":\"/etc/x\",\"kind\":\"folder\",\"mode\":448}                   | relative",
                "{\"path\":\"a/../../x\",\"kind\":\"folder\",\"mode\":448}                | relative",
                "{\"path\":\"\",\"kind\":\"folder\",\"mode\":448}                         | a path is none",
                "{\"path\":\"nowhere/x\",\"kind\":\"folder\",\"mode\":448}                | before its folder",
                "{\"path\":\".config\",\"kind\":\"folder\",\"mode\":448}                  | twice",
                "{\"path\":\".config/link/x\",\"kind\":\"folder\",\"mode\":448}           | before its folder",
                "{\"path\":\"x\",\"kind\":\"folder\",\"mode\":2541}                       | a mode is none",
                "{\"path\":\"x\",\"kind\":\"device\",\"mode\":448}                        | neither file, folder nor link",
                "{\"path\":\"x\",\"kind\":\"link\",\"text\":\"/etc/passwd\"}              | a link leaves the home",
                "{\"path\":\"x\",\"kind\":\"link\",\"text\":\"../x\"}                     | a link leaves the home",
                "{\"path\":\"x\",\"kind\":\"link\",\"text\":\".config/../../x\"}          | a link leaves the home",
                "{\"path\":\"x\",\"kind\":\"link\",\"text\":\".config/agent/..\"}         | a link leaves the home",
                "{\"path\":\"x\",\"kind\":\"link\",\"text\":\"/home/cage/../../etc\"}     | a link leaves the home",
                "{\"path\":\"x\",\"kind\":\"link\",\"text\":\"\"}                         | a link leaves the home",
                "{\"path\":\"x\",\"kind\":\"link\"}                                       | has no \"text\"",
                "[]                                                                       | a line is no object",
                "{                                                                        | has no manifest",
            })
    void a_manifest_that_would_leave_or_means_nothing_is_refused(String line, String why) throws IOException {
        written();
        line(line);

        requireRefused(why);
    }

    @Test
    void a_file_that_is_larger_than_told_is_refused_and_so_is_one_that_is_another() throws IOException {
        written();
        var name = new String[1];
        forged(entries -> {
            name[0] = entries.keySet().stream()
                    .filter(entry -> entry.startsWith("home/"))
                    .findFirst()
                    .orElseThrow();
            entries.replace(name[0], "\0".repeat(40 << 20));
        });
        requireRefused("is not what its manifest tells");

        forged(entries -> entries.replace(name[0], "[]"));
        requireRefused("is not what its manifest tells");

        forged(entries -> entries.remove(name[0]));
        requireRefused("its manifest tells of");
    }

    @Test
    void more_bytes_than_a_home_may_have_are_refused_before_any_is_written() throws IOException {
        written();
        line("{\"path\":\"x\",\"kind\":\"file\",\"mode\":384,\"modified\":\"2026-01-01T00:00:00Z\",\"data\":"
                + "{\"name\":\"home/9\",\"size\":9000000000000,\"sha256\":\"" + "0".repeat(64) + "\"}}");

        requireRefused("(expected: at most");
    }

    @Test
    void one_of_another_version_is_refused_and_so_is_what_is_none() throws IOException {
        written();
        forged(entries -> entries.computeIfPresent(
                "manifest.jsonl", (_, text) -> text.replace("\"version\":1", "\"version\":2")));
        requireRefused("does not know (expected: version 1");

        forged(entries ->
                entries.computeIfPresent("manifest.jsonl", (_, text) -> text.replace("cagewright-backup", "other")));
        requireRefused("is no backup of a cage");

        forged(entries -> entries.put("more", "than told"));
        requireRefused("");

        Files.writeString(archive(), "no zip");
        requireRefused("is no zip that can be read");
    }

    @Test
    void a_policy_that_was_changed_in_the_archive_is_refused() throws IOException {
        written();
        forged(entries -> entries.computeIfPresent("policy.yaml", (_, text) -> text + "# more\n"));

        requireRefused("policy.yaml is not what its manifest tells");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 13})
    void no_flipped_byte_passes_unseen(int seed) throws IOException, PolicySyntaxException {
        written();
        var good = Files.readAllBytes(archive());
        for (int at = seed; at < good.length; at += 97) {
            var bad = good.clone();
            bad[at] ^= (byte) 0x40;
            Files.write(archive(), bad);
            try {
                restored("mine");
            } catch (IOException | PolicySyntaxException _) {
                assertThat(elsewhere().has("mine")).as("byte " + at).isFalse();
                continue;
            }
            // a byte of no meaning: a time of an entry, for example
            assertThat(elsewhere().policyFile("mine")).hasSameBinaryContentAs(here().policyFile("mine"));
            assertThat(elsewhere().home("mine").folder().resolve(".config/agent/settings.json"))
                    .hasContent("{}");
            new CageEstate(elsewhere(), "mine").remove(Set.of());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a/b/c, ../../x, true", "a/b/c, ../../../x, false", "a, b/c, true", "a, ., true", "a, b/../c, false",
        "a, /home/cage/x, true", "a, /home/cagex, false", "a, /home/cage, false", "a/b, .., true", "a, .., false"
    })
    void a_link_stays_or_leaves(String path, String text, boolean stays) {
        assertThat(Kept.stays(new RelativePath(ByteString.of(path)), ByteString.of(text)))
                .isEqualTo(stays);
    }
}
