package dev.cagewright.supervisor.repository;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Looks after a workspace where the host puts new files in the place of protected ones. Until their masks lie in their
/// places again the workload could have written to them, so settings of git that are not known to be harmless do not
/// stay, and then the cage ends; of all else a person is told. Safe for all threads.
public final class Uncovered implements Cage.Guard {
    private static final int TOLD = 20;

    private static final String OPEN =
            ": was replaced on the host, and lay open to the workload until it was protected again: look at it";

    private static final String GIVEN_UP =
            "what is protected was replaced on the host, and the run could have got hold of it: it was ended, look at it (";

    private final OwnConfigs configs;
    private final CageSpec spec;
    private final Log log;
    private final Set<String> places = new LinkedHashSet<>();
    private final List<String> taken = new ArrayList<>();

    /// Where it is put on record.
    @FunctionalInterface
    public interface Log {
        void note(String name, JsonObject detail) throws IOException;
    }

    /// @param configs of the workspace's repositories
    /// @param spec what the cage was built from
    public Uncovered(OwnConfigs configs, CageSpec spec, Log log) {
        this.configs = configs;
        this.spec = spec;
        this.log = log;
    }

    @Override
    public synchronized boolean mayGoOn(List<ByteString> covered) {
        var names = covered.stream().map(this::name).toList();
        places.addAll(names);
        try {
            var came = disarm();
            log.note(
                    "mask.covered",
                    Json.object().put("places", names).put("taken_out", came).build());
            return came.isEmpty();
        } catch (IOException e) {
            tellOf(e);
            return false;
        }
    }

    private List<String> disarm() throws IOException {
        var came = configs.disarm(spec);
        taken.addAll(came);
        return came;
    }

    private void tellOf(IOException e) {
        taken.add(ByteString.of(String.valueOf(e.getMessage())).printable() + ": look at it before you run git here");
    }

    @Override
    public synchronized void giveUp(String why) {
        taken.add(GIVEN_UP + ByteString.of(why).printable() + ")");
        try {
            var came = disarm();
            log.note(
                    "mask.lost",
                    Json.object().put("why", why).put("taken_out", came).build());
        } catch (IOException e) {
            tellOf(e);
        }
    }

    private String name(ByteString place) {
        var top = spec.workspace().path().latin1() + "/";
        var whole = place.latin1();
        var below = whole.startsWith(top) ? whole.substring(top.length()) : whole;
        return ByteString.copyOf(below.getBytes(StandardCharsets.ISO_8859_1)).printable();
    }

    /// Looks once more, when nothing of the cage lives: it may have ended before its masks were back.
    ///
    /// @return what a person should know, one sentence each, safe on a terminal
    public synchronized List<String> last() {
        try {
            disarm();
        } catch (IOException e) {
            tellOf(e);
        }
        return told();
    }

    private List<String> told() {
        var told = new ArrayList<>(taken);
        places.stream().filter(place -> !configs.isOwn(place)).limit(TOLD).forEach(place -> told.add(place + OPEN));
        return told;
    }
}
