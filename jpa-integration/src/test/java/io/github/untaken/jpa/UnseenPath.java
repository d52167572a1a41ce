package io.github.untaken.jpa;

import io.github.untaken.jpa.entities.Account;
import io.github.untaken.test.database.Engine;
import jakarta.persistence.EntityManager;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaUpdate;
import jakarta.persistence.criteria.Root;
import java.util.EnumSet;
import java.util.Set;
import org.hibernate.SharedSessionContract;

/**
 * The ways of writing names that no entity event tells of. Each writes, in the session's transaction, the names of the
 * applicants whose numbers are {@code from} to {@code to}.
 */
enum UnseenPath {
    HQL_INSERT_SELECT {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            change(
                    session,
                    "insert into Account (id, username) select a.id, a.name from Applicant a" + between(from, to));
        }
    },
    HQL_INSERT_VALUES {
        @Override
        boolean isTold() {
            return true;
        }

        @Override
        void write(SharedSessionContract session, long from, long to) {
            for (long id = from; id <= to; id++) {
                session.createMutationQuery("insert into Account (id, username) values (:id, :name)")
                        .setParameter("id", id)
                        .setParameter("name", name(id))
                        .executeUpdate();
            }
        }
    },
    HQL_UPDATE {
        @Override
        void prepare(EntityManager entities, long from, long to) {
            rowsWithoutNames(entities, from, to);
        }

        @Override
        void write(SharedSessionContract session, long from, long to) {
            change(
                    session,
                    "update Account c set c.username = (select a.name from Applicant a where a.id = c.id)"
                            + between("c", from, to));
        }
    },
    CRITERIA_UPDATE {
        @Override
        void prepare(EntityManager entities, long from, long to) {
            rowsWithoutNames(entities, from, to);
        }

        @Override
        void write(SharedSessionContract session, long from, long to) {
            CriteriaBuilder criteria = session.getCriteriaBuilder();
            CriteriaUpdate<Account> update = criteria.createCriteriaUpdate(Account.class);
            Root<Account> root = update.from(Account.class);
            update.set(
                    root.<String>get("username"),
                    criteria.concat("applicant", root.<Long>get("id").cast(String.class)));
            update.where(criteria.between(root.get("id"), from, to));
            session.createMutationQuery(update).executeUpdate();
        }
    },
    HQL_INSERT_JOINED {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            change(
                    session,
                    "insert into Company (id, username, taxNumber) select a.id, a.name, a.name from Applicant a"
                            + between(from, to));
        }
    },
    HQL_UPDATE_OF_SUPERCLASS {
        @Override
        void prepare(EntityManager entities, long from, long to) {
            entities.createNativeQuery("insert into Party (id) select a.id from Applicant a" + between(from, to))
                    .executeUpdate();
            entities.createNativeQuery("insert into Company (id) select a.id from Applicant a" + between(from, to))
                    .executeUpdate();
        }

        @Override
        void write(SharedSessionContract session, long from, long to) {
            change(
                    session,
                    "update Party p set p.username = (select a.name from Applicant a where a.id = p.id)"
                            + between("p", from, to));
        }
    },
    HQL_UPDATE_OF_JOINED {
        @Override
        void prepare(EntityManager entities, long from, long to) {
            HQL_UPDATE_OF_SUPERCLASS.prepare(entities, from, to);
            entities.createNativeQuery("update Party p set username = (select concat('x', a.name) from Applicant a"
                            + " where a.id = p.id)" + between("p", from, to))
                    .executeUpdate();
        }

        @Override
        void write(SharedSessionContract session, long from, long to) {
            change(
                    session,
                    "update Company c set c.taxNumber = 'none', c.username = substring(c.username, 2)"
                            + between("c", from, to));
        }
    },
    NATIVE_INSERT_WITHOUT_COLUMNS {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            for (long id = from; id <= to; id++) {
                session.createNativeMutationQuery("/* names nothing */ INSERT\nINTO identityaccount VALUES (?, ?)")
                        .setParameter(1, id)
                        .setParameter(2, name(id))
                        .executeUpdate();
            }
        }
    },
    NATIVE_SELECT_THAT_INSERTS {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            String insert =
                    "insert into Account (id, username) select a.id, a.name from Applicant a" + between(from, to);
            session.createNativeQuery("select count(*) from final table (" + insert + ")", Long.class)
                    .getSingleResult();
        }

        @Override
        Set<Engine> engines() {
            return EnumSet.of(Engine.H2);
        }
    },
    NATIVE_WITH_INSERT {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            String insert =
                    "insert into Account (id, username) select a.id, a.name from Applicant a" + between(from, to);
            session.createNativeQuery("with x as (" + insert + " returning id) select count(*) from x", Long.class)
                    .getSingleResult();
        }

        @Override
        Set<Engine> engines() {
            return EnumSet.of(Engine.POSTGRESQL);
        }
    },
    NATIVE_MERGE {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            session.createNativeMutationQuery(
                            "merge into account c using (select id, name from applicant where id between " + from
                                    + " and " + to
                                    + ") a on (c.id = a.id) when not matched then insert (id, username) values (a.id, a.name)")
                    .executeUpdate();
        }
    },
    NATIVE_CALL {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            session.createNativeMutationQuery("call take_names(" + from + ", " + to + ")")
                    .executeUpdate();
        }
    },
    STORED_PROCEDURE {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            var call = session.createStoredProcedureCall("take_names");
            call.registerStoredProcedureParameter(1, Long.class, jakarta.persistence.ParameterMode.IN);
            call.registerStoredProcedureParameter(2, Long.class, jakarta.persistence.ParameterMode.IN);
            call.setParameter(1, from);
            call.setParameter(2, to);
            call.execute();
        }
    },
    NATIVE_BLOCK {
        @Override
        void write(SharedSessionContract session, long from, long to) {
            session.createNativeMutationQuery("do $$ begin insert into Account (id, username)"
                            + " select a.id, a.name from Applicant a" + between(from, to) + "; end $$")
                    .executeUpdate();
        }

        @Override
        Set<Engine> engines() {
            return EnumSet.of(Engine.POSTGRESQL);
        }
    };

    /** Writes what {@link #write} has to find; names are no part of it. */
    void prepare(EntityManager entities, long from, long to) {}

    abstract void write(SharedSessionContract session, long from, long to);

    /** Whether its text shows each name, so that it costs no scan. */
    boolean isTold() {
        return false;
    }

    Set<Engine> engines() {
        return EnumSet.allOf(Engine.class);
    }

    static String name(long number) {
        return "applicant" + number;
    }

    private static void change(SharedSessionContract session, String hql) {
        session.createMutationQuery(hql).executeUpdate();
    }

    private static void rowsWithoutNames(EntityManager entities, long from, long to) {
        entities.createNativeQuery("insert into Account (id) select a.id from Applicant a" + between(from, to))
                .executeUpdate();
    }

    private static String between(long from, long to) {
        return between("a", from, to);
    }

    private static String between(String alias, long from, long to) {
        return " where " + alias + ".id between " + from + " and " + to;
    }
}
