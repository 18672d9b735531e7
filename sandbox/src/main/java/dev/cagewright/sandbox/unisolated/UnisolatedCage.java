package dev.cagewright.sandbox.unisolated;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Enforcement;
import dev.cagewright.sandbox.KillReason;
import dev.cagewright.sandbox.Launch;
import dev.cagewright.sandbox.NetCell;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Snapshot;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/// Not a cage: a name for the processes that were started under one specification.
final class UnisolatedCage implements Cage {
    private static final List<String> NOT_HELD =
            List.of("isolation", "files", "network", "processes", "memory", "cpus", "disk", "exec");

    private final CageSpec spec;
    private final List<PlainRun> runs = new CopyOnWriteArrayList<>();

    UnisolatedCage(CageSpec spec) {
        this.spec = spec;
    }

    @Override
    public String id() {
        return spec.id();
    }

    @Override
    public Run start(Warrant warrant, Launch launch) throws ConfinementException {
        var program = warrant.spend(Action.ProcExec.class);
        var builder = new ProcessBuilder(command(program, launch))
                .directory(
                        new File(text(ByteString.of(program.workingDirectory().value()))));
        builder.environment().clear();
        for (var variable : launch.environment()) {
            var words = text(variable).split("=", 2);
            builder.environment().put(words[0], words[1]);
        }
        try {
            var run = PlainRun.of(builder, launch.streams(), spec.limits());
            runs.add(run);
            return run;
        } catch (IOException e) {
            throw new ConfinementException(
                    "start",
                    "exec(" + launch.program() + ")",
                    String.valueOf(e.getMessage()),
                    "name an executable file");
        }
    }

    private static List<String> command(Action.ProcExec program, Launch launch) throws ConfinementException {
        var words = new ArrayList<String>();
        words.add(text(launch.program()));
        for (var word : program.argv().subList(1, program.argv().size())) {
            words.add(text(word));
        }
        return words;
    }

    private static String text(ByteString bytes) throws ConfinementException {
        return bytes.utf8()
                .orElseThrow(() -> new ConfinementException(
                        "start", "exec", bytes + " is not UTF-8", "run it in a cage, which takes any bytes"));
    }

    @Override
    public void pause() throws ConfinementException {
        throw new ConfinementException("pause", "pause", "there is no cage", "run without --unsafe-no-isolation");
    }

    @Override
    public void resume() throws ConfinementException {
        throw new ConfinementException("resume", "resume", "there is no cage", "run without --unsafe-no-isolation");
    }

    @Override
    public void kill(KillReason reason) {
        runs.forEach(run -> run.kill(reason));
    }

    @Override
    public Snapshot snapshot() {
        long alive = runs.stream().filter(PlainRun::isAlive).count();
        var state = alive == 0 ? Snapshot.State.ENDED : Snapshot.State.RUNNING;
        return new Snapshot(spec.id(), state, (int) alive, 0, Duration.ZERO);
    }

    @Override
    public Enforcement enforcement() {
        var held = List.of(
                new Enforcement.Enforced(
                        "wall", "timer of the supervisor", spec.limits().wall().toString()),
                new Enforcement.Enforced(
                        "output", "counted by the supervisor", spec.limits().outputBytes() + " bytes"));
        var gaps = NOT_HELD.stream()
                .map(limit -> new Enforcement.Gap(
                        limit, "isolation was given up by name", "run without --unsafe-no-isolation"))
                .toList();
        return new Enforcement(held, gaps);
    }

    @Override
    public Optional<NetCell> netCell() {
        return Optional.empty();
    }

    @Override
    public long initPid() {
        return runs.isEmpty() ? ProcessHandle.current().pid() : runs.getFirst().pid();
    }

    @Override
    public void close() {
        kill(KillReason.REQUESTED);
    }
}
