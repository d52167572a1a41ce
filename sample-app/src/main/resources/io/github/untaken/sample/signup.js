"use strict";

(function () {
  const form = document.getElementById("signup");
  const announcer = document.getElementById("status");
  const outcome = document.getElementById("outcome");
  const texts = form.dataset;
  const ICONS = { free: "\u2713", taken: "\u2717", reserved: "\u2717", invalid: "\u2717", unknown: "?",
    checking: "\u2026", typing: "\u2026" };
  const PAUSE = 300;
  const PATIENCE = 5000;

  function camel(code) {
    return code.toLowerCase().replace(/_(.)/g, (all, letter) => letter.toUpperCase());
  }

  function reason(code) {
    const key = camel("reason_" + code);
    return key in texts ? texts[key] : texts.invalid + " (" + code + ")";
  }

  function Field(name) {
    const input = document.getElementById(name);
    const hint = document.getElementById(name + "-hint");
    let timer = 0;
    let request = null;

    function show(state, text) {
      hint.dataset.state = state;
      hint.textContent = text ? ICONS[state] + " " + text : "";
      if (state === "taken" || state === "reserved" || state === "invalid") {
        input.setAttribute("aria-invalid", "true");
      } else {
        input.removeAttribute("aria-invalid");
      }
      if (state !== "typing" && state !== "checking") {
        announcer.textContent = text;
      }
    }

    function settle(answer, millis) {
      const status = answer.status === "available" ? "free" : answer.status;
      let text;
      if (status === "free") {
        const differs = answer.value !== undefined && answer.value !== input.value;
        text = differs ? texts.free + ". " + texts.youWillBe + " " + answer.value : texts.free;
      } else if (status === "taken") {
        text = texts[name + "Taken"];
      } else if (status === "reserved") {
        text = texts.reserved;
      } else if (status === "invalid") {
        text = reason(answer.reason || "malformed");
      } else {
        text = texts.unknown;
      }
      show(status in ICONS ? status : "unknown", text);
      if (answer.decidedBy) {
        const key = camel("decided_" + answer.decidedBy);
        document.getElementById("trace").hidden = false;
        document.getElementById("trace-decided").textContent = texts[key] || answer.decidedBy;
        document.getElementById("trace-time").textContent = millis.toFixed(1) + " " + texts.roundTrip;
      }
    }

    function ask(value) {
      const mine = new AbortController();
      request = mine;
      const patience = setTimeout(() => mine.abort("late"), PATIENCE);
      const body = name + "=" + encodeURIComponent(value);
      const begun = performance.now();
      // A phone number travels in the body, so that it stays out of access logs and of the browser's history.
      const sent = name === "phone"
        ? fetch("/availability", { method: "POST", body: new URLSearchParams(body), signal: mine.signal })
        : fetch("/availability?" + body, { signal: mine.signal });
      show("checking", texts.checking);
      sent.then((response) => response.status === 200 ? response.json()
          : response.status === 400 ? { status: "invalid", reason: "malformed" } : { status: "unknown" })
        .catch(() => ({ status: "unknown" }))
        .then((answer) => {
          clearTimeout(patience);
          if (request === mine) {
            request = null;
            settle(answer, performance.now() - begun);
          }
        });
    }

    function changed(pause) {
      clearTimeout(timer);
      if (request !== null) {
        const old = request;
        request = null;
        old.abort();
      }
      const value = input.value.trim();
      if (value === "") {
        show("typing", "");
        return;
      }
      show("typing", texts.typing);
      timer = setTimeout(() => ask(value), pause);
    }

    input.addEventListener("input", (event) => {
      if (!event.isComposing) {
        changed(PAUSE);
      }
    });
    input.addEventListener("compositionend", () => changed(PAUSE));
    if (input.value) {
      changed(0);
    }
    return { input: input, show: show, recheck: () => changed(0) };
  }

  const fields = { username: Field("username"), phone: Field("phone") };

  function finish(state, text) {
    outcome.dataset.state = state;
    outcome.textContent = text;
    announcer.textContent = text;
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    finish("", texts.sending);
    fetch("/signup", {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(new FormData(form))
    }).then((response) => response.json().then((body) => ({ status: response.status, body: body })))
      .then((answer) => {
        const field = fields[answer.body.field];
        if (answer.status === 201) {
          form.reset();
          fields.phone.show("typing", "");
          fields.username.show("typing", "");
          finish("good", ICONS.free + " " + texts.welcome + " " + answer.body.username);
        } else if (answer.status === 409 && field) {
          finish("bad", ICONS.taken + " " + texts[answer.body.field + "Taken"]);
          field.show("taken", texts[answer.body.field + "Taken"]);
          field.input.focus();
        } else if (answer.status === 400) {
          finish("bad", ICONS.invalid + " " + reason(answer.body.reason || "malformed"));
          if (field) {
            field.show("invalid", reason(answer.body.reason || "malformed"));
            field.input.focus();
          }
        } else {
          finish("bad", texts.busy);
        }
      })
      .catch(() => finish("bad", texts.busy))
      .finally(() => { button.disabled = false; });
  });
})();
