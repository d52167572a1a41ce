package io.github.untaken.benchmarks.shared;

import java.sql.SQLException;
import org.redisson.Redisson;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * As tutorials have it: a Bloom filter in Redis of all names ever taken, and beside it a set of those that are free again, for nothing can
 * be deleted from the filter. What it says is the answer; the database is not asked.
 */
final class RedisNode implements Node {
    private final Accounts accounts;
    private final RedissonClient redis;
    private final RBloomFilter<String> taken;
    private final RSet<String> freeAgain;

    RedisNode(Accounts accounts, int port) {
        this.accounts = accounts;
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setRetryAttempts(0)
                .setTimeout(2_000);
        redis = Redisson.create(config);
        taken = redis.getBloomFilter("usernames");
        freeAgain = redis.getSet("usernames-free-again");
    }

    /** Once, for all nodes. */
    RBloomFilter<String> filter(long expected) {
        taken.tryInit(expected, 0.001);
        return taken;
    }

    @Override
    public boolean isAvailable(String name) {
        return !taken.contains(name) || freeAgain.contains(name);
    }

    @Override
    public void signUp(String name) throws SQLException {
        accounts.insert(name);
        freeAgain.remove(name);
        taken.add(name);
    }

    @Override
    public void delete(String name) throws SQLException {
        accounts.delete(name);
        freeAgain.add(name);
    }

    @Override
    public void close() {
        redis.shutdown();
    }
}
