package io.github.untaken.jpa.entities;

import io.github.untaken.RegisteredIdentifier;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.annotations.OnDelete;
import org.hibernate.annotations.OnDeleteAction;

/** The database deletes the members with their team, through the foreign key. */
@Entity
public class Team {
    @Id
    @GeneratedValue
    public Long id;

    @OneToMany(mappedBy = "team", cascade = CascadeType.ALL)
    @OnDelete(action = OnDeleteAction.CASCADE)
    public List<Member> members = new ArrayList<>();

    @Entity(name = "TeamMember")
    public static class Member {
        @Id
        @GeneratedValue
        public Long id;

        @ManyToOne
        public Team team;

        @RegisteredIdentifier("member")
        public String name;

        protected Member() {}

        public Member(Team team, String name) {
            this.team = team;
            this.name = name;
            team.members.add(this);
        }
    }
}
