package dev.cagewright.cli.completion;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The part of the script for bash and zsh that completes names; the rest of the words is left to the other part.
final class BashNames {
    private BashNames() {}

    static String script() {
        var cases = Stream.of(NameKind.values())
                .filter(kind -> !kind.commands().isEmpty())
                .map(kind -> "    " + String.join("|", kind.commands()) + ") kind=" + kind.word() + " ;;\n")
                .collect(Collectors.joining());
        return """

                # Names of cages, scaffolds, sessions and policies.
                function _complete_cagewright_names() {
                  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" kind=
                  case "${COMP_WORDS[1]-}" in
                CASES  esac
                  if [ "$before" = --policy ]; then
                    COMPREPLY=( $(compgen -W "$(command cagewright completion --names policies 2>/dev/null)" -- "$word") $(compgen -f -- "$word") )
                  elif [ "$before" = --scaffold ]; then
                    COMPREPLY=( $(compgen -W "$(command cagewright completion --names scaffolds 2>/dev/null)" -- "$word") )
                  elif [ -n "$kind" ] && [ "$COMP_CWORD" -eq 2 ] && [ "${word#-}" = "$word" ]; then
                    COMPREPLY=( $(compgen -W "$(command cagewright completion --names $kind 2>/dev/null)" -- "$word") )
                  else
                    _complete_cagewright
                  fi
                }
                complete -F _complete_cagewright_names -o default cagewright
                """.replace("CASES", cases);
    }
}
