package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.Cpus;
import dev.cagewright.policy.quantity.TimeSpan;
import java.util.Optional;

/// `resources`: the most a run may use; what is absent is the runtime's default.
///
/// @param timeout wall time of the run
/// @param output bytes of standard output and error together
/// @param disk bytes the run may write
/// @param files how many files the run may create
public record Resources(
        Optional<Cpus> cpus,
        Optional<ByteSize> memory,
        Optional<Count> processes,
        Optional<TimeSpan> timeout,
        Optional<ByteSize> output,
        Optional<ByteSize> disk,
        Optional<Count> files) {

    public static final Resources UNSET = new Resources(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
}
