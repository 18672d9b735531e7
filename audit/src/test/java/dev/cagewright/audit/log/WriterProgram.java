package dev.cagewright.audit.log;

import dev.cagewright.audit.SampleLog;
import dev.cagewright.audit.verify.LogVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/// What child processes of the tests run. Says on its output what was acknowledged, as soon as it was.
@SuppressWarnings("SystemOut")
final class WriterProgram {
    private WriterProgram() {}

    public static void main(String[] arguments) throws IOException {
        var path = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "append" -> append(path, arguments[2], Integer.parseInt(arguments[3]));
            case "hold" -> hold(path);
            case "fill" -> fill(path);
            case "stop" -> stop(path, Integer.parseInt(arguments[2]), new Random(Long.parseLong(arguments[3])));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void append(Path path, String prefix, int count) {
        try (var log = AuditLog.open(path, InstantSource.system())) {
            for (int i = 0; i < count; i++) {
                say(log.append(SampleLog.intent(prefix + "-" + i, "allow")));
            }
        } catch (IOException e) {
            say("denied " + e.getMessage());
        }
    }

    /// Keeps the lock until killed.
    private static void hold(Path path) throws IOException {
        try (var lock = LogLock.open(path);
                var held = lock.acquire(Duration.ofSeconds(1))) {
            say("holding " + held.getClass().getSimpleName());
            LockSupport.parkNanos(Long.MAX_VALUE);
        }
    }

    /// Appends until the disk is full, makes room, appends again.
    private static void fill(Path path) throws IOException {
        var ballast = path.resolveSibling("ballast");
        Files.write(ballast, new byte[16 << 10]);
        long last = 0;
        try (var log = AuditLog.open(path, InstantSource.system())) {
            try {
                while (last < 100_000) {
                    last = log.append(SampleLog.intent("a-1", "allow")).seq();
                }
            } catch (IOException e) {
                say("denied " + e.getMessage());
            }
            say("then " + LogVerifier.of(path).verify().getClass().getSimpleName());
            Files.delete(ballast);
            say("recovered " + (log.append(SampleLog.intent("a-2", "allow")).seq() - last));
        }
        say("at last " + LogVerifier.of(path).verify().getClass().getSimpleName());
    }

    /// Appends to `logs` logs at once; each stops for ever in the middle of some system call.
    private static void stop(Path folder, int logs, Random random) {
        for (int i = 0; i < logs; i++) {
            int number = i;
            var plan = new StoppingChannel.Plan(1 + random.nextInt(14), random.nextInt(3), random.nextDouble(), () -> {
                say("stopped " + number);
                while (true) {
                    LockSupport.park();
                }
            });
            Thread.ofPlatform().start(() -> writeUntilStopped(folder.resolve("log-" + number), number, plan));
        }
    }

    private static void writeUntilStopped(Path path, int number, StoppingChannel.Plan plan) {
        try (var log = AuditLog.open(path, InstantSource.system(), plan, AuditLog.PATIENCE)) {
            while (true) {
                var done = log.append(SampleLog.event((int) (System.nanoTime() & 0xffff)));
                say("acked " + number + " " + done.seq() + " " + done.hash());
            }
        } catch (IOException e) {
            say("failed " + number + " " + e.getMessage());
        }
    }

    private static void say(Appended appended) {
        say("acked " + appended.seq() + " " + appended.hash());
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
