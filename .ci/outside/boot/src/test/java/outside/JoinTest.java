package outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** Strangers are told one thing, and owners what is so. */
@SpringBootTest(properties = {"untaken.await-ready=60s", "untaken.mode.email=blind"})
class JoinTest {
    @Autowired
    private JoinController controller;

    @Autowired
    private Invitations invitations;

    @Autowired
    private Members members;

    @Autowired
    private SentMails mails;

    @BeforeEach
    void nobodyIsThere() {
        members.deleteAll();
        mails.sent.clear();
    }

    private String mailAfter(String typed) throws InterruptedException {
        assertThat(controller.join(typed)).isEqualTo("look-into-your-mail");
        return mails.sent.poll(60, TimeUnit.SECONDS);
    }

    @Test
    void theAnswerIsOneAndTheMailsAreTwo() throws InterruptedException {
        assertThat(mailAfter(" Ann@example.com ")).isEqualTo("invited Ann@example.com");
        invitations.accept("Ann@example.com");
        assertThat(mailAfter("ann@EXAMPLE.com")).isEqualTo("reminded Ann@example.com");
        assertThat(mailAfter("bob@example.com")).isEqualTo("invited bob@example.com");
    }

    @Test
    void nobodyGetsTwoAccountsForOneMailbox() throws InterruptedException {
        invitations.accept("Ann@b\u00fccher.example");
        invitations.accept("ann@xn--bcher-kva.example");
        assertThat(mails.sent.poll()).isEqualTo("reminded Ann@b\u00fccher.example");
        assertThat(mailAfter("ANN@B\u00dcCHER.example")).isEqualTo("reminded Ann@b\u00fccher.example");
        assertThat(members.count()).isEqualTo(1);
    }

    @Test
    void noMailGoesToWhatIsNoAddress() throws InterruptedException {
        controller.join("ann@localhost@");
        assertThat(mailAfter("carol@example.com")).isEqualTo("invited carol@example.com");
        assertThat(mails.sent).isEmpty();
    }
}
