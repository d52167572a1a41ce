// Tells while people type whether an <input data-untaken="username"> is free. Apache-2.0, see docs/http.md.
(() => {
  'use strict';
  const script = document.currentScript, zh = /^zh/i.test(document.documentElement.lang);
  const endpoint = new URL(script.dataset.endpoint || '%ENDPOINT%', script.src);
  const texts = zh
    ? {available: '可以使用', taken: '已被使用', reserved: '不可使用', invalid: '格式不正确', unknown: '暂时无法检查，仍可提交', suggestions: '可以试试：'}
    : {available: 'Available', taken: 'Already taken', reserved: 'Not allowed', invalid: 'Not valid', unknown: 'Could not check; you can still submit', suggestions: 'Try '};
  const inputs = new WeakMap();

  // One live region for each input, empty and in the page before anything is said.
  const stateOf = input => {
    let state = inputs.get(input);
    if (!state) {
      let region = document.getElementById(input.dataset.untakenStatus);
      if (!region) {
        region = document.createElement('span');
        region.id = 'untaken-' + Math.random();
        input.after(region);
      }
      region.setAttribute('role', 'status');
      const by = 'aria-describedby', ids = new Set(input.getAttribute(by)?.split(' '));
      input.setAttribute(by, [...ids.add(region.id)].join(' '));
      inputs.set(input, state = {region});
    }
    return state;
  };

  const show = (input, region, status, answer = {}) => {
    const text = input.dataset['untakenText' + status] || texts[status] || '';
    region.textContent = text + (answer.value && answer.value !== input.value ? ' (' + answer.value + ')' : '') +
      (answer.suggestions ? '. ' + texts.suggestions + answer.suggestions.join(', ') : '');
    input.dataset.untakenState = status;
    input.setAttribute('aria-invalid', answer.available === false);
    input.dispatchEvent(new CustomEvent('untaken', {bubbles: true, detail: {...answer, status}}));
  };

  const ask = async (input, region, signal) => {
    const {untaken: kind, untakenHeader: header, untakenToken: token} = input.dataset;
    let answer = {status: 'unknown'}, response;
    show(input, region, 'checking');
    // Nobody waits for ever; an answer that comes after all is told then.
    const late = setTimeout(show, 5000, input, region, 'unknown');
    try {
      response = await fetch(endpoint, {
        method: 'POST', signal, headers: header ? {[header]: token} : {},
        body: new URLSearchParams({[kind]: input.value, suggestions: 'untakenSuggestions' in input.dataset})
      });
      if (response.ok) answer = await response.json();
      if (answer.reason === 'not_disclosed') answer = {status: ''};
    } catch {}
    clearTimeout(late);
    if (!signal.aborted) show(input, region, answer.status, {...answer, response});
  };

  const typed = ({target: input, isComposing}) => {
    if (isComposing || !input.matches?.('input[data-untaken]')) return;
    const state = stateOf(input);
    clearTimeout(state.timer);
    // A reply to what stood there before is dropped.
    state.running?.abort();
    show(input, state.region, '');
    if (!input.value || !input.validity.valid) return;
    const {signal} = state.running = new AbortController();
    state.timer = setTimeout(() => ask(input, state.region, signal), 300);
  };

  document.addEventListener('input', typed);
  document.addEventListener('compositionend', typed);
  const prepare = () => document.querySelectorAll('input[data-untaken]').forEach(stateOf);
  prepare();
  document.addEventListener('DOMContentLoaded', prepare);
})();
