package dev.cagewright.supervisor.resident;

import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.supervisor.named.NamedCages;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.recorded.RecordedLines;
import dev.cagewright.supervisor.resident.caller.Onlooker;
import dev.cagewright.supervisor.resident.log.Notes;
import dev.cagewright.supervisor.resident.log.RollingLog;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// The named cages that are up, by name. What concerns one name happens one after the other; names do not wait for each
/// other. Closing it takes all down. Safe for all threads.
final class Resident implements AutoCloseable {
    /// How often it is looked whether they all live.
    private static final long PAUSE_MILLIS = 500;

    private final StateFolders folders;
    private final Runtime runtime;
    private final Notes notes;
    private final Map<String, LivingCage> living = new ConcurrentHashMap<>();
    private final Map<String, ReentrantLock> turns = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /// @param runtime the supervisor's; whoever started it closes it after this
    Resident(StateFolders folders, Runtime runtime, Notes notes) {
        this.folders = folders;
        this.runtime = runtime;
        this.notes = notes;
        Thread.ofPlatform().daemon().name("cages-alive").start(this::look);
    }

    /// A cage that is up.
    ///
    /// @param told what a person should hear, each one sentence
    record Came(LivingCage cage, UpOrder.Arrival arrival, List<String> told) {}

    /// Brings one up, where it is not up already.
    ///
    /// @param onlooker hears of its set-up, if it has one
    /// @throws RefusedException if it is up without what is wanted, or not to be had
    Came up(UpOrder order, Onlooker onlooker) throws IOException, PolicySyntaxException, BadPolicyException {
        var turn = turn(order.name());
        try {
            var there = living.get(order.name());
            if (there != null && there.isAlive()) {
                there.requireWhatIsWanted(order);
                return new Came(there, UpOrder.Arrival.BEFORE, there.changedSince(folders));
            }
            if (there != null) {
                dropped(there, "ended");
            }
            if (closed.getCount() == 0) {
                throw new RefusedException("the background supervisor ends (expected: the same again)", Ends.FAILED);
            }
            var cage = LivingCage.up(folders, order, () -> new SharedRuntime(runtime), onlooker);
            living.put(order.name(), cage);
            begun(cage);
            return new Came(cage, UpOrder.Arrival.NEW, cage.told());
        } finally {
            turn.unlock();
        }
    }

    private void begun(LivingCage cage) throws IOException {
        try {
            cage.startOwn(NamedCages.of(folders).state(cage.name()).resolve(RollingLog.NAME));
            notes.say("up " + cage.name() + " " + cage.session());
        } catch (IOException e) {
            dropped(cage, "failed");
            throw e;
        }
    }

    /// Takes one down.
    ///
    /// @return what a person should hear of what it left
    /// @throws RefusedException if it is not up
    List<String> stop(String name) throws RefusedException {
        var turn = turn(name);
        try {
            return dropped(require(name), "stopped");
        } finally {
            turn.unlock();
        }
    }

    private List<String> dropped(LivingCage cage, String state) {
        var heard = cage.down(state);
        living.remove(cage.name(), cage);
        notes.say(state + " " + cage.name() + " " + cage.session());
        return heard;
    }

    private ReentrantLock turn(String name) {
        var turn = turns.computeIfAbsent(name, _ -> new ReentrantLock());
        turn.lock();
        return turn;
    }

    /// @throws RefusedException if it is not up
    LivingCage require(String name) throws RefusedException {
        return Optional.ofNullable(living.get(name))
                .orElseThrow(() -> new RefusedException(
                        name + " is not up (expected: cagewright up " + name
                                + ", or one that cagewright ls shows as up)",
                        Ends.USAGE));
    }

    /// What the person's log has.
    RecordedLines recorded() {
        return new RecordedLines(folders);
    }

    /// By name.
    List<CageState> states() {
        return living.values().stream()
                .map(LivingCage::state)
                .sorted(Comparator.comparing(CageState::name))
                .toList();
    }

    boolean isEmpty() {
        return living.isEmpty();
    }

    /// One whose first process died, of a limit or by somebody's hand, is taken down.
    private void look() {
        try {
            while (!closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                living.values().stream().filter(cage -> !cage.isAlive()).forEach(this::ended);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void ended(LivingCage cage) {
        var turn = turn(cage.name());
        try {
            if (living.get(cage.name()) == cage) {
                dropped(cage, "ended");
            }
        } finally {
            turn.unlock();
        }
    }

    /// Takes all down, at once.
    @Override
    public void close() {
        closed.countDown();
        var downs = living.values().stream()
                .map(cage -> Thread.ofPlatform().name("down-" + cage.name()).start(() -> {
                    var turn = turn(cage.name());
                    try {
                        dropped(cage, "stopped");
                    } finally {
                        turn.unlock();
                    }
                }))
                .toList();
        for (Thread down : downs) {
            try {
                down.join();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
