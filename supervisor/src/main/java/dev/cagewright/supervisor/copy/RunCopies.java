package dev.cagewright.supervisor.copy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.HostDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The copies that one run works on, from before its cage until after it. They stay when the run has ended; they go
/// when nothing ran.
///
/// @param made none when the run writes to the host, or nowhere
/// @param kept how many of them, from the first on, an earlier phase of the session has worked on
/// @param notices what a person should hear about them, each one sentence
public record RunCopies(Owner owner, List<SessionCopy> made, int kept, List<String> notices) {
    /// The session they belong to.
    ///
    /// @param session its name
    /// @param folder its folder
    /// @param quota what all its copies together may hold
    public record Owner(String session, Path folder, CopyQuota quota) {}

    public RunCopies {
        made = List.copyOf(made);
        notices = List.copyOf(notices);
    }

    /// Makes them all, by overlays where that is possible. Those that the session has are gone on with.
    ///
    /// @param refused why the kernel refused an overlay for these places; empty if it was not asked yet
    /// @throws ConfinementException if a place can be copied neither way; nothing is left
    public static RunCopies make(Owner owner, List<CopyPlace> places, Optional<String> refused)
            throws IOException, ConfinementException {
        var earlier = SessionCopy.all(owner.folder());
        if (!earlier.isEmpty()) {
            return again(owner, places, earlier);
        }
        var folders = new CopyFolders(owner.folder(), owner.quota());
        var made = new ArrayList<SessionCopy>();
        var notices = new ArrayList<String>();
        try {
            for (CopyPlace place : places) {
                var obstacle = CopyFolders.obstacle(place).or(() -> refused);
                var copy = folders.make(place, made.size(), obstacle);
                made.add(copy);
                notices.add(copy.at() + ": the program works on a copy ("
                        + copy.mechanism().word() + "), the host keeps its files");
                obstacle.ifPresent(why -> notices.add(copy.at() + ": everything was copied, because " + why));
                if (!copy.held().isEmpty()) {
                    notices.add(copy.at() + ": " + copy.held().size() + " sockets, pipes or devices were left out");
                }
            }
        } catch (ConfinementException e) {
            new RunCopies(owner, made, 0, notices).discard();
            throw e;
        }
        return new RunCopies(owner, made, 0, notices);
    }

    private static RunCopies again(Owner owner, List<CopyPlace> places, List<SessionCopy> earlier)
            throws IOException, ConfinementException {
        var wanted = places.stream().map(CopyPlace::at).toList();
        if (!earlier.stream().map(SessionCopy::at).toList().equals(wanted)) {
            throw new ConfinementException(
                    "copy", "session copies", "an earlier phase copied other places", "copy the same in every phase");
        }
        for (int i = 0; i < earlier.size(); i++) {
            CopyFolders.renewWork(earlier.get(i), places.get(i));
        }
        return new RunCopies(owner, earlier, earlier.size(), List.of());
    }

    /// `spec`, with the writes to each copied place diverted to its copy. No file may be larger than all may be
    /// together, so that one file cannot fill the disk between two looks.
    public CageSpec over(CageSpec spec) throws ConfinementException {
        if (made.isEmpty()) {
            return spec;
        }
        long largest = Math.min(spec.limits().fileSize(), owner.quota().bytes());
        return spec.withDiversions(CopyFolders.diversions(made))
                .withLimits(spec.limits().withFileSize(largest));
    }

    /// The copy of `directory`, if there is one.
    public Optional<SessionCopy> of(HostDirectory directory) {
        return made.stream()
                .filter(copy -> ByteString.of(copy.at().value()).equals(directory.path()))
                .findFirst();
    }

    /// Starts to look how much they hold, unless there is none; the caller closes it when the program has ended.
    ///
    /// @param beside a folder of the host's that the cage can fill, too
    public CopyWatch watch(Cage cage, Optional<Path> beside) {
        return CopyWatch.over(made, beside, owner.quota(), cage);
    }

    /// `held`, and what holds for the copies.
    public Enforcement reported(Enforcement held) {
        if (made.isEmpty()) {
            return held;
        }
        var enforced = new ArrayList<>(held.enforced());
        made.forEach(copy -> enforced.add(new Enforcement.Enforced(
                "copy", copy.mechanism().word(), copy.at().value())));
        var quota = owner.quota();
        enforced.add(new Enforcement.Enforced(
                "copy size", "counted up to five times a second; RLIMIT_FSIZE for one file", quota.bytes() + " bytes"));
        enforced.add(new Enforcement.Enforced(
                "copy files", "counted up to five times a second", Long.toString(quota.entries())));
        return new Enforcement(enforced, held.gaps());
    }

    /// Clears up what only the run needed, and says where its changes are.
    public List<String> ended() {
        for (SessionCopy copy : made) {
            new Bases(copy).keep();
            CopyFolders.removeWork(copy);
        }
        if (made.stream().noneMatch(RunCopies::isChanged)) {
            return made.isEmpty() ? List.of() : List.of("nothing was changed in the copy");
        }
        return List.of("changes are kept: cagewright changes " + owner.session());
    }

    private static boolean isChanged(SessionCopy copy) {
        try (var entries = Files.newDirectoryStream(copy.upper())) {
            return entries.iterator().hasNext();
        } catch (IOException _) {
            return true;
        }
    }

    /// No program of this phase has run on them; those of an earlier one stay.
    public void discard() throws IOException {
        for (SessionCopy copy : made.subList(0, kept)) {
            CopyFolders.removeWork(copy);
        }
        for (SessionCopy copy : made.subList(kept, made.size())) {
            CopyFolders.discard(copy);
        }
    }
}
