package io.github.untaken.spring.boot.lines;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;

/** Annotated in an application where nobody follows it. Apart from the test, which runs without JPA too. */
@Entity
class Guest {
    @Id
    Long id = 1L;

    @RegisteredIdentifier("username")
    @Column(unique = true)
    String username = "alice";

    /** Whether it is there once it was persisted. */
    static boolean isKeptBy(Object factory) {
        try (EntityManager entities = ((EntityManagerFactory) factory).createEntityManager()) {
            entities.getTransaction().begin();
            entities.persist(new Guest());
            entities.getTransaction().commit();
            entities.clear();
            return entities.find(Guest.class, 1L) != null;
        }
    }
}
