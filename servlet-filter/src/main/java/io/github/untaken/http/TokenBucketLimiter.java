package io.github.untaken.http;

import io.github.untaken.filter.KeyHasher;
import io.github.untaken.http.limit.ClientBuckets;
import io.github.untaken.http.limit.Rate;
import java.time.Duration;
import java.util.List;

/** A token bucket for each client and each network around it; a request needs a token from each. */
final class TokenBucketLimiter implements ClientLimiter {
    private final ClientBuckets buckets;

    TokenBucketLimiter(Rate rate) {
        this.buckets = new ClientBuckets(rate, ClientBuckets.PLACES, KeyHasher.random(), System::nanoTime);
    }

    @Override
    public Decision admit(ClientKey client) {
        return decision(buckets.take(names(client), shares(client)));
    }

    /** Whether the client could take a token; takes none. */
    Decision look(ClientKey client) {
        return decision(buckets.delay(names(client), shares(client)));
    }

    /** Takes so many tokens, even ones that are not there yet. */
    void charge(ClientKey client, int tokens) {
        buckets.charge(names(client), shares(client), tokens);
    }

    static Decision decision(long delay) {
        return delay == 0 ? Decision.admit() : Decision.refuse(Duration.ofNanos(delay));
    }

    private static String[] names(ClientKey client) {
        List<ClientNetwork> networks = client.networks();
        String[] names = new String[networks.size() + 1];
        names[0] = client.value();
        for (int i = 1; i < names.length; i++) {
            names[i] = networks.get(i - 1).value();
        }
        return names;
    }

    private static int[] shares(ClientKey client) {
        List<ClientNetwork> networks = client.networks();
        int[] shares = new int[networks.size() + 1];
        shares[0] = 1;
        for (int i = 1; i < shares.length; i++) {
            shares[i] = networks.get(i - 1).clients();
        }
        return shares;
    }
}
