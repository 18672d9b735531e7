package dev.cagewright.policy.argv;

/// How one family of programs reads its arguments. Pure.
@FunctionalInterface
interface Dialect {
    Reading read(Command command);

    /// Can an argument of this program be code? Then arguments that are not known yet may be.
    default boolean takesCode() {
        return false;
    }
}
