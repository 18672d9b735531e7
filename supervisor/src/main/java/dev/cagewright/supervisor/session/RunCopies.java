package dev.cagewright.supervisor.session;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.supervisor.copy.CopyFolders;
import dev.cagewright.supervisor.copy.CopyPlace;
import dev.cagewright.supervisor.copy.CopyWatch;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The copies that one run works on, from before its cage until after it. They stay when the run has ended; they go
/// when nothing ran.
///
/// @param made none when the run writes to the host, or nowhere
/// @param notices what a person should hear about them, each one sentence
record RunCopies(Session session, List<SessionCopy> made, List<String> notices) {
    RunCopies {
        made = List.copyOf(made);
        notices = List.copyOf(notices);
    }

    /// Makes them all, by overlays where that is possible.
    ///
    /// @param refused why the kernel refused an overlay for these places; empty if it was not asked yet
    /// @throws ConfinementException if a place can be copied neither way; nothing is left
    static RunCopies make(Session session, List<CopyPlace> places, Optional<String> refused)
            throws IOException, ConfinementException {
        var folders = new CopyFolders(session.folder(), session.terms().copies());
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
            new RunCopies(session, made, notices).discard();
            throw e;
        }
        return new RunCopies(session, made, notices);
    }

    /// The plan, with the writes to each copied place diverted to its copy. No file may be larger than all may be
    /// together, so that one file cannot fill the disk between two looks.
    CagePlan over(CagePlan plan) throws ConfinementException {
        if (made.isEmpty()) {
            return plan;
        }
        var spec = plan.spec();
        long largest =
                Math.min(spec.limits().fileSize(), session.terms().copies().bytes());
        var diverted = spec.withDiversions(CopyFolders.diversions(made))
                .withLimits(spec.limits().withFileSize(largest));
        var told = new ArrayList<>(plan.notices());
        told.addAll(notices);
        return new CagePlan(diverted, plan.launch(), plan.copied(), plan.grantsWorkspace(), told);
    }

    /// The copy of `directory`, if there is one.
    Optional<SessionCopy> of(HostDirectory directory) {
        return made.stream()
                .filter(copy -> ByteString.of(copy.at().value()).equals(directory.path()))
                .findFirst();
    }

    CopyWatch watch(Cage cage) {
        return CopyWatch.over(made, session.terms().copies(), cage);
    }

    /// `held`, and what holds for the copies.
    Enforcement reported(Enforcement held) {
        if (made.isEmpty()) {
            return held;
        }
        var enforced = new ArrayList<>(held.enforced());
        made.forEach(copy -> enforced.add(new Enforcement.Enforced(
                "copy", copy.mechanism().word(), copy.at().value())));
        var quota = session.terms().copies();
        enforced.add(new Enforcement.Enforced(
                "copy size", "counted up to five times a second; RLIMIT_FSIZE for one file", quota.bytes() + " bytes"));
        enforced.add(new Enforcement.Enforced(
                "copy files", "counted up to five times a second", Long.toString(quota.entries())));
        return new Enforcement(enforced, held.gaps());
    }

    /// Clears up what only the run needed, and says where its changes are.
    List<String> ended() {
        for (SessionCopy copy : made) {
            CopyFolders.removeWork(copy);
        }
        if (made.stream().noneMatch(RunCopies::isChanged)) {
            return made.isEmpty() ? List.of() : List.of("nothing was changed in the copy");
        }
        return List.of("changes are kept: cagewright changes " + session.id());
    }

    private static boolean isChanged(SessionCopy copy) {
        try (var entries = Files.newDirectoryStream(copy.upper())) {
            return entries.iterator().hasNext();
        } catch (IOException _) {
            return true;
        }
    }

    /// No program has run on them.
    void discard() throws IOException {
        for (SessionCopy copy : made) {
            CopyFolders.discard(copy);
        }
    }
}
