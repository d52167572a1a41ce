package io.quarkus.hibernate.orm.runtime.recording;

import org.hibernate.boot.registry.StandardServiceRegistryBuilder;

/** Stands in for the builder of Quarkus, which reads the same {@code META-INF/services} as Hibernate's. */
public final class LikeRecordableBootstrap extends StandardServiceRegistryBuilder {}
