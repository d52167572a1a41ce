package org.hibernate.reactive.provider;

import org.hibernate.boot.registry.StandardServiceRegistryBuilder;

/** Stands in for the builder of Hibernate Reactive, which reads the same {@code META-INF/services} as Hibernate's. */
public final class LikeReactiveServices extends StandardServiceRegistryBuilder {}
