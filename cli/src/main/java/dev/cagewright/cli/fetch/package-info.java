/// `cagewright fetch`: one request of the host's own under a policy and a token. Start at [FetchCommand].
@NullMarked
package dev.cagewright.cli.fetch;

import org.jspecify.annotations.NullMarked;
