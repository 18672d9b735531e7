package dev.cagewright.escape.story;

import dev.cagewright.escape.Probe;
import dev.cagewright.escape.stage.Stage;
import java.util.ArrayList;
import java.util.List;

/// All subjects, for one person.
public final class Stories {
    private Stories() {}

    public static List<Probe> probes(Stage stage) {
        var all = new ArrayList<Probe>();
        all.addAll(new ArgumentStories(stage).probes());
        all.addAll(new RecordStories(stage).probes());
        all.addAll(new OwnFilesStories(stage).probes());
        all.addAll(new WorkspaceStories(stage).probes());
        all.addAll(new CopyStories(stage).probes());
        all.addAll(new SessionStories(stage).probes());
        all.addAll(new SurvivorStories(stage).probes());
        all.addAll(new LimitStories(stage).probes());
        all.addAll(new TerminalStories(stage).probes());
        all.addAll(new UndoStories(stage).probes());
        all.addAll(new SecretStories(stage).probes());
        all.addAll(new TokenStories(stage).probes());
        all.addAll(new AnswerStories(stage).probes());
        all.addAll(new NestedStories(stage).probes());
        return List.copyOf(all);
    }
}
