package io.github.untaken.cluster.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowingTest {

    @Test
    void tellsOfARowThatSomebodyInsertsAtAConsole() {
        TestServer.sql(
                "create table console_account (id bigint generated always as identity primary key, username text unique)",
                "create publication console_account for table console_account (id, username)");
        try (TestFeed feed = TestFeed.following("console_account", new TableStore("console_account", "username"))) {
            TestServer.sql("insert into console_account (username) values ('alice')");
            feed.awaitMark();
            assertThat(feed.sink().told()).containsExactly("username alice");
            feed.awaitMark();
            assertThat(feed.sink().isVisible("alice")).isTrue();
            assertThat(feed.sink().gaps()).isEmpty();
        }
    }
}
