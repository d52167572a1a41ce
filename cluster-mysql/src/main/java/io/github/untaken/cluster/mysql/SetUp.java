package io.github.untaken.cluster.mysql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What must be in place for the log to be followed, and the SQL for what is missing. */
final class SetUp {
    /** The types that a column with identifiers may have. */
    static final Set<String> TEXTS = Set.of("char", "varchar", "tinytext", "text", "mediumtext", "longtext");

    /** The types that any column of a watched table may have: what surrounds an identifier in a row is read past. */
    static final Set<String> READABLE =
            Set.of(("tinyint smallint mediumint int bigint float double decimal bit year date time datetime timestamp "
                            + "char varchar binary varbinary tinyblob blob mediumblob longblob tinytext text mediumtext longtext "
                            + "enum set json geometry point linestring polygon multipoint multilinestring multipolygon "
                            + "geomcollection geometrycollection")
                    .split(" ", -1));

    /**
     * Engines with rows in the table itself, and in the log by its name; with MERGE or FEDERATED they are elsewhere.
     */
    static final Set<String> ENGINES = Set.of("InnoDB", "MyISAM", "Aria", "MEMORY");

    private SetUp() {}

    /** What is missing, as sentences for the operator. */
    static List<String> missing(Facts facts) {
        List<String> missing = new ArrayList<>();
        if (facts.isMariaDb() ? facts.version() < 1006 : facts.version() < 800) {
            missing.add("the server is older than MySQL 8.0 or MariaDB 10.6");
        }
        if (!facts.isOn("log_bin")) {
            missing.add("log_bin is off; start the server with log_bin" + (facts.isMariaDb() ? " and" : ", and")
                    + " a server_id");
            return missing;
        }
        demand(facts, missing, "binlog_format", "ROW");
        demand(facts, missing, "binlog_row_image", "FULL");
        demand(facts, missing, "binlog_row_value_options", "");
        if (facts.isOn("read_only") || facts.isOn("super_read_only") || facts.isOn("innodb_read_only")) {
            missing.add("the server is read-only; the address must lead to the primary");
        }
        String relays = facts.isMariaDb() ? "log_slave_updates" : "log_replica_updates";
        boolean isRelaying = facts.isOn(relays) || facts.isOn("log_slave_updates");
        boolean isReplica = !facts.isMariaDb()
                || facts.isOn("slave_running")
                || !facts.get("slaves_running").matches("0?");
        if (isReplica && !isRelaying) {
            missing.add("the server does not log what it replicates; start it with " + relays + " = ON");
        }
        if (facts.isOn("wsrep_on")) {
            missing.add(
                    "the server is a node of a Galera cluster, so its log may lack what another node has acknowledged");
        }
        if (!facts.get("group_replication_group_name").isEmpty()
                && !facts.isOn("group_replication_single_primary_mode")) {
            missing.add("the server is one of several primaries of a group, so its log may lack what another one has"
                    + " acknowledged; run: SELECT group_replication_switch_to_single_primary_mode();");
        }
        return missing;
    }

    private static void demand(Facts facts, List<String> missing, String setting, String value) {
        String is = facts.get(setting);
        if (!is.equalsIgnoreCase(value)) {
            missing.add(setting + " is " + is + "; run: SET GLOBAL " + setting + " = '" + value
                    + "'; then reconnect every client");
        }
    }

    /** The sentence about a missing right. */
    static String right(boolean mariaDb, String user) {
        return "the user may not read the log; run: GRANT REPLICATION SLAVE, "
                + (mariaDb ? "BINLOG MONITOR" : "REPLICATION CLIENT") + " ON *.* TO " + user + ';';
    }
}
