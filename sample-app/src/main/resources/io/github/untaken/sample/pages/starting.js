"use strict";

/* How far the database is, until the site that uses it answers in this page's place. */
(() => {
  const PERIOD = 300;
  const card = document.getElementById("starting");
  const words = card.dataset;
  const steps = [...card.querySelectorAll("li")];
  const bar = card.querySelector("progress");
  const problem = document.getElementById("starting-problem");
  const whole = new Intl.NumberFormat(document.documentElement.lang);

  function show(progress) {
    const now = steps.findIndex((step) => step.dataset.step === progress.step);
    steps.forEach((step, i) => {
      step.dataset.state = i < now ? "done" : i === now ? "now" : "later";
      step.querySelector("small").textContent = i < now ? words.done : i === now ? words.now : "";
    });
    bar.max = Math.max(1, progress.users);
    bar.value = now === 0 ? progress.rows : progress.users;
    if (now === 0) {
      steps[0].querySelector("small").textContent = words.of.replace("{n}", whole.format(progress.rows)).replace("{users}", whole.format(progress.users));
    }
  }

  async function look() {
    try {
      const progress = await (await fetch("/starting")).json();
      problem.textContent = "";
      if (progress.started) {
        location.reload();
        return;
      }
      show(progress);
    } catch {
      problem.textContent = words.lost;
    }
    setTimeout(look, PERIOD);
  }

  look();
})();
