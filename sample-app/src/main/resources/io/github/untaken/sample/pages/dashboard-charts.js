"use strict";

/* Line charts and stacked bars in SVG. Attributes and classes only: the page's policy allows no inline style. */
const charts = (function () {
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const WIDTH = 180; // one unit is one second
  const HEIGHT = 60;

  function element(name, attributes) {
    const made = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    return made;
  }

  /* 1, 2 or 5 times a power of ten, so that the scale does not jump with each second. */
  function roundedUp(value) {
    if (!(value > 0)) {
      return 1;
    }
    const power = Math.pow(10, Math.floor(Math.log10(value)));
    return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999999);
  }

  /* points: {x: seconds before now, y: number or null for a gap}, oldest first. Returns the top of the scale. */
  function line(svg, points, shaded, fixedTop) {
    const known = points.filter((point) => point.y !== null);
    const top = fixedTop || roundedUp(Math.max(0, ...known.map((point) => point.y)));
    const parts = shaded.map((span) => element("rect", {
      class: "unready", x: Math.max(0, WIDTH - span.from), y: 0,
      width: Math.max(1, Math.min(WIDTH, span.from) - span.to), height: HEIGHT
    }));
    parts.push(element("path", { class: "grid", d: "M0 " + HEIGHT / 2 + "H" + WIDTH }));
    const runs = [];
    let open = false;
    for (const point of points) {
      if (point.y === null) {
        open = false;
      } else {
        if (!open) {
          runs.push([]);
        }
        open = true;
        runs[runs.length - 1].push([(WIDTH - point.x).toFixed(2), (HEIGHT - 1 - (HEIGHT - 3) * point.y / top).toFixed(2)]);
      }
    }
    for (const run of runs) {
      const path = run.map((at) => at.join(" ")).join("L");
      const last = run[run.length - 1];
      parts.push(element("path", { class: "area", d: "M" + run[0][0] + " " + HEIGHT + "L" + path + "L" + last[0] + " " + HEIGHT + "Z" }));
      parts.push(element("path", { class: "line", d: "M" + path + (run.length === 1 ? "h0.5" : "") }));
    }
    parts.push(element("path", { class: "base", d: "M0 " + (HEIGHT - 0.5) + "H" + WIDTH }));
    svg.replaceChildren(...parts);
    return top;
  }

  /* parts: {name, value}; name becomes a class. */
  function stacked(parts, label) {
    const all = parts.reduce((sum, part) => sum + part.value, 0) || 1;
    const svg = element("svg", { class: "stacked", role: "img", "aria-label": label, viewBox: "0 0 100 10", preserveAspectRatio: "none" });
    let x = 0;
    for (const part of parts) {
      const width = 100 * part.value / all;
      if (width > 0) {
        svg.append(element("rect", { class: "part " + part.name, x: x.toFixed(3), y: 0, width: width.toFixed(3), height: 10 }));
      }
      x += width;
    }
    return svg;
  }

  return { WIDTH, line, stacked };
})();
