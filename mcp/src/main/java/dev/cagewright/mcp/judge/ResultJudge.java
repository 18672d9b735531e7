package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.mcp.ResultTerms;
import dev.cagewright.policy.quantity.ByteSize;
import java.util.Optional;

/// Looks at what a server says before it goes on: results, errors, definitions, prompts, resources, notifications. By
/// the terms of the policy it is measured, cleaned of hidden characters and credentials, or withheld. Safe for all
/// threads.
public final class ResultJudge {
    private final ResultTerms terms;
    private final JudgeGround ground;

    /// @param terms of all layers together
    public ResultJudge(ResultTerms terms, JudgeGround ground) {
        this.terms = terms;
        this.ground = ground;
    }

    /// What may go on of `said`.
    public Judged judge(JsonValue said) {
        var findings = new Findings();
        long bytes = Size.of(said);
        if (bytes > terms.maxBytes()) {
            findings.add(Findings.Deed.BLOCKED, "size", 1);
            var most = terms.max().orElse(ResultTerms.USUAL_MAX);
            return withheld(
                    bytes, findings, "it is " + new ByteSize(bytes) + ", more than mcp.results.max (" + most + ")");
        }
        var cleaning = new Cleaning(terms, ground, findings);
        try {
            var value = cleaning.value(said);
            return findings.blocks()
                    ? withheld(
                            bytes,
                            findings,
                            "it has what mcp.results does not let through: "
                                    + String.join(
                                            ", ",
                                            findings.of(Findings.Deed.BLOCKED).keySet()))
                    : new Judged(value, bytes, findings, Optional.empty());
        } catch (Cleaning.UnreadableException e) {
            findings.add(Findings.Deed.BLOCKED, e.kind(), 1);
            return withheld(bytes, findings, String.valueOf(e.getMessage()));
        }
    }

    private static Judged withheld(long bytes, Findings findings, String why) {
        return new Judged(JsonObject.EMPTY, bytes, findings, Optional.of(why));
    }

    /// How much a value is: its texts in UTF-8 and a little for each value, base64 as what it stands for.
    private static final class Size {
        private static final int EACH = 2;

        private Size() {}

        static long of(JsonValue value) {
            return switch (value) {
                case JsonObject object -> {
                    long size = EACH;
                    for (var member : object.members().entrySet()) {
                        boolean isEncoded = Encoded.isIn(object, member.getKey());
                        size += member.getKey().length() + EACH;
                        size += isEncoded && member.getValue() instanceof JsonString(String text)
                                ? text.length() / 4L * 3
                                : of(member.getValue());
                    }
                    yield size;
                }
                case JsonArray array -> {
                    long size = EACH;
                    for (JsonValue item : array.items()) {
                        size += of(item);
                    }
                    yield size;
                }
                case JsonString(String text) -> utf8(text) + EACH;
                default -> EACH;
            };
        }

        private static long utf8(String text) {
            long size = text.length();
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                size += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
            return size;
        }
    }
}
