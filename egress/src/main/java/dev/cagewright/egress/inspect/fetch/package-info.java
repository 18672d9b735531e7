/// Finds, in requests to language models, what has the provider fetch for the cage. Start at [ProviderFetches];
/// [JsonWalk] reads the JSON that it is about, a byte at a time.
@NullMarked
package dev.cagewright.egress.inspect.fetch;

import org.jspecify.annotations.NullMarked;
