package outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.MessageSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.validation.BeanPropertyBindingResult;
import org.thymeleaf.context.Context;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templateresolver.StringTemplateResolver;

/** The sign-up of the documentation welcomes whoever has an account now, and nobody else. Called directly, no form is checked before. */
@SpringBootTest(properties = "untaken.await-ready=60s")
class SignUpTest {
    @Autowired
    private SignUpController controller;

    @Autowired
    private Accounts accounts;

    @Autowired
    private MessageSource messages;

    private String signUp(String name) {
        SignUpForm form = new SignUpForm(name);
        return controller.signUp(form, new BeanPropertyBindingResult(form, "form"));
    }

    /** As docs/widget.md has it, by an attribute that Thymeleaf has never heard of. */
    @Test
    void aTextOfTheMessagesBecomesAnAttributeOfTheWidget() {
        SpringTemplateEngine engine = new SpringTemplateEngine();
        engine.setTemplateEngineMessageSource(messages);
        engine.setTemplateResolver(new StringTemplateResolver());
        assertThat(engine.process("<untaken-check th:text-taken=\"#{username.taken}\"></untaken-check>", new Context()))
                .isEqualTo("<untaken-check text-taken=\"Somebody has it\"></untaken-check>");
    }

    @Test
    void welcomesWhoeverHasAnAccount() {
        assertThat(signUp("bob")).isEqualTo("welcome");
        assertThat(signUp("Bob")).isEqualTo("signup");
        assertThatThrownBy(() -> signUp("c".repeat(300))).isInstanceOf(DataIntegrityViolationException.class);
        assertThat(accounts.count()).isEqualTo(1);
    }
}
