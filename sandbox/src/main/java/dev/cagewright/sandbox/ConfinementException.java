package dev.cagewright.sandbox;

import dev.cagewright.sandbox.kernel.KernelException;

/// A cage could not be built or steered. Nothing of the workload ran because of the call that threw it.
/// The message is `STEP: CALL: REASON`, e.g. `mounts: move_mount(/workspace): Permission denied`.
public final class ConfinementException extends Exception {
    private static final long serialVersionUID = 1;

    private final String step;
    private final String call;
    private final String reason;
    private final String remedy;

    /// @param remedy one sentence: what a person can do about it
    public ConfinementException(String step, String call, String reason, String remedy) {
        super(step + ": " + call + ": " + reason);
        this.step = step;
        this.call = call;
        this.reason = reason;
        this.remedy = remedy;
    }

    static ConfinementException of(String step, KernelException cause, String remedy) {
        var wrapped = new ConfinementException(step, cause.call(), cause.reason(), remedy);
        wrapped.initCause(cause);
        return wrapped;
    }

    public String step() {
        return step;
    }

    /// The call with its arguments.
    public String call() {
        return call;
    }

    /// The kernel's words.
    public String reason() {
        return reason;
    }

    public String remedy() {
        return remedy;
    }
}
