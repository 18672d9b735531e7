package dev.cagewright.sandbox.namespaces;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.KernelException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// The sockets that were asked of a cage's first process and have not come yet, by number. Safe for all threads.
final class AskedSockets {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Map<Integer, CompletableFuture<Optional<Wire.Answer>>> waiting = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();

    /// Sends the question of a number.
    @FunctionalInterface
    interface Question {
        void send(int number) throws KernelException;
    }

    Descriptor ask(Question question) throws KernelException {
        int number = last.incrementAndGet();
        var answer = new CompletableFuture<Optional<Wire.Answer>>();
        waiting.put(number, answer);
        try {
            question.send(number);
            var made = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .orElseThrow(() -> new KernelException("recvmsg(cage)", Errno.EPIPE));
            if (made.descriptors().isEmpty()) {
                throw new KernelException("socket(cage)", (int) made.value());
            }
            return new Descriptor(made.descriptors().getFirst());
        } catch (TimeoutException _) {
            throw new KernelException("recvmsg(cage)", Errno.ETIMEDOUT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new KernelException("recvmsg(cage)", Errno.EINTR);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            waiting.remove(number);
        }
    }

    /// One that nobody waits for any more is closed.
    void take(Wire.Answer answer) {
        var asked = waiting.remove(answer.run());
        if (asked == null || !asked.complete(Optional.of(answer))) {
            answer.descriptors().forEach(number -> new Descriptor(number).close());
        }
    }

    /// The cage is gone: no more will come.
    void lose() {
        waiting.values().forEach(asked -> asked.complete(Optional.empty()));
    }
}
