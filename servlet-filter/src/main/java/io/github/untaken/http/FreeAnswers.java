package io.github.untaken.http;

import io.github.untaken.http.ClientLimiter.Decision;
import io.github.untaken.http.limit.Rate;
import io.github.untaken.http.limit.TokenBucket;
import java.util.Optional;

/**
 * How many "available" a client may hear, and all clients together. Whether any are left is asked before each check, whatever its answer
 * will be: a refusal after it would say that the name is free.
 */
final class FreeAnswers {
    private final Optional<TokenBucketLimiter> ofClients;
    private final Optional<TokenBucket> ofAll;

    FreeAnswers(Optional<Rate> perClient, Optional<Rate> altogether) {
        this.ofClients = perClient.map(TokenBucketLimiter::new);
        this.ofAll = altogether.map(rate -> new TokenBucket(rate, System::nanoTime));
    }

    /** Whether the client has some left. */
    Decision leftFor(ClientKey client) {
        return ofClients.map(buckets -> buckets.look(client)).orElse(Decision.admit());
    }

    /** Whether all together have some left. */
    Decision left() {
        return ofAll.map(bucket -> TokenBucketLimiter.decision(bucket.delay())).orElse(Decision.admit());
    }

    /** Counts what the client was told, even if others have taken the last one meanwhile. */
    void told(ClientKey client, int free) {
        if (free > 0) {
            ofClients.ifPresent(buckets -> buckets.charge(client, free));
            ofAll.ifPresent(bucket -> bucket.charge(free));
        }
    }
}
