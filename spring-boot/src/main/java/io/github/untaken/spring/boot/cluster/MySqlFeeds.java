package io.github.untaken.spring.boot.cluster;

import io.github.untaken.cluster.mysql.MySqlFeed;
import io.github.untaken.cluster.mysql.MySqlFeedBuilder;
import io.github.untaken.spi.ChangeFeed;
import io.github.untaken.spring.boot.UntakenProperties;
import io.github.untaken.spring.boot.setup.UntakenSetupException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The binary log of MySQL or MariaDB by the properties. A class of its own, since its artifact may be missing. */
final class MySqlFeeds implements FeedFactory {
    @Override
    public boolean knows(String url) {
        return url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:");
    }

    @Override
    public ChangeFeed feed(String url, UntakenProperties.Cluster from, FeedLogin login) {
        refuseOthers(from);
        MySqlFeedBuilder to = MySqlFeed.of(url);
        from.properties().forEach(to::property);
        login.to(to::user, to::password);
        return to.build();
    }

    /** They would have no effect, and somebody expects one. */
    private static void refuseOthers(UntakenProperties.Cluster from) {
        Map<String, @Nullable Object> others = new LinkedHashMap<>();
        others.put("publication", from.publication());
        others.put("create-publication", from.createPublication());
        others.put("keep-slots", from.keepSlots());
        others.put("slot-timeout", from.slotTimeout());
        others.put("slots", from.slots());
        others.put("orphan-age", from.orphanAge());
        others.forEach((name, value) -> {
            if (value != null) {
                throw new UntakenSetupException(
                        "untaken.cluster." + name + " is set, but MySQL's log has neither publications nor slots.",
                        "Remove the property; how long the server keeps its log is a setting of the server"
                                + " (binlog_expire_logs_seconds).",
                        null);
            }
        });
    }
}
