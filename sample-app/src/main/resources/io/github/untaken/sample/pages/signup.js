"use strict";

// The checks are made by untaken.js, the library's own script. This one puts words to its answers, shows what each of them
// cost, and sends the form.
(() => {
  const form = document.getElementById("signup");
  const outcome = document.getElementById("outcome");
  const texts = form.dataset;
  const MARKS = { available: "\u2713", taken: "\u2717", reserved: "\u2717", invalid: "\u2717", unknown: "?" };

  const camel = (code) => code.toLowerCase().replace(/_(.)/g, (all, letter) => letter.toUpperCase());
  const reason = (code) => texts[camel("reason_" + code)] || texts.invalid + " (" + code + ")";

  function words(name, answer) {
    switch (answer.status) {
      case "available": return texts.free;
      case "taken": return texts[name + "Taken"];
      case "reserved": return texts.reserved;
      case "invalid": return reason(answer.reason || "malformed");
      default: return answer.response && answer.response.status === 429 ? texts.tooMany : texts.unknown;
    }
  }

  function Field(name) {
    const input = document.getElementById(name);
    const region = document.getElementById(name + "-answer");
    const line = region.parentElement;
    const mark = line.querySelector(".mark");
    const suggestions = document.getElementById(name + "-suggestions");

    function show(state, text) {
      line.dataset.state = state;
      // What changes with each key is shown, but not read out.
      mark.textContent = state === "typing" || state === "checking" ? texts[state] : MARKS[state] || "";
      region.textContent = text;
    }

    function suggest(names) {
      if (suggestions === null) {
        return;
      }
      suggestions.replaceChildren(...names.map((free) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.className = "chip";
        button.textContent = free;
        button.addEventListener("click", () => fill(free));
        item.append(button);
        return item;
      }));
      suggestions.hidden = names.length === 0;
    }

    function set(text) {
      input.value = text;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }

    function fill(text) {
      input.focus();
      set(text);
    }

    function told(answer) {
      const differs = answer.value !== undefined && answer.value !== input.value
        && answer.status !== "invalid" && answer.status !== "reserved";
      const names = answer.suggestions || [];
      if (answer.status === "") {
        show(input.value === "" ? "" : "typing", "");
      } else if (answer.reason === "too_short" && !answer.response) {
        // Nobody was asked: whoever is still typing has done nothing wrong.
        show("short", texts.reasonTooShort);
      } else if (answer.status === "checking") {
        show("checking", "");
      } else {
        show(answer.status, [words(name, answer), differs ? texts[name + "Becomes"] + " " + answer.value : "",
          names.length > 0 ? texts.suggested : ""].filter((part) => part !== "").join(texts.stop));
      }
      suggest(names);
    }

    function refused(text) {
      show("invalid", text);
      input.setAttribute("aria-invalid", "true");
      input.focus();
    }

    input.addEventListener("untaken", (event) => told(event.detail));
    // Keyboards of telephones add a blank to each word.
    input.addEventListener("change", () => {
      if (input.value !== input.value.trim()) {
        set(input.value.trim());
      }
    });
    if (input.value !== "" && region.textContent === "") {
      set(input.value);
    } else if (region.textContent !== "") {
      show("invalid", region.textContent);
    }
    return { fill, refused, clear: () => set("") };
  }

  // What was typed comes along into the other language. It stays in this tab, and no longer than until it is here again.
  const TYPED = "untaken-typed";

  function takeAlong() {
    try {
      sessionStorage.setItem(TYPED, JSON.stringify(Object.fromEntries(new FormData(form))));
    } catch {
      // Without a store the form starts anew.
    }
  }

  function bringBack() {
    try {
      for (const [name, text] of Object.entries(JSON.parse(sessionStorage.getItem(TYPED)) || {})) {
        form.elements[name].value = text;
      }
      sessionStorage.removeItem(TYPED);
    } catch {
      // See above.
    }
  }

  for (const link of document.querySelectorAll(".languages a")) {
    link.addEventListener("click", (event) => {
      // Else the other language comes into another tab, and what was typed stays here.
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
        takeAlong();
      }
    });
  }
  bringBack();

  const trace = document.getElementById("trace");
  const fields = { username: Field("username"), phone: Field("phone") };
  Trace(trace);
  document.getElementById("unscripted").hidden = true;
  for (const button of trace.querySelectorAll("[data-try]")) {
    button.hidden = button.dataset.try === "";
    button.addEventListener("click", () => fields.username.fill(button.dataset.try));
  }

  function finish(state, text) {
    outcome.dataset.state = state;
    outcome.textContent = text;
    if (state !== "") {
      outcome.focus();
    }
  }

  let sending = false;
  // The server says what is wrong, in the words of this page, and beside the field.
  form.noValidate = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (sending) {
      return;
    }
    sending = true;
    finish("", texts.sending);
    try {
      const response = await fetch("/signup", {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams(new FormData(form))
      });
      const body = await response.json();
      const field = fields[body.field];
      if (response.status === 201) {
        Object.values(fields).forEach((one) => one.clear());
        finish("good", texts.welcome + " " + body.username);
      } else if (field && (response.status === 409 || response.status === 400)) {
        finish("", "");
        field.refused(response.status === 409 ? texts[body.field + "Taken"] : reason(body.reason || "malformed"));
      } else {
        finish("bad", texts.busy);
      }
    } catch {
      finish("bad", texts.busy);
    } finally {
      sending = false;
    }
  });
})();
