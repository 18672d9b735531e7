/// Keys at work with the built product: real clients with decoys, and the search for what must be nowhere. Start at
/// `tools/secrets/secrets_proof.py`, which does it all; the tests here run one trial each.
@NullMarked
package dev.cagewright.lent;

import org.jspecify.annotations.NullMarked;
