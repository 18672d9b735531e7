package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.Cpus;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.policyfile.shape.Keywords;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape;
import dev.cagewright.supervisor.policyfile.shape.ScalarShape.Reading;
import dev.cagewright.supervisor.policyfile.yaml.PlainType;
import java.util.List;
import java.util.Set;

/// The amounts a policy file can hold.
final class Quantities {
    static final ScalarShape<TimeSpan> TIME =
            ScalarShape.text("a time such as 30m", "^[1-9][0-9]*(ms|s|m|h|d)$", TimeSpan::parse);

    static final ScalarShape<ByteSize> SIZE =
            ScalarShape.text("a size such as 512MiB", "^[1-9][0-9]*([KMGT]i)?B$", ByteSize::parse);

    static final ScalarShape<Count> COUNT =
            ScalarShape.whole("a whole number from 1", 1, Integer.MAX_VALUE, Count::parse);

    static final ScalarShape<Integer> PORT = ScalarShape.whole("a port from 1 to 65535", 1, 65_535, Count::parsePort);

    static final ScalarShape<Cpus> CPUS =
            ScalarShape.real("a number of processors such as 1.5", 0.001, 1024, Cpus::parse);

    static final ScalarShape<Budget.Rate> REQUESTS =
            rate("requests such as 500/day", "^[1-9][0-9]*(/(minute|hour|day|run))?$", Budget::parseRequests);

    static final ScalarShape<Budget.Rate> BYTES = ScalarShape.text(
            "bytes such as 20MiB/day", "^[1-9][0-9]*([KMGT]i)?B(/(minute|hour|day|run))?$", Budget::parseBytes);

    private Quantities() {}

    /// Text of a form, or only its number.
    private static <T> ScalarShape<T> rate(String expected, String pattern, Reading<T> reading) {
        var number = ScalarShape.bounds("integer", 1, Integer.MAX_VALUE);
        var text = Keywords.of("type", "string", "pattern", pattern);
        return new ScalarShape<>(
                Set.of(PlainType.STRING, PlainType.WHOLE),
                expected,
                Keywords.of("anyOf", List.of(text, number)),
                reading);
    }
}
