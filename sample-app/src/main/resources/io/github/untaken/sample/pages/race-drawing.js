"use strict";

/* The pictures of the race: checks on their way in two lanes, and how long answers took. Colours are those of the page. */
const drawing = (() => {
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const MOST_DOTS = 14; // a second, of each lane
  const SPEED = 0.55; // of the lane's length, a second
  const MEMORY = 0.34; // where memory stands on the way to the database
  const LINGER = 0.5; // seconds that an answer stays to be seen
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let colours = null;

  function colour(name) {
    if (colours === null) {
      const style = getComputedStyle(document.documentElement);
      colours = Object.fromEntries(["ink", "quiet", "line", "brand", "bad", "card"].map((each) => [each, style.getPropertyValue("--" + each).trim()]));
    }
    return colours[name];
  }

  dark.addEventListener("change", () => { colours = null; });

  /* One lane. Each dot stands for many checks; where they end is drawn by lot in the shares that were counted. */
  function Track(canvas, memoryName, databaseName) {
    const context = canvas.getContext("2d");
    let dots = [];
    let rates = { memory: 0, database: 0, none: 0 };
    let owed = 0;

    function kindByLot() {
      const drawn = Math.random() * (rates.memory + rates.database + rates.none);
      return drawn < rates.memory ? "memory" : drawn < rates.memory + rates.database ? "database" : "none";
    }

    function advance(seconds) {
      const all = rates.memory + rates.database + rates.none;
      owed = Math.min(owed + Math.min(MOST_DOTS, all) * seconds, 3);
      while (owed >= 1) {
        owed--;
        dots.push({ kind: kindByLot(), at: 0, age: 0, lift: Math.random() - 0.5 });
      }
      for (const dot of dots) {
        const end = dot.kind === "memory" ? MEMORY : 1;
        dot.at = Math.min(end, dot.at + SPEED * seconds);
        dot.age += dot.at === end ? seconds : 0;
      }
      dots = dots.filter((dot) => dot.age < LINGER);
    }

    function station(x, y, name, align, lit) {
      context.beginPath();
      context.arc(x, y, 7, 0, 2 * Math.PI);
      context.fillStyle = colour("card");
      context.strokeStyle = lit;
      context.lineWidth = 2;
      context.fill();
      context.stroke();
      context.fillStyle = colour("quiet");
      context.textAlign = align;
      context.fillText(name, align === "right" ? x + 7 : x, y + 26);
    }

    function paint() {
      const ratio = window.devicePixelRatio || 1;
      const width = canvas.clientWidth;
      const height = canvas.clientHeight;
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      context.font = "12px " + getComputedStyle(document.body).fontFamily;
      const y = height / 2 - 8;
      const from = 4;
      const to = width - 12;
      const x = (at) => from + at * (to - from);
      context.strokeStyle = colour("line");
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(from, y);
      context.lineTo(to, y);
      context.stroke();
      for (const dot of dots) {
        const arrived = dot.age > 0;
        const failed = dot.kind === "none" && arrived;
        context.globalAlpha = arrived ? 1 - dot.age / LINGER : 1;
        context.fillStyle = context.strokeStyle = failed ? colour("bad") : dot.kind === "memory" ? colour("brand") : colour("quiet");
        const up = arrived ? 18 * dot.age / LINGER : 0;
        const top = y + 7 * dot.lift - up;
        context.beginPath();
        if (failed) {
          context.lineWidth = 2.5;
          context.moveTo(x(dot.at) - 5, top - 5);
          context.lineTo(x(dot.at) + 5, top + 5);
          context.moveTo(x(dot.at) + 5, top - 5);
          context.lineTo(x(dot.at) - 5, top + 5);
          context.stroke();
        } else {
          context.arc(x(dot.at), top, arrived ? 4 + 4 * dot.age / LINGER : 4, 0, 2 * Math.PI);
          context.fill();
        }
      }
      context.globalAlpha = 1;
      if (memoryName !== null) {
        station(x(MEMORY), y, memoryName, "center", colour("brand"));
      }
      station(x(1), y, databaseName, "right", rates.none > 0 ? colour("bad") : colour("quiet"));
    }

    /* Those who want no motion see the shares standing on the line. */
    function stand() {
      const all = rates.memory + rates.database + rates.none;
      dots = all === 0 ? [] : Array.from({ length: 20 }, (each, i) => {
        const lot = (i + 0.5) / 20 * all;
        const kind = lot < rates.memory ? "memory" : lot < rates.memory + rates.database ? "database" : "none";
        return { kind, at: kind === "memory" ? MEMORY * (i + 1) / 21 : MEMORY + (1 - MEMORY) * (i + 1) / 21, age: 0, lift: 0 };
      });
    }

    return {
      set: (next) => { rates = next; },
      frame: (seconds) => {
        if (still.matches) {
          stand();
        } else {
          advance(seconds);
        }
        paint();
      }
    };
  }

  function run(tracks) {
    let before = performance.now();
    function frame(now) {
      const seconds = Math.min(0.1, (now - before) / 1000);
      before = now;
      tracks.forEach((track) => track.frame(seconds));
      requestAnimationFrame(frame);
    }
    requestAnimationFrame(frame);
  }

  function element(name, attributes, content) {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    if (content !== undefined) {
      made.textContent = content;
    }
    return made;
  }

  // Bins are a quarter octave, from 64 ns on.
  const FIRST_MICROS = 0.064;
  const SHOWN = 76; // to 32 ms
  const TALL = 56; // pixels of a lane
  const TICKS = [[0.1, "0.1 µs"], [1, "1 µs"], [10, "10 µs"], [100, "100 µs"], [1000, "1 ms"], [10000, "10 ms"]];
  const NARROW = 480;

  function binAt(micros) {
    return 4 * Math.log2(micros / FIRST_MICROS);
  }

  /* Both lanes on one axis, a factor of ten from each line to the next; rows: {name, className, histogram}. */
  function histogram(svg, rows) {
    const width = svg.clientWidth || NARROW;
    const step = width / SHOWN;
    const bottom = (TALL + 22) * rows.length;
    svg.setAttribute("viewBox", "0 0 " + width + " " + (bottom + 18));
    const parts = [];
    for (const [i, [micros, text]] of TICKS.entries()) {
      const x = (binAt(micros) * step).toFixed(1);
      parts.push(element("path", { class: "grid", d: "M" + x + " 0V" + bottom }));
      if (width >= NARROW || i % 2 === 1) {
        parts.push(element("text", { x, y: bottom + 15, "text-anchor": "middle" }, text));
      }
    }
    rows.forEach((row, i) => {
      const base = (TALL + 22) * (i + 1);
      const top = Math.max(1, ...row.histogram);
      row.histogram.slice(0, SHOWN).forEach((count, bin) => {
        if (count > 0) {
          const height = Math.max(1, TALL * count / top);
          parts.push(element("rect", {
            class: row.className, x: (bin * step + 0.5).toFixed(1), y: (base - height).toFixed(1),
            width: Math.max(1, step - 1).toFixed(1), height: height.toFixed(1)
          }));
        }
      });
      parts.push(element("path", { class: "grid", d: "M0 " + base + ".5H" + width }));
      parts.push(element("text", { class: "name", x: width, y: base - TALL - 6, "text-anchor": "end" }, row.name));
    });
    svg.replaceChildren(...parts);
  }

  return { Track, run, histogram };
})();
