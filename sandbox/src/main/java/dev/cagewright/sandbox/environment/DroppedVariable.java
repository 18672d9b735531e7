package dev.cagewright.sandbox.environment;

import dev.cagewright.policy.action.ByteString;

/// A variable of the caller that the workload does not get, and why. Never holds the value.
///
/// @param name as the caller spelled it; any bytes but `=` and NUL
/// @param reason why it was left out
/// @param asked whether the policy wanted it, so that leaving it out is a surprise to somebody
public record DroppedVariable(ByteString name, Reason reason, Asked asked) {

    /// Why a variable was left out, most important first.
    public enum Reason {
        CHOOSES_CODE("decides what an allowed program loads or runs"),
        SECRET_NAME("looks like a secret; use credentials: in the policy, which gives the cage a decoy"),
        SECRET_VALUE("its value carries a password; use credentials: in the policy"),
        SET_BY_THE_CAGE("has a fixed value in the cage"),
        MALFORMED("is not a plain variable name, or its value is not what such a variable holds"),
        NOT_SET("is not set for the caller"),
        NOT_LISTED("is not listed in exec.env");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        /// Half a sentence that follows the name.
        public String words() {
            return words;
        }
    }

    /// Did the policy list the variable?
    public enum Asked {
        BY_THE_POLICY,
        BY_NOBODY
    }

    /// One line for people.
    public String sentence() {
        return name.printable() + " " + reason.words();
    }
}
