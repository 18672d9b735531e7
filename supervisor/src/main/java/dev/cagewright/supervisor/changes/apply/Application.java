package dev.cagewright.supervisor.changes.apply;

import dev.cagewright.supervisor.changes.Change;
import dev.cagewright.supervisor.changes.ChangeSet;
import dev.cagewright.supervisor.changes.CopyTrees;
import dev.cagewright.supervisor.changes.GoneBefore;
import dev.cagewright.supervisor.changes.Node;
import dev.cagewright.supervisor.changes.diff.Patch;
import dev.cagewright.supervisor.copy.Bases;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Brings the changes of one copy to the host. Whoever calls it holds the session's lock, so that the run is over
/// and nobody else applies or discards. For one thread.
public final class Application {
    private final SessionCopy copy;
    private final ApplyJournal journal;
    private final HostWriter.Moments moments;

    public Application(SessionCopy copy) {
        this(copy, _ -> {});
    }

    Application(SessionCopy copy, HostWriter.Moments moments) {
        this.copy = copy;
        this.journal = new ApplyJournal(copy);
        this.moments = moments;
    }

    /// How it went.
    ///
    /// @param done brought over
    /// @param kept not brought over, each with its refusal
    /// @param notes what else a person should know, each one sentence
    public record Result(List<Step> done, List<Step> kept, List<String> notes) {
        public Result {
            done = List.copyOf(done);
            kept = List.copyOf(kept);
            notes = List.copyOf(notes);
        }
    }

    /// Finishes or undoes what an interrupted application left half done.
    ///
    /// @return what was done, each one sentence; empty if nothing was left
    public List<String> recover() throws IOException {
        var pending = journal.pending();
        if (pending.isEmpty()) {
            return List.of();
        }
        var told = new ArrayList<String>();
        if (!pending.get().isDone()) {
            told.add("an application was interrupted before it had come to its end");
            try (var trees = CopyTrees.open(copy)) {
                told.addAll(new Recovery(trees).recover(pending.get().acts()));
            }
        }
        journal.end();
        return told;
    }

    /// What would be done.
    ///
    /// @throws IOException if one of the trees cannot be read, or changes were missed, so that no plan is whole
    public static ApplyPlan plan(ApplyRequest request) throws IOException {
        return ApplyPlan.of(ChangeSet.of(request.copy()), request);
    }

    /// Carries `plan` out. A step that fails is kept and told; the others go on.
    ///
    /// @throws IOException if the plan cannot be written down; nothing was changed
    public Result carryOut(ApplyPlan plan) throws IOException {
        var done = new ArrayList<Step>();
        var kept = new ArrayList<>(plan.steps().stream().filter(Step::isRefused).toList());
        try (var trees = CopyTrees.open(copy)) {
            var writer = new HostWriter(trees, journal, moments);
            var steps = plan.allowed();
            GoneBefore.keep(copy, plan.conflicts());
            journal.begin(steps.stream().flatMap(step -> act(step).stream()).toList());
            moments.passed("plan written");
            for (Step step : steps) {
                attempt(writer, step, new MergedFile(copy, trees)).ifPresentOrElse(kept::add, () -> done.add(step));
            }
            dress(writer);
            moments.passed("all done");
            end(writer);
            settle(trees, done, writer);
            return new Result(done, kept, writer.notes());
        }
    }

    /// The step with its refusal if it could not be carried out.
    private static Optional<Step> attempt(HostWriter writer, Step step, MergedFile merged) {
        try {
            if (step.content() == Step.Content.MERGED) {
                merged.put(step);
            }
            writer.carryOut(step);
            return Optional.empty();
        } catch (HostWriter.ChangedMeanwhileException e) {
            return Optional.of(step.refused(Step.Kind.CONFLICT, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            return Optional.of(step.refused(Step.Kind.FAILED, String.valueOf(e.getMessage())));
        }
    }

    /// What both have now is what later changes are counted from.
    private void settle(CopyTrees trees, List<Step> done, HostWriter writer) {
        var bases = new Bases(copy);
        try {
            for (Step step : done) {
                if (step.difference().change() instanceof Change.Modified(var path, var _, Node.File _)
                        && bases.of(path).isPresent()) {
                    bases.settle(
                            path, trees.hostBytes(path, Patch.TEXT_LIMIT + 1).orElse(new byte[0]));
                }
            }
        } catch (IOException e) {
            writer.notes()
                    .add("a later change of the host's may not be brought together with the copy's (" + e.getMessage()
                            + ")");
        }
    }

    private static void dress(HostWriter writer) {
        try {
            writer.dressFolders();
        } catch (HostWriter.ChangedMeanwhileException | IOException e) {
            writer.notes().add("a new directory keeps mode 0700 (" + e.getMessage() + "); apply again sets it");
        }
    }

    private void end(HostWriter writer) {
        try {
            journal.end();
        } catch (IOException e) {
            writer.notes().add("everything was done, and its plan could not be removed (" + e.getMessage() + ")");
        }
    }

    /// What can be half done at a step; directories and permissions cannot.
    private Optional<PlannedAct> act(Step step) {
        var aside = journal.aside(step.path());
        var was = step.difference().host().map(PlannedAct.Was::of);
        return switch (step.difference().change()) {
            case Change.Added(var path, var after) ->
                after instanceof Node.Folder
                        ? Optional.empty()
                        : Optional.of(new PlannedAct(PlannedAct.Kind.PUT, path, aside, Optional.empty()));
            case Change.Modified(var path, var _, var _) ->
                Optional.of(new PlannedAct(PlannedAct.Kind.PUT, path, aside, was));
            case Change.Deleted(var path, var before) ->
                before instanceof Node.Folder
                        ? Optional.empty()
                        : Optional.of(new PlannedAct(PlannedAct.Kind.DROP, path, aside, was));
            case Change.ModeChanged _ -> Optional.empty();
        };
    }
}
