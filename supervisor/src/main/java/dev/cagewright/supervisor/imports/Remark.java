package dev.cagewright.supervisor.imports;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.policyfile.yaml.Quoted;

/// What became of something that could not be carried over as it is.
///
/// @param key where it stands in the source, e.g. `domains.allow[3]`, printable
/// @param why one clause, printable
public record Remark(Fate fate, String key, String why) {
    private static final int MOST = 300;

    /// How it went.
    public enum Fate {
        /// Less is granted than the source did.
        NARROWED("narrowed"),
        /// Nothing of it is in the policy.
        LEFT_OUT("left out");

        private final String word;

        Fate(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    static Remark of(Fate fate, String key, String why) {
        return new Remark(
                fate,
                Quoted.bare(key),
                ByteString.of(Quoted.shortened(why, MOST)).printable());
    }

    @Override
    public String toString() {
        return fate.word() + ": " + key + ": " + why;
    }
}
