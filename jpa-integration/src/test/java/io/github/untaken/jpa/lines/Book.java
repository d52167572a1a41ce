package io.github.untaken.jpa.lines;

import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An entity of an application that has nothing to do with identifiers, with every kind of element collection. */
@Entity
public class Book {
    @Id
    @GeneratedValue
    public Long id;

    public String title;

    @ElementCollection
    public Set<String> tags = new HashSet<>();

    @ElementCollection
    public List<Chapter> chapters = new ArrayList<>();

    @ElementCollection
    public Map<String, String> translations = new HashMap<>();

    @Embeddable
    public static class Chapter {
        public String heading;

        protected Chapter() {}

        Chapter(String heading) {
            this.heading = heading;
        }
    }

    protected Book() {}

    Book(String title) {
        this.title = title;
    }
}
