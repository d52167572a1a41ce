package io.github.untaken.sample.database;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A registered user. The two identifiers hold keys, that is, normal forms; what the user typed is the display name. */
@Entity
@Table(name = "account")
class Account {

    /** Longest identifier or display name, in UTF-16 code units; the normalizers allow less. */
    static final int LONGEST_NAME = 255;

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    @RegisteredIdentifier("username")
    @Column(nullable = false, length = LONGEST_NAME)
    private String username = "";

    @Column(name = "display_name", nullable = false, length = LONGEST_NAME)
    private String displayName = "";

    @RegisteredIdentifier("phone")
    @Column(length = 20)
    private @Nullable String phone;

    @Column(nullable = false, updatable = false)
    private Instant created = Instant.EPOCH;

    @Version
    private int version;

    /** For Hibernate. */
    Account() {}

    Account(String username, String displayName, @Nullable String phone, Instant created) {
        this.username = username;
        this.displayName = displayName;
        this.phone = phone;
        this.created = created;
    }

    void rename(String newUsername, String newDisplayName) {
        this.username = newUsername;
        this.displayName = newDisplayName;
    }
}
