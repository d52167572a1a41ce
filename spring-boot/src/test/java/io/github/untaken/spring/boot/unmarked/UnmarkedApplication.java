package io.github.untaken.spring.boot.unmarked;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class UnmarkedApplication {}
