"use strict";

/* All nodes, three times a second, and the buttons that break them. */
(() => {
  const PERIOD = 330;
  const whole = new Intl.NumberFormat("en");
  const input = document.getElementById("username");
  const problem = document.getElementById("status");
  const STATES = { memory: "answers from memory", database: "asks the database", paused: "stands still", gone: "gone", silent: "no answer" };
  const SAYS = { AVAILABLE: "free", TAKEN: "taken", RESERVED: "reserved", INVALID: "not allowed", UNKNOWN: "unknown" };
  const BY = { FILTER: "its memory", WHITELIST: "its memory, proved free", STORE: "the database", NORMALIZER: "the rules",
    RESERVED_LIST: "the reserved names" };
  const cards = [];

  function make(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text || "";
    return made;
  }

  function button(card, name, className, text, form) {
    const made = make("button", className, text);
    made.type = "button";
    made.addEventListener("click", async () => {
      card.busy = true;
      made.disabled = true;
      try {
        const response = await fetch("/actions/" + made.dataset.does, { method: "POST", body: new URLSearchParams(form()) });
        problem.textContent = response.ok ? "" : (await response.json()).problem;
      } catch {
        problem.textContent = "This page's server does not answer.";
      }
      card.busy = false;
      made.disabled = false;
    });
    made.dataset.does = name;
    return made;
  }

  function Card(index) {
    const root = make("article", "node");
    const card = { root, busy: false };
    const head = make("div", "head");
    card.name = make("h2", "");
    card.pill = make("span", "pill");
    head.append(card.name, card.pill);
    card.says = make("p", "says");
    card.by = make("p", "by quiet");
    const list = document.createElement("dl");
    for (const [key, label] of [["age", "Age of its news"], ["told", "Told by the log"], ["checks", "Checks"], ["reads", "Database reads"], ["gaps", "Gaps"]]) {
      const pair = document.createElement("div");
      card[key] = make("dd", "", "–");
      pair.append(make("dt", "", label), card[key]);
      list.append(pair);
    }
    card.reason = make("p", "reason");
    const buttons = make("div", "buttons");
    card.signup = button(card, "signup", "first", "Sign up here", () => ({ node: index, username: input.value.trim().toLowerCase() }));
    card.pause = button(card, "pause", "", "Pause", () => ({ node: index }));
    card.kill = button(card, "kill", "danger", "Kill", () => ({ node: index }));
    buttons.append(card.signup, card.pause, card.kill);
    root.append(head, card.says, card.by, list, card.reason, buttons);
    document.getElementById("nodes").append(root);
    return card;
  }

  function show(card, node, all) {
    const state = !node.alive ? "gone" : node.paused ? "paused" : !node.answers ? "silent" : node.memory ? "memory" : "database";
    card.root.dataset.state = state;
    card.name.textContent = node.name;
    card.pill.textContent = STATES[state];
    const [status, by] = (node.says || "").split("/");
    card.says.textContent = input.value === "" ? "" : node.answers ? SAYS[status] || "" : "no answer";
    card.says.dataset.status = status;
    card.by.textContent = node.answers && by ? "says " + (BY[by] || by) : "";
    card.age.textContent = node.answers && node.age >= 0 ? whole.format(node.age) + " of " + whole.format(all.bound) + " ms" : "–";
    card.age.dataset.old = String(node.age >= all.bound);
    card.gaps.textContent = !node.answers ? "–" : node.gaps + (node.gapsBy ? " (" + node.gapsBy.replace(/:\d+/g, "") + ")" : "");
    for (const key of ["told", "checks", "reads"]) {
      card[key].textContent = node.answers ? whole.format(node[key]) : "–";
    }
    card.reason.textContent = node.reason || "";
    if (!card.busy) {
      card.signup.disabled = !all.buttons || !node.answers || input.value === "" || status !== "AVAILABLE";
      card.pause.disabled = !all.buttons || !node.alive;
      card.pause.textContent = node.paused ? "Go on" : "Pause";
      card.pause.dataset.does = node.paused ? "resume" : "pause";
      card.kill.disabled = !all.buttons;
      card.kill.textContent = node.alive ? "Kill" : "Start";
      card.kill.className = node.alive ? "danger" : "";
      card.kill.dataset.does = node.alive ? "kill" : "start";
    }
  }

  async function look() {
    try {
      const all = await (await fetch("/nodes?username=" + encodeURIComponent(input.value.trim().toLowerCase()))).json();
      all.nodes.forEach((node, i) => {
        cards[i] = cards[i] || Card(i);
        show(cards[i], node, all);
      });
      if (problem.dataset.offline === "true") {
        problem.textContent = "";
        problem.dataset.offline = "false";
      }
    } catch {
      problem.textContent = "This page's server does not answer.";
      problem.dataset.offline = "true";
    }
    setTimeout(look, PERIOD);
  }

  look();
})();
