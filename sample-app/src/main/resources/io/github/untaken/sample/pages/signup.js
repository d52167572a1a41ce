"use strict";

// <untaken-check> makes the checks and tells their answers. This sends the form, and shows what each check cost.
(() => {
  const form = document.getElementById("signup");
  const outcome = document.getElementById("outcome");
  const texts = form.dataset;
  const { username, phone } = form.elements;

  // As a key does.
  function type(input, text) {
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  for (const input of [username, phone]) {
    // Keyboards of telephones add a blank to each word.
    input.addEventListener("change", () => {
      if (input.value !== input.value.trim()) {
        type(input, input.value.trim());
      }
    });
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
        type(form.elements[name], text);
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

  Trace(document.getElementById("trace"));
  bringBack();
  document.getElementById("unscripted").hidden = true;
  document.getElementById("tries").hidden = false;
  for (const button of document.querySelectorAll("[data-try]")) {
    button.hidden = button.dataset.try === "";
    button.addEventListener("click", () => {
      username.focus();
      type(username, button.dataset.try);
    });
  }

  function finish(state, text) {
    outcome.dataset.state = state;
    outcome.textContent = text;
    if (state !== "") {
      outcome.focus();
    }
  }

  form.addEventListener("untaken", (event) => {
    if (event.detail.status === "") {
      finish("", ""); // somebody types
    }
  });

  let sending = false;
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
      const field = form.elements[body.field];
      if (response.status === 201) {
        type(username, "");
        type(phone, "");
        finish("good", texts.welcome + " " + body.username);
      } else if (field && (response.status === 409 || response.status === 400)) {
        // It is asked about once more, and so says itself what is wrong with it.
        const text = field.value;
        type(field, "");
        type(field, text);
        finish("bad", texts.sorry);
        field.focus();
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
