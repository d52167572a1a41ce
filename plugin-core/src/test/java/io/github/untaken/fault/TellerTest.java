package io.github.untaken.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TellerTest {
    private final Teller teller = new Teller("told aside");
    private final List<Integer> told = new CopyOnWriteArrayList<>();

    private void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void ofTooMuchNewsTheLatestIsToldInOrder() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        teller.tell(() -> {
            begun.countDown();
            await(released);
        });
        await(begun);
        int all = Teller.MOST_NEWS + 50;
        CountDownLatch last = new CountDownLatch(1);
        for (int i = 0; i < all; i++) {
            int news = i;
            teller.tell(() -> {
                told.add(news);
                if (news == all - 1) {
                    last.countDown();
                }
            });
        }
        released.countDown();
        await(last);
        assertThat(told).hasSize(Teller.MOST_NEWS).isSorted().startsWith(50).endsWith(all - 1);
    }

    @Test
    void newsThatThrowsIsFollowedByTheNext() {
        CountDownLatch last = new CountDownLatch(1);
        teller.tell(() -> {
            throw new StackOverflowError("told to fail");
        });
        teller.tell(last::countDown);
        await(last);
    }
}
