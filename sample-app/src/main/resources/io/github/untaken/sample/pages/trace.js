"use strict";

/* The path of each check through the parts of the site, with what it cost as the server counted it. */
function Trace(card) {
  const steps = [...card.querySelectorAll("[data-part]")];
  const words = steps[0].parentElement.dataset;
  const part = (id) => document.getElementById("trace-" + id);
  const asked = new Map();
  const answered = [];
  const KEPT = 5;

  const number = (text, name) => {
    const found = new RegExp(name + "=([0-9.]+)").exec(text || "");
    return found === null ? null : Number(found[1]);
  };
  const say = (template, values) => template.replace(/\{(\w+)\}/g, (all, name) => values[name]);
  const figure = (value) => value === null ? "\u2013" : value.toLocaleString(document.documentElement.lang);

  const time = (millis) => millis === null ? figure(null)
    : millis < 1 ? figure(Math.round(millis * 1000)) + " \u00b5s" : figure(Number(millis.toPrecision(3))) + " ms";

  function measured(typed, answer, roundTrip) {
    const headers = answer.response ? answer.response.headers : null;
    const reads = headers && headers.get("Check-Reads");
    return {
      text: answer.value || typed,
      status: answer.status,
      by: answer.decidedBy ? answer.decidedBy.toLowerCase() : null,
      refusal: answer.response && !answer.response.ok ? answer.response.status : null,
      queries: number(reads, "queries"),
      unfinished: number(reads, "unfinished"),
      reads: number(reads, "reads"),
      bytes: number(reads, "bytes"),
      millis: headers && number(headers.get("Server-Timing"), "dur"),
      roundTrip
    };
  }

  function answeredBy(check) {
    const step = steps.find((one) => one.dataset.part === check.by);
    if (step !== undefined) {
      return step.firstElementChild.textContent;
    }
    return check.by !== null ? check.by
      : check.refusal === null ? words.notAnswered : words.notAnswered + " (HTTP " + check.refusal + ")";
  }

  function showPath(check) {
    // What nobody knew was looked for as far as the database; a check that was refused or lost, nowhere.
    const end = check.by !== null ? check.by : check.refusal === 503 ? "store" : null;
    let passed = end !== null;
    const rest = passed ? "unneeded" : "unasked";
    for (const step of steps) {
      const here = step.dataset.part === end;
      step.dataset.step = here ? (check.by === null ? "failed" : "answered") : passed ? "passed" : rest;
      step.lastElementChild.textContent = words[step.dataset.step];
      passed = passed && !here;
    }
  }

  function show() {
    const [now, ...before] = answered.slice(0, KEPT);
    part("now").replaceChildren(strong(now.text), " \u2013 " + words[now.status]
      + (now.by === null ? words.stop + answeredBy(now) : ""));
    showPath(now);
    part("figures").hidden = false;
    if (part("brief") !== null) {
      part("brief").textContent = answeredBy(now) + " \u00b7 " + cost(now);
    }
    part("queries").textContent = figure(now.queries);
    part("reads").textContent = now.unfinished > 0 ? words.unfinished : figure(now.reads);
    part("server").textContent = time(now.millis);
    part("round-trip").textContent = time(now.roundTrip);
    if (part("before") === null) {
      return; // the landing page shows the last one only
    }
    part("before").hidden = before.length === 0;
    part("list").replaceChildren(...before.map(row));
    part("tally").textContent = say(words.tally, { checks: figure(answered.length),
      without: figure(answered.filter((check) => check.by !== null && check.queries === 0).length) });
  }

  function cost(check) {
    return say(words.cost, { queries: figure(check.queries), reads: figure(check.reads), micros: time(check.millis) });
  }

  function row(check) {
    const item = document.createElement("li");
    const line = document.createElement("span");
    line.className = "quiet";
    line.textContent = answeredBy(check) + " \u00b7 " + cost(check);
    item.append(strong(check.text), " " + words[check.status] + " ", line);
    return item;
  }

  function strong(text) {
    const element = document.createElement("strong");
    element.textContent = text;
    return element;
  }

  document.addEventListener("untaken", (event) => {
    const input = event.target;
    const answer = event.detail;
    if (answer.status === "checking") {
      asked.set(input, { at: performance.now(), check: { } });
    } else if (answer.status === "") {
      asked.delete(input);
    } else if (asked.has(input)) {
      const { at, check } = asked.get(input);
      // An answer that comes after all takes the place of "could not check".
      Object.assign(check, measured(input.value, answer, performance.now() - at));
      if (!answered.includes(check)) {
        answered.unshift(check);
      }
      show();
    }
  });
  card.hidden = false;
}
