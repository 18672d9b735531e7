package dev.cagewright.supervisor.token;

import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.policy.token.Verification;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Looks at a session's token while a run lives, and tells once when it is worth nothing any more: revoked, a link that
/// it came from revoked, over, or nobody knows. Within [#BOUND] of that. Whoever begins it closes it.
public final class TokenWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(250);

    /// From the moment at which a list says so to the cut.
    public static final Duration BOUND = Duration.ofSeconds(1);

    private final CountDownLatch over = new CountDownLatch(1);
    private final @Nullable Thread thread;

    private TokenWatch(Optional<TokenJudge> token, Consumer<Verification.Refused> cut) {
        this.thread = token.map(
                        held -> Thread.ofPlatform().daemon().name("token-watch").start(() -> watch(held, cut)))
                .orElse(null);
    }

    /// Begins to look.
    ///
    /// @param token of the session; without one there is nothing to look at
    /// @param cut ends the session's doings; called on a thread of its own
    public static TokenWatch begin(Optional<TokenJudge> token, Consumer<Verification.Refused> cut) {
        return new TokenWatch(token, cut);
    }

    private void watch(TokenJudge token, Consumer<Verification.Refused> cut) {
        try {
            while (!over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                var fault = token.fault();
                if (fault.isPresent()) {
                    cut.accept(fault.get());
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        if (thread == null) {
            return;
        }
        try {
            thread.join(BOUND);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
