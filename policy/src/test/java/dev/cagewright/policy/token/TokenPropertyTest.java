package dev.cagewright.policy.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Random chains and random actions, 200 seeds of each.
class TokenPropertyTest {
    private static final int SEEDS = 200;
    private static final List<String> HOSTS = List.of("a.test", "b.test", "x.a.test", "*.a.test", "*.test");
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "DELETE");
    private static final List<String> PATHS = List.of("/a", "/a/**", "/a/b/**", "/*/b", "/**", "/c");
    private static final List<String> MOUNTS = List.of("ro:/", "rw:/w", "ro:/w", "rw:/w/x", "ro:/usr");
    private static final List<String> TOOLS =
            List.of("a/get_*", "a/get_x", "*/put", "b*/*", "a/*_x", "b/*", "%2F/a%20b");
    private static final List<String> ASKED_SERVERS = List.of("a", "b", "bc", "/");
    private static final List<String> ASKED_TOOLS = List.of("get_x", "get_", "put", "put_x", "g", "a b");
    private static final List<String> ASKED_HOSTS = List.of("a.test", "b.test", "x.a.test", "y.x.a.test", "c.test");
    private static final List<String> ASKED_PATHS = List.of("/a", "/a/", "/a/b", "/a/b/c", "/ab", "/c", "/");
    private static final List<String> ASKED_FILES = List.of("/", "/w", "/w/x", "/w/x/y", "/wx", "/usr/bin");

    private final Bench host = new Bench();

    private static List<String> some(Random random, List<String> from) {
        return from.stream().filter(_ -> random.nextInt(3) > 0).toList();
    }

    private static List<String> someOrAll(Random random, List<String> from) {
        return random.nextInt(6) == 0 ? List.of("*") : some(random, from);
    }

    private static Rights rights(Random random) {
        return Rights.NONE
                .with(Axis.ACTIONS, some(random, Rights.KINDS))
                .with(Axis.HOSTS, someOrAll(random, HOSTS))
                .with(Axis.METHODS, someOrAll(random, METHODS))
                .with(Axis.PATHS, some(random, PATHS))
                .with(Axis.MOUNTS, some(random, MOUNTS))
                .with(Axis.SECRETS, someOrAll(random, List.of("one", "two")))
                .with(Axis.TOOLS, someOrAll(random, TOOLS));
    }

    private static <T> T one(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private static Action action(Random random) {
        var name = new HostName(one(random, ASKED_HOSTS));
        return switch (random.nextInt(7)) {
            case 0 -> new Action.NetConnect(name, 443);
            case 1 -> new Action.DnsLookup(name);
            case 2 -> new Action.SecretUse(one(random, List.of("one", "two", "three")), name);
            case 3 -> new Action.FsRead(new GuestPath(one(random, ASKED_FILES)));
            case 4 -> new Action.FsWrite(new GuestPath(one(random, ASKED_FILES)));
            case 5 -> new Action.McpCall(one(random, ASKED_SERVERS), one(random, ASKED_TOOLS));
            default -> new Action.HttpRequest(one(random, METHODS), name, 443, one(random, ASKED_PATHS));
        };
    }

    private List<Link> chain(Random random) {
        var links = new ArrayList<Link>();
        int length = 1 + random.nextInt(6);
        for (int i = 0; i < length; i++) {
            links.add(Bench.link("r" + i, rights(random)));
        }
        return links;
    }

    private boolean allows(List<Link> links, Action action) {
        return TokenJudge.of(host.verifier(), host.signed(links)).judge(action) instanceof Decision.Allow;
    }

    @Test
    void an_action_is_allowed_exactly_when_every_link_alone_allows_it() {
        int allowed = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var links = chain(random);
            for (int i = 0; i < 40; i++) {
                var action = action(random);
                boolean each = links.stream().allMatch(link -> allows(List.of(link), action));
                assertThat(allows(links, action))
                        .as("seed %d: %s", seed, action)
                        .isEqualTo(each);
                allowed += each ? 1 : 0;
            }
        }
        assertThat(allowed).isGreaterThan(100);
    }

    @Test
    void what_can_be_delegated_never_allows_what_its_parent_does_not() throws RefusedTokenException {
        int made = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var links = new ArrayList<>(List.of(Bench.link("r0", rights(random))));
            for (int hop = 1; hop < 6; hop++) {
                var child =
                        Bench.link("r" + hop, narrowed(random, links.getLast().rights()));
                try {
                    assertThat(host.mint().attenuate(host.signed(links), child))
                            .isEqualTo(host.signed(with(links, child)));
                } catch (IllegalArgumentException _) {
                    continue;
                }
                made++;
                for (int i = 0; i < 20; i++) {
                    var action = action(random);
                    if (allows(List.of(child), action)) {
                        assertThat(allows(links, action))
                                .as("seed %d: %s", seed, action)
                                .isTrue();
                    }
                }
                links.add(child);
            }
        }
        assertThat(made).isGreaterThan(200);
    }

    private static List<Link> with(List<Link> links, Link child) {
        var all = new ArrayList<>(links);
        all.add(child);
        return all;
    }

    /// The same rights, each axis kept, drawn anew or emptied.
    private static Rights narrowed(Random random, Rights parent) {
        var drawn = rights(random);
        var rights = parent;
        for (Axis axis : Axis.values()) {
            switch (random.nextInt(8)) {
                case 0 -> rights = rights.with(axis, entries(drawn, axis));
                case 1 -> rights = rights.with(axis, List.of());
                default -> {}
            }
        }
        return rights;
    }

    private static List<String> entries(Rights rights, Axis axis) {
        return rights.spelt(axis).map(text -> List.of(text.split(" "))).orElse(List.of());
    }

    @Test
    void revoking_any_link_kills_the_chain_from_there_on_and_nothing_before() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var links = chain(random);
            int gone = random.nextInt(links.size());
            host.revoked.clear();
            host.revoked.add(links.get(gone).rev());
            for (int length = 1; length <= links.size(); length++) {
                var text = host.signed(links.subList(0, length));
                assertThat(host.holds(text))
                        .as("seed %d, length %d", seed, length)
                        .isEqualTo(length <= gone);
            }
        }
    }

    @Test
    void no_random_change_of_a_token_makes_another_one() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var text = host.signed(chain(random));
            for (int i = 0; i < 20; i++) {
                var changed = text.clone();
                int at = random.nextInt(changed.length);
                changed[at] ^= (byte) (1 << random.nextInt(8));
                boolean isLineEnd = at == text.length - 1;
                assertThat(host.holds(changed)).as("seed %d, byte %d", seed, at).isFalse();
                assertThat(isLineEnd || host.fault(changed) != TokenFault.EXPIRED)
                        .isTrue();
            }
        }
    }
}
