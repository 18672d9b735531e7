package dev.cagewright.supervisor.vault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.document.CageName;
import dev.cagewright.secrets.store.Refresh;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.value.SecretValue;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class VaultTest {
    private static final String CANARY = "canary-value-0123456789";

    private StateFolders folders = new StateFolders(Path.of("/nonexistent"), Path.of("/nonexistent"));
    private Path key = Path.of("");

    @BeforeEach
    void open(@TempDir Path home) throws IOException {
        folders = StateFolders.of(Map.of("HOME", home.toString()));
        key = folders.state().resolve("secrets/key");
    }

    /// Answers every question with the same words and remembers what it was told.
    private static final class Answering implements Person {
        private final String words;
        private final List<String> told = new ArrayList<>();

        Answering(String words) {
            this.words = words;
        }

        @Override
        public Optional<byte[]> passphrase(String question) {
            return Optional.of(words.getBytes(US_ASCII));
        }

        @Override
        public void tell(String sentence) {
            told.add(sentence);
        }
    }

    private void stored(Person person, Protection way) throws IOException {
        try (var vault = Vault.openOrMake(folders, person, Optional.of(way));
                var value = SecretValue.copyOf(CANARY.getBytes(US_ASCII))) {
            vault.store(Scope.USER).put("API_KEY", value, SecretStore.Terms.USUAL);
        }
    }

    private String opened(Person person) throws IOException {
        try (var vault = Vault.open(folders, person).orElseThrow();
                var value =
                        vault.store(Scope.USER).open("API_KEY").orElseThrow().value()) {
            return value.lend(bytes -> new String(bytes, US_ASCII));
        }
    }

    /// What does not work on this machine is refused by name, and no key is made.
    @ParameterizedTest
    @EnumSource(Protection.class)
    void a_key_comes_back_under_every_protection_that_works_here(Protection way) throws IOException {
        var person = new Answering("correct horse battery");
        try {
            stored(person, way);
        } catch (StoreException e) {
            assertThat(way).isIn(Protection.SYSTEMD_CREDS, Protection.KEYRING);
            assertThat(e)
                    .hasMessageContaining("the key cannot be protected by " + way.word() + ": it does not work here");
            assertThat(key).doesNotExist();
            return;
        }
        assertThat(opened(person)).isEqualTo(CANARY);
        assertThat(Vault.protection(folders)).contains(way);
        assertThat(person.told).containsOnlyOnce("the key of your secrets is " + way.sentence());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_wrong_passphrase_opens_nothing_and_the_right_one_still_does() throws IOException {
        stored(new Answering("correct horse battery"), Protection.PASSPHRASE);
        assertThatThrownBy(() -> opened(new Answering("wrong horse battery")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the passphrase is wrong")
                .hasMessageContaining("nothing was changed");
        assertThatThrownBy(() -> opened(Person.NOBODY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("nobody can be asked for the passphrase")
                .hasMessageContaining("CAGEWRIGHT_PASSPHRASE_FILE");
        assertThat(opened(new Answering("correct horse battery"))).isEqualTo(CANARY);
    }

    @Test
    void a_short_passphrase_is_refused() {
        assertThatThrownBy(() -> stored(new Answering("short"), Protection.PASSPHRASE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the passphrase is too short (expected: 8 bytes at least)");
        assertThat(key).doesNotExist();
    }

    @Test
    void a_key_file_that_others_may_read_is_refused() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> opened(Person.NOBODY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is open to others (expected: chmod 600");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertThat(opened(Person.NOBODY)).isEqualTo(CANARY);
    }

    @Test
    void a_key_that_is_gone_is_not_made_anew_over_stores() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        Files.delete(key);
        assertThatThrownBy(() -> stored(Person.NOBODY, Protection.FILE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is gone (bring that file back");
        assertThat(key).doesNotExist();
    }

    @Test
    void another_key_is_noticed() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        var bytes = Files.readAllBytes(key);
        bytes[bytes.length - 1] ^= 1;
        Files.write(key, bytes);
        assertThatThrownBy(() -> opened(Person.NOBODY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is another one than");
    }

    /// No machine has this key in its keyring; most that run tests have no keyring.
    @Test
    void a_keyring_that_is_gone_is_said() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        var head = new String(Files.readAllBytes(key), ISO_8859_1);
        Files.write(key, head.replace("protection file", "protection keyring").getBytes(ISO_8859_1));
        assertThatThrownBy(() -> opened(Person.NOBODY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the key of your secrets, held by the desktop's keyring, cannot be had: ");
    }

    @Test
    void what_another_machine_sealed_is_said() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        var head = new String(Files.readAllBytes(key), ISO_8859_1);
        Files.write(
                key, head.replace("protection file", "protection systemd-creds").getBytes(ISO_8859_1));
        assertThatThrownBy(() -> opened(Person.NOBODY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("sealed by systemd-creds with this machine's key, cannot be had: systemd-creds");
    }

    @Test
    void a_key_record_of_a_later_form_or_cut_off_is_refused() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        var whole = Files.readString(key, ISO_8859_1);
        for (String text : List.of("cagewright-key 2\nx\n\n", "", "cagewright-key 1\nprotection file\n\n", "garbage")) {
            Files.writeString(key, text, ISO_8859_1);
            assertThatThrownBy(() -> opened(Person.NOBODY))
                    .as(text)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("restore it from a copy");
        }
        Files.writeString(key, whole.substring(0, whole.length() - 5), ISO_8859_1);
        assertThatThrownBy(() -> opened(Person.NOBODY)).isInstanceOf(StoreException.class);
        Files.writeString(key, whole, ISO_8859_1);
        assertThat(opened(Person.NOBODY)).isEqualTo(CANARY);
    }

    @Test
    void a_protection_is_changed_without_touching_the_secrets() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        var store = Files.readAllBytes(folders.state().resolve("secrets/user.secrets"));
        var person = new Answering("correct horse battery");
        try (var vault = Vault.open(folders, Person.NOBODY).orElseThrow()) {
            vault.protect(person, Protection.PASSPHRASE);
        }
        assertThat(opened(person)).isEqualTo(CANARY);
        assertThat(Files.readAllBytes(folders.state().resolve("secrets/user.secrets")))
                .isEqualTo(store);
    }

    @Test
    void each_cage_may_have_a_store_of_its_own() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        try (var vault = Vault.open(folders, Person.NOBODY).orElseThrow();
                var value = SecretValue.copyOf(CANARY.getBytes(US_ASCII))) {
            var own = Scope.of(new CageName("build"));
            vault.store(own).put("OWN", value, SecretStore.Terms.USUAL);

            assertThat(vault.scopes()).containsExactly(Scope.USER, own);
            assertThat(vault.store(Scope.USER).find("OWN")).isEmpty();
        }
    }

    @Test
    void this_process_leaves_its_memory_out_of_core_files() throws IOException {
        stored(Person.NOBODY, Protection.FILE);
        assertThat(Files.readString(Path.of("/proc/self/coredump_filter")).strip())
                .isEqualTo("00000000");
    }

    @Test
    void a_value_comes_from_a_command_without_the_end_of_its_line() throws IOException {
        var command = new Refresh(List.of("/bin/sh", "-c", "printf 'canary-%s\\n' value"), Optional.empty());
        try (var value = RawValue.of(command)) {
            assertThat(value.<String>lend(bytes -> new String(bytes, US_ASCII))).isEqualTo("canary-value");
        }
    }

    @Test
    void a_command_that_fails_says_nothing_or_does_not_exist_gives_no_value() {
        assertThatThrownBy(() ->
                        RawValue.of(new Refresh(List.of("/bin/sh", "-c", "echo canary; exit 3"), Optional.empty())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("ended with 3")
                .hasMessageNotContaining("canary");
        assertThatThrownBy(() -> RawValue.of(new Refresh(List.of("true"), Optional.empty())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the secret has 0 bytes");
        assertThatThrownBy(() -> RawValue.of(new Refresh(List.of("/nonexistent/program"), Optional.empty())))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no such program");
    }

    @Test
    void only_the_last_line_feed_is_no_part_of_a_value() throws IOException {
        assertThatThrownBy(() -> RawValue.of(new ByteArrayInputStream("canary\n\n".getBytes(US_ASCII))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("canary");
        try (var value = RawValue.of(new ByteArrayInputStream("canary\n".getBytes(US_ASCII)))) {
            assertThat(value.length()).isEqualTo(6);
        }
    }
}
