package dev.cagewright.bench;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RefusedTokenException;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.TokenMint;
import dev.cagewright.policy.token.TokenVerifier;
import dev.cagewright.policy.token.Verification;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// A token verified whole, and one action held against a verified one, by the length of its chain. The list of what is
/// revoked is empty and in memory.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
@Fork(1)
public class TokenBench {
    @Param({"1", "4", "16"})
    public int links;

    private TokenVerifier verifier;
    private TokenJudge judge;
    private byte[] text;
    private Action action;

    @Setup(Level.Trial)
    public void mint() throws RefusedTokenException {
        var key = TokenKey.of(new byte[TokenKey.LENGTH]);
        verifier = new TokenVerifier(key, _ -> Optional.empty(), () -> 1_790_000_100L);
        var mint = new TokenMint(key, verifier);
        text = mint.mint(link(0));
        for (int i = 1; i < links; i++) {
            text = mint.attenuate(text, link(i));
        }
        judge = TokenJudge.of(verifier, text);
        action = new Action.HttpRequest("GET", new HostName("api.example.com"), 443, "/repos/acme/app/issues/1");
        if (!(judge.judge(action) instanceof Decision.Allow)) {
            throw new IllegalStateException("the action is not granted");
        }
    }

    private static Link link(int number) {
        var rights = Rights.NONE
                .with(Axis.ACTIONS, List.of("http.request", "secret.use"))
                .with(Axis.HOSTS, List.of("api.example.com", "*.example.org"))
                .with(Axis.METHODS, List.of("GET", "POST"))
                .with(Axis.PATHS, List.of("/repos/acme/**"))
                .with(Axis.SECRETS, List.of("github_token"));
        return new Link(new RevId("link-" + number), Optional.empty(), 1_790_000_000L, 1_790_007_200L, rights);
    }

    @Benchmark
    public Verification verify() {
        return verifier.verify(text);
    }

    @Benchmark
    public Decision judge() {
        return judge.judge(action);
    }
}
