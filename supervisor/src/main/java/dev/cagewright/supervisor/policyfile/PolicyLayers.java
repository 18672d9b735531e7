package dev.cagewright.supervisor.policyfile;

import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The policy files that hold together for one cage, widest reach first. Each may only narrow the one before.
///
/// @param organisation what the machine's administrator says for everybody
/// @param user what the person says for all of their cages
/// @param project the cage's own policy
public record PolicyLayers(
        Optional<LoadedPolicy> organisation, Optional<LoadedPolicy> user, Optional<LoadedPolicy> project) {
    /// Do the files still have the bytes that were read? One that is gone has no others.
    public boolean isAsRead() throws IOException {
        for (var policy : inOrder()) {
            try {
                if (!ByteString.copyOf(Files.readAllBytes(policy.file())).equals(policy.bytes())) {
                    return false;
                }
            } catch (NoSuchFileException _) {
                // it says nothing else
            }
        }
        return true;
    }

    /// The same files as they are now.
    public PolicyLayers readAgain() throws IOException, PolicySyntaxException {
        return new PolicyLayers(again(organisation), again(user), again(project));
    }

    private static Optional<LoadedPolicy> again(Optional<LoadedPolicy> read) throws IOException, PolicySyntaxException {
        return read.isPresent() ? Optional.of(PolicyFiles.load(read.get().file())) : read;
    }

    /// Those that are there: organisation, user, project.
    public List<LoadedPolicy> inOrder() {
        return Stream.of(organisation, user, project).flatMap(Optional::stream).toList();
    }
}
