package dev.cagewright.secrets.store;

import dev.cagewright.secrets.value.SecretValue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// The secrets of one scope, in one file. Every act reads the file, and a change replaces it whole while no other
/// writer
/// can; a change that fails has changed nothing. At most [#MOST] secrets with [#MOST_VERSIONS] versions each, and
/// [#MOST_BYTES] together. Safe for all threads; owns neither key nor file.
public final class SecretStore {
    public static final int MOST = 2_000;
    public static final int MOST_VERSIONS = 8;
    public static final int MOST_BYTES = 64 << 20;

    private final Path path;
    private final WholeFile file;
    private final StoreForm form;
    private final InstantSource clock;

    /// @param path in a folder that is there and is the person's alone
    /// @param scope whose secrets these are, e.g. `user` or `cage build`; one line
    /// @param key stays the caller's
    public SecretStore(Path path, String scope, StoreKey key, InstantSource clock) {
        this.path = path;
        this.file = new WholeFile(path, MOST_BYTES);
        this.form = new StoreForm(path, scope, key);
        this.clock = clock;
    }

    public Path path() {
        return path;
    }

    /// What is stored, by name; nothing where there is no file.
    ///
    /// @throws StoreException if there is one and it cannot be used
    public List<Stored> list() throws IOException {
        return contents().items().values().stream().map(Item::secret).toList();
    }

    public Optional<Stored> find(String name) throws IOException {
        return Optional.ofNullable(contents().items().get(name)).map(Item::secret);
    }

    /// A secret with its value.
    ///
    /// @param value the caller's to close
    public record Opened(Stored secret, SecretValue value) {}

    /// The secret of that name with the value in use; empty if there is none.
    public Optional<Opened> open(String name) throws IOException {
        return view().open(name);
    }

    /// Reads it once, for whoever asks for many.
    public View view() throws IOException {
        return new View(contents());
    }

    /// What the store held at one moment. Immutable, and safe for all threads.
    public final class View {
        private final Contents contents;

        private View(Contents contents) {
            this.contents = contents;
        }

        /// As [SecretStore#find].
        public Optional<Stored> find(String name) {
            return Optional.ofNullable(contents.items().get(name)).map(Item::secret);
        }

        /// As [SecretStore#open].
        public Optional<Opened> open(String name) throws StoreException {
            var item = contents.items().get(name);
            return item == null ? Optional.empty() : Optional.of(opened(item));
        }
    }

    /// All of them with their values.
    public List<Opened> openAll() throws IOException {
        var all = new ArrayList<Opened>();
        try {
            for (Item item : contents().items().values()) {
                all.add(opened(item));
            }
            return all;
        } catch (IOException | RuntimeException e) {
            all.forEach(one -> one.value().close());
            throw e;
        }
    }

    private Opened opened(Item item) throws StoreException {
        var secret = item.secret();
        var about = form.aboutValue(secret.name(), secret.current().number());
        var plain = item.current()
                .open(form.key(), about)
                .orElseThrow(() -> form.refusal("the value of " + secret.name() + " was changed, so it is not used"));
        try {
            return new Opened(secret, SecretValue.copyOf(plain));
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    /// Whether the versions before it stay.
    public enum Earlier {
        KEPT,
        REPLACED
    }

    /// What a value comes with.
    ///
    /// @param expires when it is good no longer
    public record Terms(Optional<Refresh> refresh, Optional<Instant> expires, Earlier earlier) {
        public static final Terms USUAL = new Terms(Optional.empty(), Optional.empty(), Earlier.KEPT);
    }

    /// Stores a value: a new secret, bound to nowhere, or another version of the one of that name.
    ///
    /// @throws StoreException if it cannot be stored; nothing is changed
    /// @throws IllegalArgumentException if `name` is none
    public Stored put(String name, SecretValue value, Terms terms) throws IOException {
        Stored.requireName(name);
        return changed(name, before -> {
            var old = Optional.ofNullable(before.items().get(name));
            requireRoom(name, before, old, terms);
            var keeps = old.filter(_ -> terms.earlier() == Earlier.KEPT);
            var versions =
                    new ArrayList<>(keeps.map(item -> item.secret().versions()).orElse(List.of()));
            var values = new ArrayList<>(keeps.map(Item::values).orElse(List.of()));
            versions.add(new Stored.Version(before.next(), clock.instant(), terms.expires()));
            values.add(value.lend(bytes -> Sealed.of(form.key(), form.aboutValue(name, before.next()), bytes)));
            var secret = old.map(item -> item.secret().with(versions, terms.refresh()))
                    .orElseGet(() -> new Stored(
                            name, Binding.NOWHERE, terms.refresh(), versions, Optional.empty(), before.next()));
            return before.numbered().with(new Item(secret, values));
        });
    }

    /// What becomes of a value.
    @FunctionalInterface
    public interface Rewriting {
        /// Makes one of another.
        ///
        /// @param before the value in use, which stays the store's to wipe; empty if there is none
        /// @return the caller's to give, and wiped once it is stored
        SecretValue of(Optional<SecretValue> before) throws IOException;
    }

    /// Replaces the value of a secret, or stores the first one, by what `rewriting` makes of the one in use; no other
    /// writer comes between. The versions before are not kept.
    ///
    /// @throws StoreException if it cannot be stored; nothing is changed
    /// @throws IllegalArgumentException if `name` is none
    public Stored rewrite(String name, Binding binding, Rewriting rewriting) throws IOException {
        Stored.requireName(name);
        var terms = new Terms(Optional.empty(), Optional.empty(), Earlier.REPLACED);
        return changed(name, before -> {
            var old = Optional.ofNullable(before.items().get(name));
            requireRoom(name, before, old, terms);
            var version = new Stored.Version(before.next(), clock.instant(), Optional.empty());
            var sealed = rewritten(old, rewriting, form.aboutValue(name, before.next()));
            var secret = old.map(Item::secret)
                    .orElseGet(() -> new Stored(
                            name, binding, Optional.empty(), List.of(version), Optional.empty(), before.next()));
            var now = secret.with(List.of(version), Optional.empty()).with(binding);
            return before.numbered().with(new Item(now, List.of(sealed)));
        });
    }

    private Sealed rewritten(Optional<Item> old, Rewriting rewriting, String about) throws IOException {
        var opened = old.isPresent() ? Optional.of(opened(old.get()).value()) : Optional.<SecretValue>empty();
        try (var value = rewriting.of(opened)) {
            return value.lend(bytes -> Sealed.of(form.key(), about, bytes));
        } finally {
            opened.ifPresent(SecretValue::close);
        }
    }

    private void requireRoom(String name, Contents before, Optional<Item> old, Terms terms) throws StoreException {
        if (old.isEmpty() && before.items().size() == MOST) {
            throw new StoreException(path + ": holds " + MOST + " secrets (expected: fewer; remove some first)");
        }
        boolean isFull =
                old.filter(item -> item.values().size() >= MOST_VERSIONS).isPresent();
        if (isFull && terms.earlier() == Earlier.KEPT) {
            throw new StoreException(name + " has " + MOST_VERSIONS
                    + " versions (expected: fewer; cagewright secret rm --earlier " + name + " drops those before)");
        }
    }

    /// Says where a secret may go.
    ///
    /// @throws StoreException if there is no such secret
    public Stored bind(String name, Binding binding) throws IOException {
        return changed(name, before -> {
            var item = item(before, name);
            return before.with(item.with(item.secret().with(binding)));
        });
    }

    /// Takes a secret away, every version of it.
    ///
    /// @throws StoreException if there is no such secret
    public void remove(String name) throws IOException {
        change(before -> {
            item(before, name);
            return before.without(name);
        });
    }

    /// Takes the versions away that are not in use.
    ///
    /// @return how many there were
    /// @throws StoreException if there is no such secret
    public int removeEarlier(String name) throws IOException {
        int before = find(name).map(secret -> secret.versions().size()).orElse(1);
        var left = changed(name, contents -> {
            var item = item(contents, name);
            var secret = item.secret();
            return contents.with(
                    new Item(secret.with(List.of(secret.current()), secret.refresh()), List.of(item.current())));
        });
        return before - left.versions().size();
    }

    /// From now on the decoys that were made of these are good no longer.
    ///
    /// @throws StoreException if one of them is not there
    public void rotateDecoys(Collection<String> names) throws IOException {
        change(before -> {
            var after = before;
            for (String name : names) {
                var item = item(after, name);
                after = after.with(item.with(item.secret().withDecoysOf(after.next())))
                        .numbered();
            }
            return after;
        });
    }

    /// Notes that a run was given these.
    public void used(Collection<String> names) throws IOException {
        change(before -> {
            var after = before;
            for (String name : names) {
                var item = item(after, name);
                after = after.with(item.with(item.secret().usedAt(clock.instant())));
            }
            return after;
        });
    }

    private Item item(Contents contents, String name) throws StoreException {
        var item = contents.items().get(name);
        if (item == null) {
            throw new StoreException("no secret " + name + " is stored for " + form.scope() + " (cagewright secret list"
                    + " shows those that are)");
        }
        return item;
    }

    private Contents contents() throws IOException {
        var bytes = file.read();
        return bytes.isEmpty() ? Contents.EMPTY : form.read(bytes.get());
    }

    /// What becomes of the contents.
    @FunctionalInterface
    private interface Change {
        Contents of(Contents before) throws IOException;
    }

    private Stored changed(String name, Change change) throws IOException {
        return item(change(change), name).secret();
    }

    private Contents change(Change change) throws IOException {
        try (var _ = StoreLock.of(path)) {
            var after = change.of(contents());
            file.write(form.write(after));
            return after;
        }
    }
}
