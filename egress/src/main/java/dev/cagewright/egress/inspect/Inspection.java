package dev.cagewright.egress.inspect;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.InspectSection.Reaction;
import dev.cagewright.policy.quantity.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The inspectors of a cage, in their order, and what holds around them. Immutable and safe for all threads.
public final class Inspection {
    /// Nobody looks.
    public static final Inspection NONE =
            new Inspection(List.of(), Bounds.NONE, Bounds.NONE, new NameRule(Reaction.OFF, _ -> true));

    /// What the kinds of the product's own findings begin with: keys of a policy.
    static final Set<String> KEYS =
            Set.of("secrets", "encoded", "auth", "entropy", "types", "fetch_tools", "bombs", "dns", "body");

    private final List<Inspector> inspectors;
    private final Bounds bounds;
    private final Bounds answerBounds;
    private final NameRule names;
    private final boolean isQuick;
    private final boolean looksAtAnswers;

    /// What holds for every body.
    ///
    /// @param most bytes, decoded, that are looked at
    /// @param unread what happens to what cannot be looked at
    /// @param bombs what happens to what expands too far
    record Bounds(long most, Reaction unread, Reaction bombs) {
        static final Bounds NONE = new Bounds(Long.MAX_VALUE, Reaction.OFF, Reaction.OFF);
    }

    /// What holds for names.
    ///
    /// @param spelt the names that a policy spells out, which may be as they like
    private record NameRule(Reaction reaction, Predicate<HostName> spelt) {}

    private Inspection(List<Inspector> inspectors, Bounds bounds, Bounds answerBounds, NameRule names) {
        this.inspectors = List.copyOf(inspectors);
        this.bounds = bounds;
        this.answerBounds = answerBounds;
        this.names = names;
        this.isQuick = inspectors.stream().allMatch(Inspection::isOwn);
        this.looksAtAnswers = answerBounds.bombs() != Reaction.OFF
                || inspectors.stream().anyMatch(inspector -> inspector instanceof Types || !isOwn(inspector));
    }

    private static boolean isOwn(Inspector inspector) {
        return inspector instanceof Secrets
                || inspector instanceof Noise
                || inspector instanceof Types
                || inspector instanceof FetchTools;
    }

    /// The inspectors that a policy asks for.
    ///
    /// @param own those from jars
    /// @param spelt the names that the policy spells out
    public static Inspection of(InspectSection section, List<Inspector> own, Predicate<HostName> spelt) {
        var inspectors = new ArrayList<Inspector>();
        var secrets =
                new Secrets(reaction("secrets", section), reaction("encoded", section), reaction("auth", section));
        if (secrets.isOn()) {
            inspectors.add(secrets);
        }
        section.entropy()
                .filter(entropy -> entropy.then() != Reaction.OFF)
                .ifPresent(entropy -> inspectors.add(new Noise(entropy)));
        if (reaction("types", section) != Reaction.OFF) {
            inspectors.add(new Types(reaction("types", section)));
        }
        if (reaction("fetch_tools", section) != Reaction.OFF) {
            inspectors.add(new FetchTools(reaction("fetch_tools", section)));
        }
        inspectors.addAll(own);
        var names = new NameRule(reaction("dns", section), spelt);
        var answers = new Bounds(Long.MAX_VALUE, Reaction.OFF, reaction("bombs", section));
        return new Inspection(inspectors, bounds(section, inspectors.isEmpty()), answers, names);
    }

    private static Bounds bounds(InspectSection section, boolean isIdle) {
        var unread = section.blocksBodies() ? Reaction.BLOCK : isIdle ? Reaction.OFF : Reaction.FLAG;
        var bombs = reaction("bombs", section);
        return new Bounds(
                section.bodyMax().map(ByteSize::bytes).orElse(Long.MAX_VALUE),
                unread,
                bombs.compareTo(unread) > 0 ? bombs : unread);
    }

    private static Reaction reaction(String key, InspectSection section) {
        return InspectSection.REACTIONS.stream()
                .filter(one -> one.name().equals(key))
                .findFirst()
                .orElseThrow()
                .in(section);
    }

    /// Begins to look at a message.
    public Examination examine(Message message) {
        boolean isAnswer = message.direction() == Message.Direction.ANSWER;
        return Examination.of(inspectors, isAnswer ? answerBounds : bounds, message);
    }

    /// Is there nobody who looks at requests?
    public boolean isIdle() {
        return inspectors.isEmpty() && bounds.bombs() == Reaction.OFF;
    }

    /// Does a look at a head of so many bytes take so little that an event loop may do it? One from a jar takes as long
    /// as it likes.
    public boolean isQuick(long bytes) {
        return isQuick && bytes <= Examination.QUICK;
    }

    /// Is there anybody who looks at answers?
    public boolean looksAtAnswers() {
        return looksAtAnswers;
    }

    /// What is to be said of a body before it comes, by its length.
    public Optional<Finding> tooLong(long length) {
        return length > bounds.most()
                ? Examination.unread(bounds.unread(), "body.size", bounds.most())
                : Optional.empty();
    }

    /// What is to be said of an allowed name that the cage wants to use.
    public Optional<Finding> name(HostName name) {
        return Reactions.severity(names.reaction())
                .filter(_ -> !names.spelt().test(name))
                .flatMap(severity -> LabelShape.oddity(name.value())
                        .map(kind -> new Finding(severity, "dns", kind, Finding.Place.NAME, 0)));
    }
}
