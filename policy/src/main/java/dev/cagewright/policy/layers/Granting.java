package dev.cagewright.policy.layers;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.action.RequestPath;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.Mode;
import dev.cagewright.policy.grant.GrantBounds.Bound;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.match.PathPattern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What may be granted under a policy of several layers. A grant is an addition to the project's own layer: what a
/// higher layer says nothing of stays denied unless its own `may_grant` has it, and the organisation's `may_grant`,
/// where there is one, bounds persons, too. Immutable and safe for all threads.
public final class Granting {
    private static final RuleId MODE = new RuleId("mode");
    private static final RuleId BOUNDS = new RuleId("net.may_grant");

    private final EffectivePolicy policy;
    private final List<EffectivePolicy.CompiledLayer> layers;

    Granting(EffectivePolicy policy, List<EffectivePolicy.CompiledLayer> layers) {
        this.policy = policy;
        this.layers = layers;
    }

    /// Who can give it.
    public sealed interface Answer {
        /// Nobody.
        record Never(Decision.Deny why) implements Answer {}

        /// Nobody has to: it is allowed without.
        record Needless(RuleId rule) implements Answer {}

        /// The policy by itself.
        ///
        /// @param rules of the layers that say so, the highest first
        /// @param longest that it may last
        /// @param addresses each layer's only ones that may be dialled; an empty list means public ones
        record ByRule(List<RuleId> rules, Duration longest, List<List<String>> addresses) implements Answer {
            public ByRule {
                rules = List.copyOf(rules);
                addresses = addresses.stream().map(List::copyOf).toList();
            }
        }

        /// Only a person.
        ///
        /// @param longest that it may last; absent where no layer says
        /// @param addresses as of [ByRule]
        record ByPerson(Optional<Duration> longest, List<List<String>> addresses) implements Answer {
            public ByPerson {
                addresses = addresses.stream().map(List::copyOf).toList();
            }
        }
    }

    /// Who can give `opening`?
    public Answer of(Opening opening) {
        var allowing = allowing(opening);
        if (allowing.isPresent()) {
            return new Answer.Needless(allowing.get());
        }
        var never = refusal(opening);
        if (never.isPresent()) {
            return new Answer.Never(never.get());
        }
        return byRule(opening).<Answer>map(answer -> answer).orElseGet(() -> byPerson(opening));
    }

    /// May a person give it, whether or not the policy would by itself?
    public Answer ofPerson(Opening opening) {
        var answer = of(opening);
        return answer instanceof Answer.ByRule ? byPerson(opening) : answer;
    }

    /// What the policy gives by itself: every layer that says anything of grants has to have it.
    public Optional<Answer.ByRule> byRule(Opening opening) {
        var rules = new ArrayList<RuleId>();
        var addresses = new ArrayList<List<String>>();
        @Nullable Duration longest = null;
        for (var each : layers) {
            var bounds = each.policy().grantBounds();
            var around = bounds.flatMap(some -> some.around(opening));
            if (bounds.isPresent() && around.isEmpty()) {
                return Optional.empty();
            }
            if (around.isPresent()) {
                var bound = around.get();
                rules.add(bound.rule());
                addresses.add(bound.addresses());
                longest = longest == null || bound.longest().compareTo(longest) < 0 ? bound.longest() : longest;
            }
        }
        return Optional.ofNullable(longest).map(time -> new Answer.ByRule(rules, time, addresses));
    }

    private Answer.ByPerson byPerson(Opening opening) {
        var bound = organisations(opening);
        return new Answer.ByPerson(
                bound.map(Bound::longest), bound.map(Bound::addresses).stream().toList());
    }

    /// The organisation's bound, where it has one.
    private Optional<Bound> organisations(Opening opening) {
        return layers.stream()
                .filter(each -> each.layer().rank() == Layer.Rank.ORGANISATION)
                .flatMap(each -> each.policy().grantBounds().stream())
                .flatMap(bounds -> bounds.around(opening).stream())
                .findFirst();
    }

    /// The rule of a request of `opening`, if every one of them is allowed, or asked about; only looked for where the
    /// paths can be counted.
    private Optional<RuleId> allowing(Opening opening) {
        Optional<RuleId> rule = Optional.empty();
        for (var request : requests(opening)) {
            var decision = policy.judge(request);
            if (decision instanceof Decision.Deny) {
                return Optional.empty();
            }
            rule = Optional.of(decision.because().getFirst());
        }
        return rule;
    }

    private static List<Action> requests(Opening opening) {
        if (opening.paths().stream().anyMatch(path -> path.toString().indexOf('*') >= 0)) {
            return List.of();
        }
        return opening.paths().stream()
                .flatMap(path -> literal(path).stream())
                .flatMap(path -> opening.methods().stream()
                        .flatMap(method -> opening.ports().stream()
                                .<Action>map(port -> new Action.HttpRequest(method, opening.host(), port, path))))
                .toList();
    }

    private static Optional<String> literal(PathPattern path) {
        try {
            return Optional.of(RequestPath.canonical(path.toString()));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private Optional<Decision.Deny> refusal(Opening opening) {
        if (policy.mode().value() == Mode.LOCKDOWN) {
            return Optional.of(lockdown());
        }
        return layers.stream()
                .flatMap(each -> refusal(each, opening).stream())
                .findFirst()
                .or(() -> unopened(opening));
    }

    private static Decision.Deny lockdown() {
        return new Decision.Deny(MODE, DenyCode.FORBIDDEN, "mode: lockdown grants nothing");
    }

    private static Optional<Decision.Deny> refusal(EffectivePolicy.CompiledLayer each, Opening opening) {
        var host = opening.host();
        var denial = Stream.concat(
                        Stream.of(new Action.DnsLookup(host)),
                        opening.ports().stream().map(port -> new Action.NetConnect(host, port)))
                .map(action -> each.policy().judge(action))
                .filter(Decision.Deny.class::isInstance)
                .map(Decision.Deny.class::cast)
                .filter(deny -> deny.code() != DenyCode.NO_RULE)
                .findFirst();
        if (denial.isPresent() || each.layer().rank() == Layer.Rank.PROJECT) {
            return denial;
        }
        var bounds = each.policy().grantBounds();
        if (bounds.flatMap(some -> some.around(opening)).isPresent()) {
            return Optional.empty();
        }
        boolean isBound = bounds.isPresent() && each.layer().rank() == Layer.Rank.ORGANISATION;
        boolean isSilent = each.policy().judge(new Action.DnsLookup(host)) instanceof Decision.Deny;
        return isBound || isSilent ? Optional.of(beyond(each.layer(), host)) : Optional.empty();
    }

    private static Decision.Deny beyond(Layer layer, HostName host) {
        return new Decision.Deny(
                BOUNDS,
                DenyCode.NO_RULE,
                "the policy of the " + layer.rank().name().toLowerCase(Locale.ROOT)
                        + " has nothing of this in its net.may_grant, and what it does not allow of " + host
                        + " nobody else can grant");
    }

    /// Methods and paths cannot be held to where TLS is not opened.
    private Optional<Decision.Deny> unopened(Opening opening) {
        return opening.ports().stream()
                .filter(port -> isUnopened(opening.host(), port))
                .findFirst()
                .map(port -> new Decision.Deny(
                        policy.hostRules(opening.host(), port)
                                .getFirst()
                                .named()
                                .id(),
                        DenyCode.FORBIDDEN,
                        "connections to " + opening.host() + ":" + port
                                + " pass unopened, so methods and paths cannot be held to"));
    }

    private boolean isUnopened(HostName host, int port) {
        return policy.destination(host, port).inspection() == HostRule.Inspection.PASSED_THROUGH;
    }

    Decision judge(Action action, Decision.Allow granted) {
        Decision.@Nullable Ask question = null;
        if (policy.mode().value() == Mode.LOCKDOWN) {
            return lockdown();
        }
        for (var each : layers) {
            var decision = each.policy().judge(action);
            if (decision instanceof Decision.Deny deny && !isFilled(each, action, deny)) {
                return deny;
            }
            if (isBeyond(each, action)) {
                return beyond(each.layer(), granted);
            }
            if (question == null) {
                question = each.policy().question(action).orElse(null);
            }
        }
        if (action instanceof Action.NetConnect(HostName host, int port) && isUnopened(host, port)) {
            return policy.judge(action);
        }
        return question == null ? granted : asked(question, granted);
    }

    /// What a person agrees to under a grant is still only granted.
    private static Decision.Ask asked(Decision.Ask question, Decision.Allow granted) {
        return new Decision.Ask(
                Stream.concat(question.because().stream(), granted.because().stream())
                        .toList(),
                question.patience());
    }

    /// May a grant speak where this layer says nothing?
    private static boolean isFilled(EffectivePolicy.CompiledLayer each, Action action, Decision.Deny deny) {
        return deny.code() == DenyCode.NO_RULE
                && (each.layer().rank() == Layer.Rank.PROJECT
                        || each.policy()
                                .grantBounds()
                                .map(bounds -> bounds.allow(action))
                                .orElse(false));
    }

    private static boolean isBeyond(EffectivePolicy.CompiledLayer each, Action action) {
        return each.layer().rank() == Layer.Rank.ORGANISATION
                && each.policy()
                        .grantBounds()
                        .map(bounds -> !bounds.allow(action))
                        .orElse(false);
    }

    private static Decision.Deny beyond(Layer layer, Decision.Allow granted) {
        return new Decision.Deny(
                List.of(BOUNDS, granted.because().getFirst()),
                DenyCode.NO_RULE,
                "the policy of the " + layer.rank().name().toLowerCase(Locale.ROOT)
                        + " does not let this be granted any more");
    }
}
