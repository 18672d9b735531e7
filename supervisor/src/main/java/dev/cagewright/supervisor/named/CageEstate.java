package dev.cagewright.supervisor.named;

import dev.cagewright.policy.document.CageName;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Everything that there is of one named cage, beside its sessions and the audit log, which stay when it goes.
///
/// @param cages the person's
/// @param name of one that is there
public record CageEstate(NamedCages cages, String name) {
    /// What can be kept when a cage goes.
    public enum Part {
        HOME,
        SECRETS
    }

    /// What goes, apart from `kept`; secrets are no file of the cage's and are not in it.
    public List<Litter> without(Set<Part> kept) throws IOException {
        cages.requireThere(name);
        var all = new ArrayList<Litter>();
        var home = cages.home(name).folder();
        if (!kept.contains(Part.HOME) && Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS)) {
            all.add(Litter.at("its home", home));
        }
        all.add(Litter.at("its state", cages.state(name)));
        all.add(Litter.at("its files", cages.folder(name)));
        return all;
    }

    /// Does it have secrets that no other cage has?
    public boolean hasSecrets() {
        return Vault.has(cages.folders(), scope());
    }

    private Scope scope() {
        return Scope.of(new CageName(name));
    }

    /// Removes it, its files last: interrupted, it is removed by the next one who does.
    ///
    /// @throws IOException if it lives, or something cannot be removed
    public void remove(Set<Part> kept) throws IOException {
        if (CageSession.isUp(cages, name)) {
            throw new IOException("cage " + name + ": is up (expected: cagewright stop " + name + " before)");
        }
        if (!kept.contains(Part.SECRETS)) {
            Vault.forget(cages.folders(), scope());
        }
        for (Litter litter : without(kept)) {
            if (litter.place().equals(cages.folder(name))) {
                cages.remove(name);
            } else {
                litter.remove();
            }
        }
    }
}
