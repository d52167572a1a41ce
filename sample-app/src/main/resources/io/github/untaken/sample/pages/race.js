"use strict";

/* The landing page: asks how the race stands, draws it, and hands on what the visitor does to it. */
(() => {
  const PERIOD = 500;
  const FASTEST = 100; // of the slider
  const MOST_RATE = 1000000;
  const LEAST_RATE = 10;
  const byId = (id) => document.getElementById(id);
  const texts = byId("race").dataset;
  const language = document.documentElement.lang;
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const three = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
  const compact = new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 4 });
  const slider = byId("rate");
  const toggle = byId("switch");
  const status = byId("race-status");
  const byItself = byId("outages");
  const trips = [...document.querySelectorAll("[name=trip]")];
  let refusal = "";
  let sliding = false;
  let choosing = false;

  const lanes = Object.fromEntries([...document.querySelectorAll(".lane")].map((card) => {
    const name = card.dataset.lane;
    const canvas = card.querySelector("canvas");
    return [name, { card, canvas, track: drawing.Track(canvas, name === "untaken" ? texts.memory : null, texts.database) }];
  }));

  const say = (template, values) => template.replace(/\{(\w+)\}/g, (all, name) => values[name]);

  function time(micros) {
    return micros === null ? "–" : micros < 1000 ? three.format(micros) + "\u00a0µs" : three.format(micros / 1000) + "\u00a0ms";
  }

  function count(number) {
    return number < 1e6 ? whole.format(number) : compact.format(number);
  }

  /* A sentence whose {figures} stand out. */
  function sentence(element, template, values, bad) {
    element.replaceChildren(...template.split(/(\{\w+\})/).filter((part) => part !== "").map((part) => {
      const name = /^\{(\w+)\}$/.exec(part);
      if (name === null) {
        return part;
      }
      const figure = document.createElement("strong");
      figure.textContent = values[name[1]];
      figure.dataset.bad = String(bad === name[1]);
      return figure;
    }));
  }

  function tell(line, state) {
    if (status.textContent !== line) {
      status.textContent = line;
    }
    status.dataset.state = state;
  }

  function show(race) {
    if (race.running && race.free > 0) {
      sentence(byId("claim"), race.queriesOfFree === 1 ? texts.headlineOne : texts.headline, {
        free: whole.format(race.free), queries: whole.format(race.queriesOfFree), wrong: whole.format(race.wrong)
      }, race.wrong > 0 ? "wrong" : "");
    }
    const { database, untaken } = race.lanes;
    byId("second").textContent = race.taken === 0 || untaken.taken.p50Micros === null || database.taken.p50Micros === null ? "\u00a0"
      : say(texts.second, { taken: whole.format(race.taken), with: time(untaken.taken.p50Micros), without: time(database.taken.p50Micros) });
    byId("judged").textContent = say(race.wrong > 0 ? texts.wrong : texts.judged, { n: whole.format(race.wrong), users: whole.format(race.users) });
    byId("while-stopped").hidden = race.freeWhileStopped === 0;
    sentence(byId("while-stopped"), texts.while, { n: whole.format(race.freeWhileStopped) }, "");
    byId("distance").textContent = race.roundTripMicros === 0 ? texts.near : say(texts.far, { trip: three.format(race.roundTripMicros / 1000) + "\u00a0ms" });
    showStatus(race);
    showOutage(race.outages);
    const most = Math.max(1, ...Object.values(race.lanes).map((lane) => lane.queries));
    const mostPages = Math.max(1, ...Object.values(race.lanes).map((lane) => lane.pageReads));
    for (const [name, lane] of Object.entries(race.lanes)) {
      const { card, canvas, track } = lanes[name];
      const figure = (id) => card.querySelector("[data-figure=" + id + "]");
      const dead = lane.unansweredPerSecond > 0 && lane.perSecond < 1;
      figure("perThread").textContent = dead ? "0" : lane.perThreadSecond === null ? "–" : whole.format(Number(lane.perThreadSecond.toPrecision(3)));
      figure("perThread").dataset.bad = String(dead);
      for (const sort of ["free", "taken"]) {
        figure(sort).textContent = time(lane[sort].p50Micros);
        figure(sort + "Worst").textContent = lane[sort].p99Micros === null ? "" : say(texts.worst, { time: time(lane[sort].p99Micros) });
      }
      figure("queries").textContent = count(lane.queries);
      figure("pages").textContent = count(lane.pageReads);
      const [queries, pages] = card.querySelectorAll(".bar rect");
      queries.setAttribute("width", (100 * lane.queries / most).toFixed(2));
      pages.setAttribute("width", (100 * lane.pageReads / mostPages).toFixed(2));
      track.set({ memory: lane.memoryPerSecond, database: lane.perSecond - lane.memoryPerSecond, none: lane.unansweredPerSecond });
      canvas.setAttribute("aria-label", say(texts.shares, {
        memory: whole.format(lane.memoryPerSecond), database: whole.format(lane.perSecond - lane.memoryPerSecond), none: whole.format(lane.unansweredPerSecond)
      }));
    }
    drawTimes((name) => race.lanes[name].histogram);
    toggle.dataset.does = race.databaseRuns ? "stop" : "start";
    toggle.textContent = race.databaseRuns ? texts.stop : texts.start;
    if (!sliding) {
      slider.value = place(race.rate);
      showRate(race.rate);
    }
    if (!choosing) {
      trips.forEach((trip) => { trip.checked = Number(trip.value) === race.roundTripMicros; });
    }
  }

  /* Announced before it comes, in a place that no screen reader is told of every second. */
  function showOutage(outages) {
    byId("by-itself").hidden = outages === null;
    byId("outage").textContent = outages === null ? ""
      : outages.endsInSeconds !== null ? say(texts.ends, { n: outages.endsInSeconds })
        : byItself.checked && !document.hidden ? say(texts.nextOutage, { n: outages.nextInSeconds, lasts: outages.lastsSeconds }) : "";
  }

  function drawTimes(histogramOf) {
    drawing.histogram(byId("histogram"), Object.keys(lanes).map((name) => ({
      name: lanes[name].card.querySelector("h3").textContent, className: name, histogram: histogramOf(name)
    })));
  }

  function showStatus(race) {
    if (!race.databaseRuns) {
      tell(texts.stopped, "bad");
    } else if (refusal !== "") {
      tell(refusal, "bad");
    } else if (race.busy !== "" && race.busy !== "stop" && race.busy !== "start") {
      tell(texts.busy, "");
    } else if (!race.running) {
      tell(say(texts.loading, { n: whole.format(race.loaded) }), "");
    } else {
      tell("", "");
    }
  }

  // ---------------------------------------------------------------- the slider, by powers of ten

  function rateAt(value) {
    if (value >= FASTEST) {
      return MOST_RATE;
    }
    const exact = LEAST_RATE * Math.pow(10, value / 20);
    const power = Math.pow(10, Math.floor(Math.log10(exact)));
    return Math.round(exact / power) * power;
  }

  function place(rate) {
    return rate >= MOST_RATE ? FASTEST : Math.round(20 * Math.log10(rate / LEAST_RATE));
  }

  function showRate(rate) {
    const text = rate >= MOST_RATE ? texts.fastest : say(texts.rate, { n: whole.format(rate) });
    byId("rate-text").textContent = text;
    slider.setAttribute("aria-valuetext", text);
  }

  slider.addEventListener("input", () => {
    sliding = true;
    showRate(rateAt(Number(slider.value)));
  });
  slider.addEventListener("change", () => {
    send("/race", { rate: rateAt(Number(slider.value)) }).finally(() => { sliding = false; });
  });

  for (const trip of trips) {
    trip.addEventListener("change", () => {
      choosing = true;
      send("/race", { roundTrip: trip.value, again: 1 }).finally(() => { choosing = false; });
    });
  }

  function send(path, form) {
    return fetch(path, { method: "POST", body: new URLSearchParams(form) }).then(async (response) => {
      const body = await response.json();
      refusal = response.ok ? "" : body.reason === "running" ? texts.running : texts.failed;
    }, () => { refusal = texts.offline; });
  }

  toggle.addEventListener("click", () => {
    toggle.disabled = true;
    send("/actions/" + toggle.dataset.does, {}).then(look).finally(() => { toggle.disabled = false; });
  });
  byId("again").addEventListener("click", () => send("/race", { again: 1 }).then(look));

  // ---------------------------------------------------------------- looking, while it is looked at

  function look() {
    return fetch(byItself.checked ? "/race?outages=1" : "/race").then((response) => response.json()).then((race) => {
      if (race.lanes === undefined) {
        location.reload(); // the site is starting anew
        return;
      }
      show(race);
    }).catch(() => tell(texts.offline, "bad"));
  }

  function again() {
    if (document.hidden) {
      return;
    }
    look().finally(() => setTimeout(again, PERIOD));
  }

  document.addEventListener("visibilitychange", again);
  drawing.run(Object.values(lanes).map((lane) => lane.track));
  drawTimes(() => []); // the axes, until there is something to draw
  showRate(rateAt(Number(slider.value)));
  again();

  // ---------------------------------------------------------------- a name and its way

  Trace(byId("trace"));
  const input = byId("username");
  // On a small screen the field may stand at the lower edge, and the answer below it.
  input.addEventListener("untaken", (event) => {
    if (document.activeElement === input && event.detail.status !== "checking") {
      document.querySelector(".way ol").scrollIntoView({ block: "nearest" });
    }
  });
  for (const button of document.querySelectorAll("[data-try]")) {
    button.hidden = button.dataset.try === "";
    button.addEventListener("click", () => {
      input.focus();
      input.value = button.dataset.try;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
})();
