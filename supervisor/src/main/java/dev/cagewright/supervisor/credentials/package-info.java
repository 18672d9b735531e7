/// What a run has of the person's secrets: its credentials with a decoy each, the variables and files that hold the
/// decoys,
/// and the values for the gateway alone. Start at [dev.cagewright.supervisor.credentials.StoredSecrets] and
/// [dev.cagewright.supervisor.credentials.RunSecrets]. No value goes into a cage, into a file or into text.
@NullMarked
package dev.cagewright.supervisor.credentials;

import org.jspecify.annotations.NullMarked;
