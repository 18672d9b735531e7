package dev.cagewright.supervisor.credentials;

import dev.cagewright.secrets.store.SecretStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// Stores as they were when the first of their secrets was asked for, each read once. One thread.
final class Views {
    private final Map<Path, SecretStore.View> byStore = new HashMap<>();

    SecretStore.View of(SecretStore store) throws IOException {
        var known = byStore.get(store.path());
        return known == null ? renewed(store) : known;
    }

    /// It was changed meanwhile.
    SecretStore.View renewed(SecretStore store) throws IOException {
        var view = store.view();
        byStore.put(store.path(), view);
        return view;
    }
}
