package io.github.untaken.innodb;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** No test runs where there is no server to test, and each says so. */
public final class ServerIsThere implements ExecutionCondition {
    private static final ConditionEvaluationResult RESULT =
            Product.UNDER_TEST == Product.MYSQL && !MySqlPrograms.areThere()
                    ? ConditionEvaluationResult.disabled(
                            "no MySQL server is in databases/target/mysql; databases/mysql-server fetches it")
                    : ConditionEvaluationResult.enabled("there is a server");

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return RESULT;
    }
}
