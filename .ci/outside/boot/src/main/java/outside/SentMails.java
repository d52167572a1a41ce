package outside;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.stereotype.Component;

/** The mails of docs/email.md, which are sent to nobody. */
@Component
class SentMails implements Outbox {
    final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

    @Override
    public void invite(String mailbox) {
        sent.add("invited " + mailbox);
    }

    @Override
    public void remind(String mailbox) {
        sent.add("reminded " + mailbox);
    }
}
