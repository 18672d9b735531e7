package dev.cagewright.cli.completion;

/// The shells that scripts are printed for.
enum ShellKind {
    BASH,
    ZSH,
    FISH;

    /// Reads an accepted word.
    ///
    /// @throws IllegalArgumentException naming the accepted words
    static ShellKind parse(String word) {
        return switch (word) {
            case "bash" -> BASH;
            case "zsh" -> ZSH;
            case "fish" -> FISH;
            default -> throw new IllegalArgumentException("shell: \"" + word + "\" (expected: bash, zsh or fish)");
        };
    }
}
