package io.github.untaken.spring.boot.constrained;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class ConstrainedApplication {}
