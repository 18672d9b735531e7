package dev.cagewright.secrets.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.secrets.value.SecretValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretStoreTest {
    private static final String CANARY = "canary-value-0123456789";
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");

    private final StoreKey key = StoreKey.random(new SecureRandom());
    private Path file = Path.of("");
    private SecretStore store = new SecretStore(Path.of("/nonexistent"), "none", key, InstantSource.system());

    @BeforeEach
    void open(@TempDir Path folder) {
        file = folder.resolve("user.secrets");
        store = at(NOON, key);
    }

    private SecretStore at(Instant now, StoreKey under) {
        return new SecretStore(file, "every cage", under, () -> now);
    }

    private Stored put(String name, String value) throws IOException {
        try (var secret = SecretValue.copyOf(value.getBytes(US_ASCII))) {
            return store.put(name, secret, SecretStore.Terms.USUAL);
        }
    }

    private static String text(SecretStore from, String name) throws IOException {
        var opened = from.open(name).orElseThrow();
        try (var value = opened.value()) {
            return value.lend(bytes -> new String(bytes, US_ASCII));
        }
    }

    @Test
    void what_is_stored_comes_back_and_nothing_of_it_is_in_the_file() throws IOException {
        put("API_KEY", CANARY);
        store.bind("API_KEY", new Binding(List.of("api.test"), List.of("header"), Optional.of("KEY"), List.of()));

        assertThat(text(at(NOON, key), "API_KEY")).isEqualTo(CANARY);
        assertThat(Files.readString(file, ISO_8859_1))
                .startsWith("cagewright-secrets 1\nevery cage\n")
                .doesNotContain("canary", "API_KEY", "api.test");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_list_has_names_bindings_and_times_and_no_value() throws IOException {
        put("API_KEY", CANARY);
        at(NOON.plusSeconds(60), key).used(List.of("API_KEY"));
        store.bind("API_KEY", new Binding(List.of("api.test"), List.of("query"), Optional.empty(), List.of("netrc")));

        var listed = store.list().getFirst();

        assertThat(listed.binding().useWith()).containsExactly("api.test");
        assertThat(listed.binding().prepare()).containsExactly("netrc");
        assertThat(listed.current().since()).isEqualTo(NOON);
        assertThat(listed.lastUsed()).contains(NOON.plusSeconds(60));
        assertThat(listed + "").doesNotContain("canary");
    }

    @Test
    void the_value_before_a_rotation_is_kept_until_it_is_removed() throws IOException {
        put("API_KEY", "first-value-000000");
        put("API_KEY", "second-value-11111");

        assertThat(text(store, "API_KEY")).isEqualTo("second-value-11111");
        assertThat(store.list().getFirst().versions()).hasSize(2);
        assertThat(store.removeEarlier("API_KEY")).isEqualTo(1);
        assertThat(store.list().getFirst().versions()).hasSize(1);
        assertThat(text(store, "API_KEY")).isEqualTo("second-value-11111");
    }

    @Test
    void versions_are_bounded_and_the_refusal_says_what_to_do() throws IOException {
        for (int i = 0; i < SecretStore.MOST_VERSIONS; i++) {
            put("API_KEY", CANARY + i);
        }
        assertThatThrownBy(() -> put("API_KEY", CANARY))
                .isInstanceOf(StoreException.class)
                .hasMessage("API_KEY has 8 versions (expected: fewer; cagewright secret rm --earlier API_KEY drops"
                        + " those before)");
        assertThat(text(store, "API_KEY")).isEqualTo(CANARY + 7);
    }

    @Test
    void a_removed_secret_is_gone_and_its_number_is_never_given_again() throws IOException {
        long number = put("API_KEY", CANARY).current().number();
        store.remove("API_KEY");

        assertThat(store.open("API_KEY")).isEmpty();
        assertThat(put("API_KEY", CANARY).current().number()).isGreaterThan(number);
        assertThatThrownBy(() -> store.remove("OTHER"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no secret OTHER is stored for every cage");
    }

    @Test
    void another_key_opens_nothing_and_changes_nothing() throws IOException {
        put("API_KEY", CANARY);
        var before = Files.readAllBytes(file);
        var other = at(NOON, StoreKey.random(new SecureRandom()));

        assertThatThrownBy(() -> other.open("API_KEY"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was written under another key")
                .hasMessageContaining("nothing was changed");
        assertThatThrownBy(() -> other.remove("API_KEY")).isInstanceOf(StoreException.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void a_store_that_was_cut_off_anywhere_is_refused() throws IOException {
        put("API_KEY", CANARY);
        var whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> store.open("API_KEY"))
                    .as("%d bytes", length)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("ends early");
        }
    }

    @Test
    void a_bit_that_flips_anywhere_is_refused() throws IOException {
        put("API_KEY", CANARY);
        var whole = Files.readAllBytes(file);
        for (int at = 0; at < whole.length; at++) {
            var changed = whole.clone();
            changed[at] ^= 1;
            Files.write(file, changed);
            assertThatThrownBy(() -> store.open("API_KEY"))
                    .as("byte %d", at)
                    .isInstanceOf(StoreException.class)
                    .hasMessageNotContaining("canary");
        }
    }

    @Test
    void a_later_form_is_refused_with_what_to_do() throws IOException {
        Files.writeString(file, "cagewright-secrets 2\nwhatever");
        assertThatThrownBy(() -> put("API_KEY", CANARY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("its form is not known here (expected: cagewright-secrets 1; use the version of"
                        + " the product that wrote it");
        assertThat(Files.readString(file)).isEqualTo("cagewright-secrets 2\nwhatever");
    }

    @Test
    void a_store_does_not_open_as_the_one_of_another_scope() throws IOException {
        put("API_KEY", CANARY);
        var other = new SecretStore(file, "the cage build", key, InstantSource.system());
        assertThatThrownBy(() -> other.open("API_KEY"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is the store of another scope");
    }

    @Test
    void no_salt_and_nonce_come_twice() {
        var seen = new HashSet<String>();
        for (int i = 0; i < 2_000; i++) {
            var sealed = Sealed.of(key, "x", new byte[] {1});
            assertThat(seen.add(new String(sealed.bytes(), 0, 28, ISO_8859_1))).isTrue();
        }
    }

    @Test
    void a_record_opens_as_nothing_else() {
        var sealed = Sealed.of(key, "value\0every cage\0A\0001", CANARY.getBytes(US_ASCII));
        assertThat(sealed.open(key, "value\0every cage\0A\0001")).isPresent();
        assertThat(sealed.open(key, "value\0every cage\0A\0002")).isEmpty();
        assertThat(sealed.open(key, "value\0every cage\0B\0001")).isEmpty();
        assertThat(sealed.open(key, "value\0the cage x\0A\0001")).isEmpty();
    }

    @Test
    void writers_at_once_lose_nothing() throws ExecutionException, IOException, InterruptedException {
        var tasks = new ArrayList<Callable<Stored>>();
        IntStream.range(0, 24).forEach(i -> tasks.add(() -> put("KEY_" + i, CANARY + i)));
        try (var threads = Executors.newFixedThreadPool(6)) {
            for (var done : threads.invokeAll(tasks)) {
                done.get();
            }
        }
        assertThat(store.list()).hasSize(24);
        assertThat(text(store, "KEY_17")).isEqualTo(CANARY + 17);
    }

    @Test
    void a_full_disk_leaves_what_was_stored() throws IOException {
        put("API_KEY", CANARY);
        Files.createDirectory(file.resolveSibling("user.secrets.new"));
        Files.createFile(file.resolveSibling("user.secrets.new").resolve("in-the-way"));

        assertThatThrownBy(() -> put("OTHER", CANARY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be written")
                .hasMessageContaining("what was stored before still is");
        assertThat(text(store, "API_KEY")).isEqualTo(CANARY);
    }

    @Test
    void a_store_that_is_a_link_or_a_folder_is_refused() throws IOException {
        Files.createSymbolicLink(file, file.resolveSibling("elsewhere"));
        assertThatThrownBy(() -> put("API_KEY", CANARY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is no regular file");
    }

    @Test
    void a_value_expires_and_a_clock_that_goes_back_makes_it_stale() throws IOException {
        try (var value = SecretValue.copyOf(CANARY.getBytes(US_ASCII))) {
            var lasts = Optional.of(Duration.ofHours(1));
            var refresh = Optional.of(new Refresh(List.of("print-key"), lasts));
            store.put(
                    "API_KEY",
                    value,
                    new SecretStore.Terms(
                            refresh, Optional.of(NOON.plus(Duration.ofHours(1))), SecretStore.Earlier.REPLACED));
        }
        var secret = store.find("API_KEY").orElseThrow();
        assertThat(secret.refresh().orElseThrow().command()).containsExactly("print-key");
        assertThat(secret.current().isStale(NOON.plusSeconds(3_599))).isFalse();
        assertThat(secret.current().isStale(NOON.plusSeconds(3_600))).isTrue();
        assertThat(secret.current().isStale(NOON.minusSeconds(1))).isTrue();
        assertThat(put("PLAIN", CANARY).current().isStale(NOON.minusSeconds(1))).isFalse();
    }

    @Test
    void decoys_that_are_rotated_have_another_number() throws IOException {
        long before = put("API_KEY", CANARY).decoys();
        store.rotateDecoys(List.of("API_KEY"));
        assertThat(store.find("API_KEY").orElseThrow().decoys()).isNotEqualTo(before);
        assertThat(text(store, "API_KEY")).isEqualTo(CANARY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-x", "a b", "a=b", "../x", "sk-x/y"})
    void what_is_no_name_is_refused_without_showing_it(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put(name, CANARY))
                .withMessageContaining("the secret's name is none (expected: 1 to 128 letters");
    }

    @Test
    void all_of_them_come_back_at_once() throws IOException {
        var half = SecretStore.MOST / 20;
        for (int i = 0; i < half; i++) {
            put("KEY_" + i, CANARY + i);
        }
        var all = store.openAll();
        assertThat(all).hasSize(half);
        all.forEach(one -> one.value().close());
    }

    private static SecretValue value(String text) {
        return SecretValue.copyOf(text.getBytes(US_ASCII));
    }

    @Test
    void what_two_rewrite_at_once_is_all_there() throws ExecutionException, IOException, InterruptedException {
        Callable<Void> adding = () -> {
            for (int i = 0; i < 10; i++) {
                store.rewrite(
                        "LOGIN",
                        Binding.NOWHERE,
                        before -> value(before.map(one -> one.lend(bytes -> new String(bytes, US_ASCII)))
                                        .orElse("")
                                + "x"));
            }
            return null;
        };
        try (var pool = Executors.newFixedThreadPool(2)) {
            for (var done : pool.invokeAll(List.of(adding, adding))) {
                done.get();
            }
        }
        assertThat(text(store, "LOGIN")).isEqualTo("x".repeat(20));
        assertThat(store.find("LOGIN").orElseThrow().versions()).hasSize(1);
    }

    @Test
    void a_rewriting_that_fails_changes_nothing() throws IOException {
        put("LOGIN", CANARY);
        assertThatThrownBy(() -> store.rewrite("LOGIN", Binding.NOWHERE, _ -> {
                    throw new StoreException("no");
                }))
                .isInstanceOf(StoreException.class);
        assertThat(text(store, "LOGIN")).isEqualTo(CANARY);
    }
}
