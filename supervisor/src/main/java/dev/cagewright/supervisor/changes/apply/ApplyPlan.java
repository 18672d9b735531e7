package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.protect.ProtectedPaths;
import dev.cagewright.sandbox.protect.ProtectionRequest;
import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.ChangeSet;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.Difference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Which of the chosen changes are brought over, in which order, and which are not.
///
/// @param steps every chosen change; those that are not refused in the order in which they are carried out: what has
///     to make room, what comes, what goes
public record ApplyPlan(ApplyRequest request, List<Step> steps, List<RelativePath> conflicts) {
    public ApplyPlan {
        conflicts = List.copyOf(conflicts);
        steps = List.copyOf(steps);
    }

    /// Judges each change; touches nothing.
    ///
    /// @throws IOException if the host's directory cannot be looked at for what is protected
    public static ApplyPlan of(ChangeSet changes, ApplyRequest request) throws IOException {
        var chosen = changes.differences().stream()
                .filter(one -> isChosen(one.change(), request))
                .toList();
        var home = ByteString.of(request.home().directory().toString());
        var paths =
                ProtectedPaths.of(ProtectionRequest.ofBytes(request.copy().lower(), home, request.waived(), List.of()));
        var steps = new ArrayList<Step>();
        try (var trees = CopyTrees.open(request.copy())) {
            var judge = new StepJudge(request, paths, trees);
            for (Difference one : chosen) {
                steps.add(judge.judge(one));
            }
        }
        var conflicts = changes.differences().stream()
                .filter(one -> one.conflict().isPresent())
                .map(Difference::path)
                .toList();
        return new ApplyPlan(request, ordered(together(steps)), conflicts);
    }

    private static boolean isChosen(Change change, ApplyRequest request) {
        return request.chosen().stream()
                .anyMatch(wanted -> change.path().isWithin(wanted)
                        || (change instanceof Change.Added && wanted.isWithin(change.path())));
    }

    /// The steps that will be carried out.
    List<Step> allowed() {
        return steps.stream().filter(step -> !step.isRefused()).toList();
    }

    /// Where something goes so that something else can come, both happen or none.
    private static List<Step> together(List<Step> steps) {
        var blocked = new HashSet<RelativePath>();
        for (RelativePath place : retyped(steps)) {
            if (steps.stream().anyMatch(step -> step.isRefused() && isPartOf(step, place))) {
                blocked.add(place);
            }
        }
        return steps.stream()
                .map(step -> blocked.stream().anyMatch(place -> step.path().isWithin(place)) && !step.isRefused()
                        ? step.refused(
                                Step.Kind.CONFLICT, "its place is not free, because something else there is kept")
                        : step)
                .toList();
    }

    private static boolean isPartOf(Step step, RelativePath place) {
        return step.path().equals(place)
                || (step.difference().change() instanceof Change.Deleted
                        && step.path().isWithin(place));
    }

    private static Set<RelativePath> retyped(List<Step> steps) {
        var gone = new HashSet<RelativePath>();
        var both = new HashSet<RelativePath>();
        for (Step step : steps) {
            switch (step.difference().change()) {
                case Change.Deleted deleted -> gone.add(deleted.path());
                case Change.Added added when gone.contains(added.path()) -> both.add(added.path());
                case Change.Added _, Change.Modified _, Change.ModeChanged _ -> {}
            }
        }
        return both;
    }

    private static List<Step> ordered(List<Step> steps) {
        var retyped = retyped(steps);
        var first = new ArrayList<Step>();
        var middle = new ArrayList<Step>();
        var last = new ArrayList<Step>();
        for (Step step : steps) {
            if (!(step.difference().change() instanceof Change.Deleted)) {
                middle.add(step);
            } else if (isWithinAny(step.path(), retyped)) {
                first.addFirst(step);
            } else {
                last.addFirst(step);
            }
        }
        first.addAll(middle);
        first.addAll(last);
        return first;
    }

    private static boolean isWithinAny(RelativePath path, Set<RelativePath> places) {
        for (var at = path; !at.isTop(); at = at.parent()) {
            if (places.contains(at)) {
                return true;
            }
        }
        return false;
    }
}
