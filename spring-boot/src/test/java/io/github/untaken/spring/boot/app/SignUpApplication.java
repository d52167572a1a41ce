package io.github.untaken.spring.boot.app;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with an annotated entity and nothing else of ours. */
@SpringBootApplication
public class SignUpApplication {}
