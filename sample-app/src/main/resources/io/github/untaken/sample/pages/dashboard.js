"use strict";

(function () {
  const PERIOD = 1000;
  const KEPT = 180;
  const RECENT = 3; // seconds that a rate is the mean of
  const texts = document.getElementById("dashboard").dataset;
  const language = document.documentElement.lang;
  const announcer = document.getElementById("status");
  const bar = document.getElementById("status-progress");
  const cancel = document.getElementById("cancel");
  const buttons = ["burst", "import", "rebuild", "stop", "start", "experiment"].map(byId);
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });

  let samples = []; // objects by the names of the history's columns, oldest first
  let timer = null;
  let asked = null; // what this page asked for and waits for
  let ended = 0; // how often that has ended
  let runningBefore = null;
  let shownResult = false;
  let lastStats = null;

  function byId(id) {
    return document.getElementById(id);
  }

  function text(name, values) {
    return Object.entries(values || {}).reduce((line, [key, value]) => line.replaceAll("{" + key + "}", value), texts[name] || name);
  }

  function camel(prefix, code) {
    return prefix + code.charAt(0).toUpperCase() + code.slice(1);
  }

  function make(name, className, content) {
    const made = document.createElement(name);
    if (className) {
      made.className = className;
    }
    if (content !== undefined) {
      made.textContent = content;
    }
    return made;
  }

  function digits(number, most) {
    return new Intl.NumberFormat(language, { maximumSignificantDigits: most }).format(number);
  }

  function percent(share, most) {
    return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: most }).format(share);
  }

  function megabytes(bytes) {
    return new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(bytes / 1e6);
  }

  function bytesWithUnit(bytes) {
    return bytes < 1e6 ? digits(bytes / 1e3, 3) + " kB" : megabytes(bytes) + " MB";
  }

  function compact(number) {
    return number < 1000 ? digits(number, 3)
      : new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 }).format(number);
  }

  // ---------------------------------------------------------------- live figures

  function keep(history) {
    if (samples.length > 0 && history.newest < samples[samples.length - 1].number) {
      samples = []; // the site was started anew
      return;
    }
    for (const row of history.samples) {
      samples.push(Object.fromEntries(history.columns.map((name, i) => [name, row[i]])));
    }
    samples = samples.slice(-KEPT);
  }

  /* One point for each second: how much a counter, or a formula of counters, has grown. */
  function rates(grown) {
    const newest = samples.length === 0 ? 0 : samples[samples.length - 1].at;
    return samples.slice(1).map((now, i) => {
      const seconds = (now.at - samples[i].at) / 1000;
      return { x: (newest - now.at) / 1000, y: seconds > 0 ? grown(samples[i], now, seconds) : null };
    }).filter((point) => point.x <= charts.WIDTH);
  }

  function levels(value) {
    const newest = samples.length === 0 ? 0 : samples[samples.length - 1].at;
    return samples.map((now) => ({ x: (newest - now.at) / 1000, y: value(now) })).filter((point) => point.x <= charts.WIDTH);
  }

  function recent(points) {
    const last = points.slice(-RECENT).map((point) => point.y).filter((y) => y !== null);
    return last.length === 0 ? 0 : last.reduce((sum, y) => sum + y, 0) / last.length;
  }

  function unreadySpans() {
    const spans = [];
    levels((now) => now.ready ? 0 : 1).forEach((point) => {
      if (point.y === 1) {
        const last = spans[spans.length - 1];
        if (last && last.to - point.x < 1.6) {
          last.to = point.x;
        } else {
          spans.push({ from: point.x + 1, to: point.x });
        }
      }
    });
    return spans;
  }

  function figure(name, value, unit, detail, points, scale, fixedTop) {
    const card = byId("figure-" + name);
    card.querySelector(".number").textContent = value;
    card.querySelector(".unit").textContent = unit;
    card.querySelector(".detail").textContent = detail;
    const svg = card.querySelector(".chart");
    const top = charts.line(svg, points, unreadySpans(), fixedTop);
    card.querySelector(".top").textContent = points.length === 0 ? "" : scale(top);
    svg.setAttribute("aria-label", card.querySelector("h3").textContent + ": " + value + " " + unit);
  }

  function showFigures(stats) {
    const grown = (column) => (before, now, seconds) => Math.max(0, now[column] - before[column]) / seconds;
    const perSecond = (top) => compact(top) + text("perSecond");
    const checks = rates(grown("checks"));
    figure("checks", digits(recent(checks), 4), text("perSecond"), text("inAll", { n: whole.format(stats.checks) }), checks, perSecond);

    const passed = stats.fromMemory + stats.fromDatabase;
    const share = rates((before, now) => {
      const memory = now.fromMemory - before.fromMemory;
      const all = memory + now.fromDatabase - before.fromDatabase;
      return all > 0 ? memory / all : null;
    });
    figure("share", passed === 0 ? "–" : percent(stats.fromMemory / passed, 1), "",
      text("ofAll", { n: whole.format(stats.fromMemory), all: whole.format(passed) }), share, (top) => percent(top, 0), 1);

    const queries = rates(grown("databaseQueries"));
    figure("queries", digits(recent(queries), 4), text("perSecond"), text("byChecks", { n: whole.format(stats.databaseQueries) }), queries, perSecond);

    const factor = stats.readsPerQuery;
    const avoided = factor === null ? [] : rates((before, now, seconds) => Math.max(0, now.fromMemory - before.fromMemory) * factor / seconds);
    figure("avoided", factor === null ? "–" : "≈ " + whole.format(stats.readsAvoided), "",
      factor === null ? text("noQueryYet")
        : text("avoidedBy", { n: whole.format(stats.fromMemory), factor: digits(factor, 3) }), avoided, perSecond);

    let bytes = 0;
    let entries = 0;
    let whitelisted = 0;
    for (const kind of Object.values(stats.kinds)) {
      bytes += kind.bytes;
      entries += kind.entries;
      whitelisted += kind.whitelisted;
    }
    const bits = entries === 0 ? 0 : 8 * bytes / entries;
    figure("memory", megabytes(bytes), "MB", entries === 0 ? "" : text("entries", { n: whole.format(entries), bits: digits(bits, 3) }),
      levels((now) => now.bytes / 1e6), (top) => digits(top, 3) + " MB");

    const audits = stats.audits;
    figure("alarms", audits.freeKeys === 0 ? "–" : percent(audits.falsePositives / audits.freeKeys, 4), "",
      audits.freeKeys === 0 ? text("noAuditYet")
        : text("alarmsOf", { n: whole.format(audits.falsePositives), all: whole.format(audits.freeKeys), rate: percent(audits.declaredRate, 4) }),
      levels((now) => now.freeKeys === 0 ? null : now.falsePositives / now.freeKeys), (top) => percent(top, 4));
    figure("whitelist", whole.format(whitelisted), "", text("provedFree"), levels((now) => now.whitelisted), compact);
  }

  // ---------------------------------------------------------------- registries

  const kindCards = new Map();

  function kindCard(name) {
    if (!kindCards.has(name)) {
      const card = make("article", "kind");
      const parts = {
        card,
        pill: make("span", "pill"),
        reason: make("p", "reason"),
        bar: make("progress"),
        progress: make("p", "quiet"),
        holds: make("p", "quiet")
      };
      const head = make("h3", "", texts[camel("kind", name)] || name);
      head.append(" ", parts.pill);
      parts.bar.setAttribute("aria-label", texts.progress + ": " + head.firstChild.textContent);
      card.append(head, parts.reason, parts.bar, parts.progress, parts.holds);
      byId("kinds").append(card);
      kindCards.set(name, parts);
    }
    return kindCards.get(name);
  }

  function showKind(name, kind) {
    const parts = kindCard(name);
    const state = kind.state.toLowerCase();
    parts.card.dataset.state = state;
    parts.pill.textContent = texts[camel("state", state)] || kind.state;
    parts.pill.dataset.state = state;
    parts.reason.textContent = kind.reason;
    parts.reason.hidden = kind.reason === "";
    const scan = kind.progress;
    parts.bar.hidden = scan === null;
    parts.progress.hidden = scan === null && state === "ready";
    if (scan === null) {
      parts.progress.textContent = text("waiting");
    } else {
      parts.bar.max = Math.max(1, scan.expectedRows);
      parts.bar.value = Math.min(scan.rows, parts.bar.max);
      const line = [
        text("rows", { rows: whole.format(scan.rows), expected: whole.format(scan.expectedRows), rate: compact(scan.rowsPerSecond) })
      ];
      if (scan.secondsLeft !== null) {
        line.push(text("left", { n: whole.format(Math.ceil(scan.secondsLeft)) }));
      }
      if (state === "ready") {
        line.unshift(text("rescanning"));
      }
      parts.progress.textContent = line.join(" · ");
    }
    const holds = [text("holds", { entries: whole.format(kind.entries), bytes: megabytes(kind.bytes), load: kind.load === null ? "–" : percent(kind.load, 0) })];
    if (kind.missesProved > 0) {
      holds.push(text("misses", { n: whole.format(kind.missesProved) }));
    }
    parts.holds.textContent = holds.join(" · ");
  }

  function showImported(stats) {
    const box = byId("imported");
    box.hidden = stats.imported.example === "";
    if (box.hidden) {
      return;
    }
    const some = stats.imported.unknown > 0;
    const degraded = stats.kinds.username.state !== "READY";
    box.dataset.state = some ? "unknown" : degraded ? "degraded" : "known";
    byId("imported-count").textContent = text(some ? "unknownSome" : "unknownNone", { n: whole.format(stats.imported.unknown) });
    byId("imported-audit").textContent = degraded ? text("unknownDegraded")
      : stats.audits.rowsEach === 0 ? text("unaudited")
        : text("audited", { rows: whole.format(stats.audits.rowsEach), seconds: whole.format(stats.audits.everySeconds) });
    byId("imported-example").href = "/availability?username=" + encodeURIComponent(stats.imported.example);
  }

  function showEvents(events) {
    byId("events").replaceChildren(...events.slice(0, 10).map((event) => {
      const item = make("li");
      const time = make("time", "", new Date(event.at).toLocaleTimeString(language));
      time.dateTime = new Date(event.at).toISOString();
      const about = event.about === "" ? "" : (texts[camel("kind", event.about)] || event.about) + ": ";
      const what = make("span", "", about + (texts[camel("event", event.what)] || event.what));
      what.dataset.what = event.what;
      item.append(time, what);
      if (event.detail !== "") {
        item.append(make("span", "quiet", event.detail));
      }
      return item;
    }));
  }

  // ---------------------------------------------------------------- what runs

  function say(line, state) {
    announcer.textContent = line;
    announcer.dataset.state = state || "";
  }

  function problem(reason) {
    say(texts[camel("problem", reason)] || texts.problemFailed, "invalid");
  }

  function showProgress(what, done, total, mode) {
    const part = total > 0 ? ": " + whole.format(done) + " / " + whole.format(total) : " …";
    say((texts[camel("action", what)] || what) + (mode ? ", " + (texts[camel("mode", mode)] || mode) : "") + part, "checking");
    bar.hidden = !(total > 0);
    bar.max = total || 1;
    bar.value = done || 0;
  }

  function showRunning(stats) {
    const running = stats.running;
    const what = running === null ? asked : running.what;
    for (const button of buttons) {
      button.disabled = what !== null
        || (button.id === "stop" && !stats.database.running)
        || (button.id === "start" && stats.database.running);
    }
    cancel.hidden = what !== "experiment";
    if (running !== null && running.what !== "rebuild") {
      showProgress(running.what, running.done, running.total, running.mode);
    } else if (what === null) {
      bar.hidden = true;
      if (runningBefore !== null && announcer.dataset.state === "checking") {
        say("", ""); // another page's work, which has ended
      }
    }
    const experimentEnded = runningBefore === "experiment" && what !== "experiment";
    runningBefore = what;
    if (stats.experimentDone && (!shownResult || experimentEnded) && what !== "experiment") {
      shownResult = true;
      fetch("/experiment/result.json").then((response) => response.json()).then(showResult).catch(() => { shownResult = false; });
    }
    byId("down").hidden = stats.database.running;
    byId("database").textContent = text(stats.database.running ? "runs" : "down") + " "
      + text("file", { n: whole.format(stats.database.fileBytes / 1e6) });
  }

  function poll() {
    timer = null;
    const after = samples.length === 0 ? 0 : samples[samples.length - 1].number;
    fetch("/race").catch(() => {}); // whoever looks here keeps the race going, and so the charts have something to show
    const endedBefore = ended;
    fetch("/stats?after=" + after).then((response) => response.json()).then((stats) => {
      if (ended !== endedBefore) {
        stats.running = null; // these figures may still know what has ended meanwhile; the next tell of others' work
      }
      keep(stats.history);
      lastStats = stats;
      showFigures(stats);
      Object.entries(stats.kinds).sort().reverse().forEach(([name, kind]) => showKind(name, kind));
      showImported(stats);
      showEvents(stats.events);
      showRunning(stats);
      if (announcer.dataset.problem === "offline") {
        say("", "");
        delete announcer.dataset.problem;
      }
    }).catch(() => {
      problem("offline");
      announcer.dataset.problem = "offline";
    }).finally(schedule);
  }

  function schedule() {
    if (timer === null && !document.hidden) {
      timer = setTimeout(poll, PERIOD);
    }
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    timer = null;
    if (!document.hidden) {
      poll();
    }
  });

  // ---------------------------------------------------------------- buttons

  function begin(what) {
    asked = what;
    showProgress(what, 0, 0);
    cancel.hidden = what !== "experiment";
    buttons.forEach((button) => { button.disabled = true; });
  }

  function end() {
    asked = null;
    ended++;
    bar.hidden = true;
    if (lastStats !== null) {
      lastStats.running = null;
      showRunning(lastStats);
    }
  }

  function asJson(response) {
    return response.json().then((body) => response.ok ? body : Promise.reject(body));
  }

  for (const action of ["burst", "import", "rebuild", "stop", "start"]) {
    byId(action).addEventListener("click", () => {
      begin(action);
      fetch("/actions/" + action, { method: "POST" }).then(asJson)
        .then((body) => {
          lastStats.database.running = body.databaseRuns;
          end();
          const figures = Object.entries(body).map(([name, value]) => [name, name === "seconds" ? digits(value, 2) : whole.format(value)]);
          say(text(camel("done", action), Object.fromEntries(figures)), action === "stop" ? "invalid" : body.unknown > 0 ? "unknown" : "free");
        })
        .catch((body) => {
          end();
          problem((body && body.reason) || "failed");
        });
    });
  }

  cancel.addEventListener("click", () => {
    fetch("/experiment", { method: "DELETE" }).catch(() => {});
  });

  // ---------------------------------------------------------------- experiment

  const mix = byId("mix");
  const hint = byId("mix-hint");
  const inputs = Array.from(mix.querySelectorAll("input"));

  function refuse(body) {
    const input = inputs.find((each) => each.name === body.field);
    const label = input ? mix.querySelector("label[for=" + input.id + "]").firstChild.textContent.trim() : "";
    hint.textContent = body.reason === "nothing_to_draw" ? text("nothingToDraw")
      : input ? text("range", { field: label, least: whole.format(body.least), most: whole.format(body.most) }) : body.title;
    if (input) {
      input.setAttribute("aria-invalid", "true");
      input.focus();
    }
  }

  mix.addEventListener("submit", (event) => {
    event.preventDefault();
    hint.textContent = "";
    inputs.forEach((input) => input.removeAttribute("aria-invalid"));
    const form = new URLSearchParams(inputs.map((input) => [input.name, input.validity.badInput ? "?" : input.value]));
    begin("experiment");
    fetch("/experiment", { method: "POST", body: form }).then(asJson)
      .then((result) => {
        shownResult = true;
        showResult(result);
        runningBefore = null; // shown already
        end();
        say(texts.doneExperiment, "free");
      })
      .catch((body) => {
        end();
        if (body && body.field) {
          say("", "");
          refuse(body);
        } else {
          problem((body && body.reason) || "failed");
        }
      });
  });

  const CLASSES = ["freeByFilter", "freeByWhitelist", "recheckFound", "recheckFoundNothing"];

  function classesOf(run) {
    const known = CLASSES.map((name) => ({ name, value: run.classes[name] }));
    const other = Object.entries(run.classes).filter(([name]) => !CLASSES.includes(name)).reduce((sum, [, value]) => sum + value, 0);
    return known.concat({ name: "other", value: other });
  }

  function className(part) {
    return text(camel("class", part.name));
  }

  function showResult(result) {
    byId("runs").replaceChildren(...result.runs.map((run) => {
      const card = make("article", "run");
      const parts = classesOf(run);
      const label = parts.map((part) => className(part) + " " + whole.format(part.value)).join(", ");
      card.append(make("h3", "", texts[camel("mode", run.mode)] || run.mode), charts.stacked(parts, label));
      const figures = make("dl", "run-figures");
      for (const [value, name] of [
        [whole.format(run.databaseQueries), "queries"],
        [whole.format(run.pageReads), "reads"],
        [bytesWithUnit(run.bytesRead), "bytes"],
        [digits(run.nanosPerCheck / 1000, 3), "micros"]
      ]) {
        const pair = make("div");
        pair.append(make("dt", "", text(name)), make("dd", "", value));
        figures.append(pair);
      }
      const counts = make("ul", "counts");
      for (const part of parts.filter((each) => each.value > 0)) {
        const item = make("li");
        item.append(make("i", "swatch part-" + part.name), make("span", "", className(part) + ": " + whole.format(part.value)));
        counts.append(item);
      }
      card.append(figures, counts);
      return card;
    }));
    const alarms = result.falsePositives;
    const facts = [
      text("factAlarms", {
        seen: whole.format(alarms.seen), texts: whole.format(alarms.freeTexts),
        rate: percent(alarms.seenRate, 4), declared: percent(alarms.declaredRate, 4)
      }),
      text("factMemory", { registry: megabytes(result.memory.registryBytes), set: megabytes(result.memory.hashSetBytes) }),
      text("factAgain", {
        seed: result.seed, checks: whole.format(result.checks),
        mix: Object.entries(result.mix).map(([name, share]) => name + "=" + share).join(" ")
      })
    ];
    if (!result.ready) {
      facts.unshift(text("notReady"));
    }
    byId("facts").replaceChildren(...facts.map((fact) => make("li", "", fact)));
    byId("result").hidden = false;
  }

  poll();
})();
