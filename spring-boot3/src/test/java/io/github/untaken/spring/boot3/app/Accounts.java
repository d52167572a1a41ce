package io.github.untaken.spring.boot3.app;

import org.springframework.data.jpa.repository.JpaRepository;

public interface Accounts extends JpaRepository<Account, Long> {}
