"use strict";

(function () {
  const actions = document.getElementById("actions");
  const cancel = document.getElementById("cancel");
  const announcer = document.getElementById("status");
  const texts = actions.dataset;
  const numbers = new Intl.NumberFormat(document.documentElement.lang);
  const PERIOD = 1000;
  const BURST = 10000;
  const AT_ONCE = 6;

  function set(id, text) {
    document.getElementById(id).textContent = text;
  }

  function row(cells) {
    const tr = document.createElement("tr");
    for (const text of cells) {
      const td = document.createElement("td");
      td.textContent = text;
      tr.append(td);
    }
    return tr;
  }

  function progress(kind) {
    if (!kind.progress) {
      return kind.reason;
    }
    const rows = numbers.format(kind.progress.rows) + " / " + numbers.format(kind.progress.expectedRows);
    const left = kind.progress.secondsLeft;
    return left === null ? rows : rows + ", " + Math.ceil(left) + " " + texts.left;
  }

  function show(stats) {
    let bytes = 0;
    const rows = [];
    for (const [name, kind] of Object.entries(stats.kinds)) {
      bytes += kind.bytes;
      rows.push(row([name, kind.state, numbers.format(kind.entries), numbers.format(kind.bytes),
        kind.bitsPerKey.toFixed(1), progress(kind)]));
    }
    set("checks", numbers.format(stats.checks));
    set("queries", numbers.format(stats.databaseQueries));
    set("reads", numbers.format(stats.pageReads));
    set("memory", (bytes / 1e6).toFixed(2) + " MB");
    document.getElementById("kinds").replaceChildren(...rows);
  }

  function poll() {
    const next = () => setTimeout(poll, PERIOD);
    if (document.hidden) {
      next();
      return;
    }
    fetch("/stats").then((response) => response.json()).then(show).catch(() => {}).finally(next);
  }

  function busy(is) {
    for (const button of actions.querySelectorAll("button")) {
      button.disabled = is;
    }
  }

  function megabytes(bytes) {
    return (bytes / 1e6).toFixed(1) + " MB";
  }

  function showRuns(result) {
    const alarms = result.falsePositives;
    set("registry-bytes", megabytes(result.memory.registryBytes));
    set("set-bytes", megabytes(result.memory.hashSetBytes));
    set("alarms", numbers.format(alarms.seen) + " / " + numbers.format(alarms.freeTexts) + " (" + alarms.declaredRate + ")");
    document.getElementById("downloads").hidden = false;
    document.getElementById("runs").replaceChildren(...result.runs.map((run) => row([
      texts[run.mode],
      numbers.format(run.databaseQueries),
      numbers.format(run.pageReads),
      numbers.format(run.bytesRead),
      (run.nanosPerCheck / 1000).toFixed(2),
      numbers.format(run.classes.freeByFilter),
      numbers.format(run.classes.freeByWhitelist),
      numbers.format(run.classes.recheckFound),
      numbers.format(run.classes.recheckFoundNothing)])));
    document.getElementById("result").hidden = false;
  }

  document.getElementById("experiment").addEventListener("click", () => {
    busy(true);
    announcer.textContent = texts.running;
    cancel.disabled = false;
    const told = setInterval(tellProgress, PERIOD);
    fetch("/experiment", { method: "POST" })
      .then((response) => response.json().then((body) => response.ok ? body : Promise.reject(body.reason)))
      .then((result) => {
        showRuns(result);
        announcer.textContent = "";
      })
      .catch((reason) => { announcer.textContent = reason === "cancelled" ? texts.cancelled : texts.failed; })
      .finally(() => {
        clearInterval(told);
        busy(false);
        cancel.disabled = true;
      });
  });

  function tellProgress() {
    fetch("/experiment").then((response) => response.json()).then((now) => {
      if (now.running && !cancel.disabled) {
        announcer.textContent = texts.running + ": " + texts[now.mode] + ", " + Math.floor(100 * now.done / now.total) + " %";
      }
    }).catch(() => {});
  }

  cancel.addEventListener("click", () => {
    fetch("/experiment", { method: "DELETE" }).catch(() => {});
  });

  function randomName() {
    const letters = new Uint32Array(2);
    crypto.getRandomValues(letters);
    return "n" + letters[0].toString(36) + letters[1].toString(36);
  }

  document.getElementById("burst").addEventListener("click", () => {
    let begun = 0;
    let answered = 0;
    busy(true);
    async function worker() {
      while (begun < BURST) {
        begun++;
        const response = await fetch("/availability?username=" + randomName());
        await response.arrayBuffer();
        answered += response.ok ? 1 : 0;
        if (begun % 500 === 0) {
          announcer.textContent = numbers.format(begun) + " " + texts.sent;
        }
      }
    }
    Promise.all(Array.from({ length: AT_ONCE }, worker))
      .then(() => { announcer.textContent = numbers.format(answered) + " " + texts.sent; })
      .catch(() => { announcer.textContent = texts.failed; })
      .finally(() => {
        busy(false);
        cancel.disabled = true;
      });
  });

  poll();
})();
