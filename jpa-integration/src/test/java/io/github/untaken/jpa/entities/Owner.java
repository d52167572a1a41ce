package io.github.untaken.jpa.entities;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;

/** All operations cascade to its handles, and a handle taken out of the list is deleted. */
@Entity
public class Owner {
    @Id
    @GeneratedValue
    public Long id;

    @OneToMany(mappedBy = "owner", cascade = CascadeType.ALL, orphanRemoval = true)
    public List<Handle> handles = new ArrayList<>();

    public Owner add(String name) {
        handles.add(new Handle(this, name));
        return this;
    }
}
