package io.github.untaken.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.github.untaken.AvailabilityChecker;
import io.github.untaken.IdentifierKind;
import io.github.untaken.servlet.AvailabilityServletFilter;
import io.github.untaken.testkit.InMemoryIdentifierStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.RestController;

/** An application's tests without a container ask the endpoint by MockMvc, whose requests and responses know no listeners. */
class MockMvcTest {
    private AvailabilityChecker checker;
    private MockMvc mvc;

    @RestController
    static class Nothing {}

    @BeforeEach
    void open() {
        InMemoryIdentifierStore store = new InMemoryIdentifierStore();
        store.add("alice");
        checker = AvailabilityChecker.builder()
                .store(IdentifierKind.USERNAME, store)
                .recheckTimeout(Duration.ofSeconds(30))
                .build();
        mvc = MockMvcBuilders.standaloneSetup(new Nothing())
                .addFilters(new AvailabilityServletFilter(checker))
                .build();
    }

    @AfterEach
    void close() {
        checker.close();
    }

    private void assertAnswered(RequestBuilder request, String status) throws Exception {
        MockHttpServletResponse answer = mvc.perform(request).andReturn().getResponse();
        assertThat(answer.getContentAsString()).contains("\"status\":\"" + status + "\"");
        assertThat(answer.getStatus()).isEqualTo(200);
        assertThat(answer.getContentType()).isEqualTo("application/json");
    }

    @Test
    void bytesAreReadAsTheyAre() throws Exception {
        assertAnswered(get("/availability?username=alice"), "taken");
        assertAnswered(
                post("/availability").contentType(MediaType.APPLICATION_JSON).content("{\"username\":\"zoe\"}"),
                "available");
        assertAnswered(
                post("/availability")
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .content("username=alice"),
                "taken");
    }

    @Test
    void parametersAreAForm() throws Exception {
        assertAnswered(
                post("/availability")
                        .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                        .param("username", "alice"),
                "taken");
    }
}
