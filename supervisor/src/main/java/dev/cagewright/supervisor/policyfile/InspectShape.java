package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.InspectSection.Reaction;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.supervisor.policyfile.shape.Group;
import dev.cagewright.supervisor.policyfile.shape.GroupKey;
import dev.cagewright.supervisor.policyfile.shape.GroupValues;
import dev.cagewright.supervisor.policyfile.shape.ListShape;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape;
import java.math.BigDecimal;
import java.util.List;

/// The keys of `inspect`: what is looked for in opened traffic.
final class InspectShape {
    private static final ScalarShape<Reaction> REACTION =
            ScalarShape.word(List.of("off", "flag", "block"), Reaction::parse);

    private static final GroupKey<Reaction> SECRETS =
            GroupKey.optional("secrets", REACTION, "What happens when something written like a credential leaves.");
    private static final GroupKey<Reaction> ENCODED = GroupKey.optional(
            "encoded", REACTION, "The same for a credential in base64, hex or escapes; absent means as secrets.");
    private static final GroupKey<Reaction> AUTH = GroupKey.optional(
            "auth", REACTION, "The same for a credential in a field made for them, such as Authorization.");

    private static final GroupKey<BigDecimal> ABOVE = GroupKey.required(
            "above",
            ScalarShape.real("bits per byte from 0 to 8", 0, 8, InspectSection.Entropy::parseBits),
            "Bits per byte.");
    private static final GroupKey<Count> FROM =
            GroupKey.required("from", Quantities.COUNT, "The shortest body, in bytes, that is measured.");
    private static final GroupKey<Reaction> THEN = GroupKey.required("then", REACTION, "What happens.");
    private static final GroupKey<InspectSection.Entropy> ENTROPY = GroupKey.optional(
            "entropy",
            Group.of(
                    "a mapping with above, from and then",
                    List.of(ABOVE, FROM, THEN),
                    values -> new InspectSection.Entropy(values.get(ABOVE), values.get(FROM), values.get(THEN))),
            "What happens to bodies that look like noise.");

    private static final GroupKey<Reaction> TYPES =
            GroupKey.optional("types", REACTION, "What happens to bodies that are not what they say they are.");
    private static final GroupKey<Reaction> BOMBS =
            GroupKey.optional("bombs", REACTION, "What happens to bodies that expand out of all proportion.");
    private static final GroupKey<Reaction> DNS =
            GroupKey.optional("dns", REACTION, "What happens to names that look as if they carried data.");
    private static final GroupKey<Reaction> FETCH_TOOLS = GroupKey.optional(
            "fetch_tools", REACTION, "What happens to requests that have a provider fetch for the cage.");

    private static final GroupKey<InspectSection.Misuse> DECOYS = GroupKey.optional(
            "decoys",
            ScalarShape.word(List.of("block", "pause"), InspectSection.Misuse::parse),
            "What happens to a run whose decoy is used where its secret may not go.");

    private static final GroupKey<ByteSize> MAX =
            GroupKey.required("max", Quantities.SIZE, "The most of a body that is looked at.");
    private static final GroupKey<ByteSize> BODY = GroupKey.optional(
            "body",
            Group.of("a mapping with max", List.of(MAX), values -> values.get(MAX)),
            "How much of a body is looked at; a longer one is flagged, or stopped where anything stops one.");

    private static final GroupKey<List<String>> CUSTOM = GroupKey.optional(
            "custom",
            new ListShape<>(
                    "a list of jars",
                    ScalarShape.text("the absolute path of a jar on this machine", "^/", InspectSection::jar)),
            "Jars with inspectors of your own; not in a project's file, for they run outside of the cage.");

    static final Group<InspectSection> INSPECT = Group.of(
            "a mapping with secrets, entropy or body",
            List.of(SECRETS, ENCODED, AUTH, ENTROPY, TYPES, BOMBS, DNS, FETCH_TOOLS, DECOYS, BODY, CUSTOM),
            InspectShape::section);

    private InspectShape() {}

    private static InspectSection section(GroupValues values) {
        return new InspectSection(
                values.find(SECRETS),
                values.find(ENCODED),
                values.find(AUTH),
                values.find(ENTROPY),
                values.find(TYPES),
                values.find(BOMBS),
                values.find(DNS),
                values.find(FETCH_TOOLS),
                values.find(BODY),
                values.find(CUSTOM),
                values.find(DECOYS));
    }
}
