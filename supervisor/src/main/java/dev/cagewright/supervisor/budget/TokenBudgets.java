package dev.cagewright.supervisor.budget;

import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.Token;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The bounds of every link of a token. What a child uses counts for each link that it came from, whichever child it
/// is; an amount without a period is for each run. Immutable; the counts are [Meters].
public final class TokenBudgets {
    /// Of a run that is under no token.
    public static final TokenBudgets NONE = new TokenBudgets(List.of());

    private final List<Account> accounts;

    private TokenBudgets(List<Account> accounts) {
        this.accounts = List.copyOf(accounts);
    }

    /// Opens every count that a session under `token` draws on.
    ///
    /// @throws IOException if a count cannot be had
    public static TokenBudgets of(Optional<Token> token, Meters meters) throws IOException {
        var opened = new ArrayList<Account>();
        if (token.isPresent()) {
            for (Link link : token.get().links()) {
                for (var measure : Budget.Measure.values()) {
                    var rate = link.rights().budget().rate(measure);
                    if (rate.isPresent()) {
                        var what = "token " + link.rev() + "\nkey "
                                + token.get().keyId() + "\nwhat " + measure.word() + "\n";
                        opened.add(new Account(
                                Layer.Rank.PROJECT,
                                new RuleId("token[" + link.rev() + "]." + measure.word()),
                                measure,
                                rate.get(),
                                meters.of(what, rate.get().per())));
                    }
                }
            }
        }
        return new TokenBudgets(opened);
    }

    List<Account> accounts() {
        return accounts;
    }
}
