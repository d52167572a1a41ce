// Tells while people type whether a name is free: <untaken-check> around an input, or <input data-untaken="username">.
// Apache-2.0, see docs/widget.md. Comments and indentation stay behind when this is served.
(() => {
  if (customElements.get('untaken-check')) return;

  // A module has no currentScript, and import.meta is an error in what is none; but every browser writes the place into the stack.
  const source = /\w+:.+?(?=:\d+:\d+\)?$)/m.exec(new Error().stack)?.[0] || document.currentScript?.src || document.baseURI;
  const endpoint = new URL('%ENDPOINT%', source);

  const texts = {
    en: {
      available: 'Available', saved: ', saved as ', yours: 'This is yours', taken: 'Already taken', free: '. Still free: ',
      reserved: 'Reserved', like: ', looks like ', unknown: 'Could not check; you can still submit', invalid: 'Not valid',
      too_short: 'Too short', least: ', at least # characters', too_long: 'Too long', illegal_character: 'Has a character that is not allowed',
      illegal_edge: 'Must begin and end with a letter or digit', mixed_scripts: 'Mixes several scripts',
      malformed: 'Not an e-mail address', not_a_number: 'Not a phone number', invalid_number: 'No such phone number',
      no_country_code: 'Must begin with + and the country code', has_extension: 'Leave out the extension'
    },
    zh: {
      available: '可以使用', saved: '，将保存为 ', yours: '您正在使用', taken: '已被使用', free: '。以下可以使用：',
      reserved: '保留名称', like: '，看起来像 ', unknown: '暂时无法检查，仍可提交', invalid: '格式不正确',
      too_short: '太短', least: '，至少 # 个字符', too_long: '太长', illegal_character: '含有不可使用的字符',
      illegal_edge: '开头和结尾必须是文字或数字', mixed_scripts: '混用了多种文字',
      malformed: '不是电子邮件地址', not_a_number: '不是电话号码', invalid_number: '没有这个电话号码',
      no_country_code: '开头必须是 + 和国家代码', has_extension: '不要包含分机号'
    }
  };

  const refusals = ['taken', 'reserved', 'invalid'];

  // Where frameworks put the token that tells a page's own requests from forged ones: into each form, and Spring into the head, too.
  const guard = /^(_csrf|authenticity_token|__RequestVerificationToken)$/;
  const meta = name => document.querySelector(`meta[name=${name}]`)?.content;
  let warned;

  // What the server says. Whatever is not plainly available is not.
  const read = async response => {
    const body = await response.json(), {status} = body;
    if (response.status === 400 && body.type.endsWith(':too-long')) return {status: 'invalid', available: false, reason: 'too_long'};
    if (response.ok && body.reason === 'not_disclosed') return {status: ''};
    return response.ok && (refusals.includes(status) || status === 'available' && body.available === true) ? body : {};
  };

  // Colours are mixed from the page's own and one of middle luminance, so that they can be read on light and on dark.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host{display:block}
    :host([hidden]),[hidden]{display:none !important}
    div{display:flex;gap:.4em;margin-top:.3em;font-size:.875em;line-height:1.5;overflow-wrap:anywhere}
    [part=mark]{width:1em}
    [part~=message]{min-height:1.5em}
    [part~=available]{color:var(--untaken-good,color-mix(in srgb,currentColor 35%,#080))}
    [part~=bad]{color:var(--untaken-bad,color-mix(in srgb,currentColor 35%,#e0002a))}
    [part~=unknown]{color:var(--untaken-unsure,color-mix(in srgb,currentColor 35%,#8a6d00))}
    [part=suggestions]{flex-wrap:wrap}
    button{font:inherit;color:inherit;background:none;border:1px solid color-mix(in srgb,currentColor 45%,transparent);border-radius:1em;padding:.2em .8em;cursor:pointer}
    button:hover{background:color-mix(in srgb,currentColor 10%,transparent)}
  `);
  const make = (tag, more) => Object.assign(document.createElement(tag), more);
  // Isolated, or a name in Arabic would turn the sentence round.
  const isolated = name => '\u2068' + name + '\u2069';
  // Frameworks that keep the value themselves watch the input's own property; this is what a key does.
  const {set} = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  const fill = (input, name) => {
    set.call(input, name);
    ['input', 'change'].forEach(type => input.dispatchEvent(new Event(type, {bubbles: true, composed: true})));
  };
  let regions = 0;

  class UntakenCheck extends HTMLElement {
    static texts = texts;
    static observedAttributes = ['kind', 'endpoint', 'suggestions', 'validity', 'header', 'token'];
    #mark = make('span', {part: 'mark'});
    #message = make('div', {part: 'message'});
    #names = make('div', {part: 'suggestions', hidden: true});
    // The input may come late, go, or be replaced.
    #changes = new MutationObserver(() => this.#adopt());
    #input; #region; #heard; #value; #short; #error; #timer; #late; #again; #running; #lost; #live; #foreign = false;

    constructor() {
      super();
      const root = this.attachShadow({mode: 'open'});
      root.adoptedStyleSheets = [sheet];
      this.#mark.setAttribute('aria-hidden', true);
      this.#message.append(this.#mark, make('slot', {name: 'message'}));
      this.#names.setAttribute('role', 'group');
      root.append(make('slot'), this.#message, this.#names);
    }

    connectedCallback() {
      this.#changes.observe(this, {childList: true, subtree: true});
      this.#adopt();
    }

    disconnectedCallback() {
      this.#changes.disconnect();
      this.#leave();
    }

    attributeChangedCallback() {
      this.check();
    }

    // Asks, whether or not the value is another one.
    check() {
      if (this.#input) this.#stop();
      this.#refresh();
    }

    #adopt() {
      const input = this.input || this.querySelector('input:not([type=hidden])');
      if (input !== this.#input) {
        this.#leave();
        if (!(this.#input = input)) return;
        const {signal} = this.#heard = new AbortController(), root = this.getRootNode();
        // Half a syllable is no name, so an input method is waited for. On Android every word is composed.
        let filling;
        const typed = event => {
          this.#live = event.isTrusted;
          // What is sent is what was asked about, unless the page puts its blanks back.
          if (event.type === 'change' && !filling && input.willValidate && input.value !== this.#name) {
            filling = true;
            filling = fill(input, this.#name);
          } else if (!event.isComposing || /Android/.test(navigator.userAgent)) this.#refresh();
          else {
            this.#stop();
            this.#short = false;
            if (input.dataset.untakenState) this.#show('');
          }
          this.#live = false;
        };
        ['input', 'compositionend', 'change', 'focusout'].forEach(type => input.addEventListener(type, typed, {signal}));
        // The values are put back after the event.
        root.addEventListener('reset', () => setTimeout(() => this.#refresh()), {signal});
        addEventListener('pageshow', () => this.#refresh(), {signal});

        const region = this.#region ||= root.getElementById(this.#setting('status')) || this.querySelector('[slot=message]') ||
          make('span', {slot: 'message'});
        region.setAttribute('role', 'status');
        region.id ||= 'untaken-' + ++regions;
        const by = 'aria-describedby', ids = new Set(input.getAttribute(by)?.split(' '));
        input.setAttribute(by, [...ids.add(region.id)].join(' '));
        this.#message.hidden = region.isConnected && !this.contains(region);
        // Beside its input it has nothing else to show.
        if (this.input) this.hidden = this.#message.hidden;
        // What the server wrote stays until somebody types.
        this.#value = region.textContent.trim() && this.#name;
        this.#refresh();
      }
      // In the tree of the input, for nothing else can describe it.
      if (input && !this.#region.isConnected) this.append(this.#region);
    }

    #leave() {
      if (!this.#input) return;
      this.#heard.abort();
      this.#stop();
      this.#show('');
      this.#input = null;
    }

    // Asks no more, and holds no form back.
    #stop() {
      [this.#timer, this.#late, this.#again].forEach(clearTimeout);
      this.#running?.abort();
      this.#lost?.abort();
      this.#value = this.#timer = null;
      if (this.#input?.validationMessage === this.#error) this.#input?.setCustomValidity('');
    }

    #setting(name) {
      return this.getAttribute(name) ?? this.#input.getAttribute('data-untaken-' + name);
    }

    // Blanks around it are slips.
    get #name() {
      return this.#input.value.trim();
    }

    // In the language of the page, if there is such a text.
    #own(code) {
      const language = Object.keys(texts).reverse().find(name => this.#input.matches(`:lang(${name})`));
      return this.#setting('text-' + code.replaceAll('_', '-')) ?? texts[language]?.[code];
    }

    #words(code) {
      return this.#own(code) ?? texts.en[code];
    }

    // Asks about what stands there now, if that is not being done.
    #refresh() {
      const input = this.#input;
      if (!input) return;
      const value = this.#name, short = value && value.length < input.minLength;
      if (value !== this.#value) {
        this.#stop();
        this.#value = value;
        if (short && this.#short) return;
        this.#short = false;
        this.#show('');
        // A listener may have taken us away.
        if (!value || value !== this.#value || !input.willValidate) return;
      } else if (!this.#timer) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#timer = 0;
        // What else the page itself demands the browser tells when the form is sent.
        if (this.#short = short) this.#show('invalid', {available: false, reason: 'too_short'});
        else if (input.validity.valid) this.#ask(0);
      }, short ? 1000 : 300);
    }

    async #ask(tries) {
      const value = this.#value, kind = this.#setting('kind') || this.#input.dataset.untaken || 'username';
      const {signal} = this.#running = new AbortController();
      let answer = {}, response;
      this.#lost?.abort();
      // Nobody waits for ever; an answer that comes after all is told then.
      if (!tries) {
        this.#late = setTimeout(() => this.#show('unknown'), 5000);
        this.#show('checking');
      }
      try {
        const more = await this.headers?.({kind, value, signal});
        const url = new URL(this.#setting('endpoint') || endpoint, document.baseURI), own = url.origin === location.origin;
        const body = new URLSearchParams({[kind]: value, suggestions: this.#setting('suggestions') != null}), headers = new Headers();
        const add = (name, token) => name && headers.set(name, token);
        if (own) {
          for (const {name, value} of this.#input.form ?? []) {
            if (!guard.test(name)) continue;
            body.set(name, value);
            // Whoever finds it here need not parse the body, and leaves that to the endpoint.
            add('X-CSRF-TOKEN', value);
          }
          add(meta('_csrf_header'), meta('_csrf'));
        }
        // What the page says itself comes later, so it stands.
        add(this.#setting('header'), this.#setting('token'));
        for (const name in more) add(name, more[name]);
        // Not even a redirect takes a token elsewhere.
        response = await fetch(url, {method: 'POST', mode: own ? 'same-origin' : 'cors', signal, headers, body});
        if (!warned && [401, 403].includes(response.status)) {
          warned = true;
          console.warn(`untaken.js: ${response.status} from ${url}. If its answer does not say why, permit POST there, and give the form its CSRF token: docs/widget.md`);
        }
        answer = await read(response);
      } catch {}
      // A reply to what stood there before is dropped.
      if (signal.aborted) return;
      clearTimeout(this.#late);
      this.#show(answer.status ?? 'unknown', {...answer, response});
      if (signal.aborted) return;
      if (!response) {
        // The network may be back, whether or not a try is left. Not heard before: a browser closes a page sooner that does not listen.
        const {signal} = this.#lost = new AbortController();
        ['online', 'visibilitychange'].forEach(type => addEventListener(type, () => {
          if (document.hidden) return;
          clearTimeout(this.#again);
          this.#ask(1);
        }, {signal}));
      }
      if (tries < 5 && [undefined, 408, 429, 503].includes(response?.status)) {
        const seconds = Math.min(+response?.headers.get('Retry-After') || 3, 3600);
        // Never all at the same moment.
        this.#again = setTimeout(() => this.#ask(tries + 1), Math.max(seconds, 2 ** tries) * (1000 + 500 * Math.random()));
      }
    }

    #show(status, answer = {}) {
      const input = this.#input, region = this.#region, {value, like} = answer, refused = refusals.includes(status);
      const code = [answer.yours ? 'yours' : answer.reason, status].find(code => code && this.#words(code) != null);
      let text = code ? this.#words(code) : '';
      const foreign = code && this.#own(code) == null;
      // For who reads it out, and who lays it out.
      if (code && foreign !== this.#foreign) {
        this.#foreign = foreign;
        foreign ? Object.assign(region, {lang: 'en', dir: 'ltr'}) : ['lang', 'dir'].forEach(name => region.removeAttribute(name));
      }
      if (this.#short) text += this.#words('least').replace('#', input.minLength);
      if (status === 'available' && !answer.yours && value && value !== this.#name) text += this.#words('saved') + isolated(value);
      // Not behind a page's own words in another language.
      if (like && foreign === (this.#own('like') == null)) text += this.#words('like') + isolated(like);
      if (refused && answer.response && this.#setting('validity') != null) input.setCustomValidity(this.#error = text);

      const names = [answer.suggestions ?? []].flat(), free = this.#words('free');
      if (names.length) text += free + (this.#message.hidden ? names.join(', ') : '');
      // What stands there already is not read out again.
      if (region.textContent !== text) region.textContent = text;
      input.dataset.untakenState = status;
      input.setAttribute('aria-invalid', refused);

      // Whoever is still typing has done nothing wrong.
      const bad = refused && answer.reason !== 'too_short';
      this.#message.part = 'message ' + status + (bad ? ' bad' : '');
      this.#mark.textContent = {available: '✓', unknown: '?', '': ''}[status] ?? (bad ? '✗' : '…');
      this.#names.hidden = this.#message.hidden || !names.length;
      this.#names.ariaLabel = free.slice(1);
      this.#names.replaceChildren(...names.map(name => make('button', {
        part: 'suggestion', type: 'button', dir: 'auto', textContent: name, onclick: () => {
          if (!input.willValidate) return;
          input.focus();
          fill(input, name);
        }
      })));
      const tell = () => input.dispatchEvent(new CustomEvent('untaken', {bubbles: true, composed: true, detail: {...answer, status}}));
      // Of a key after the page has noted what was typed, too: if it draws itself anew before, that is lost.
      this.#live ? setTimeout(tell) : tell();
    }
  }
  // The input, if it is no child, and the function that is asked for headers. Here frameworks find them, and set no attributes.
  UntakenCheck.prototype.headers = UntakenCheck.prototype.input = null;
  customElements.define('untaken-check', UntakenCheck);

  const prepared = new WeakSet();
  const prepare = input => {
    if (prepared.has(input) || !input.matches('input[data-untaken]') || input.closest('untaken-check')) return;
    prepared.add(input);
    // Outside of the label, or the answer would be a part of the field's name.
    (input.closest('label') || input).after(make('untaken-check', {input}));
  };
  const all = () => document.querySelectorAll('input[data-untaken]').forEach(prepare);
  // Also those that come later, or are in a shadow tree.
  document.addEventListener('input', event => prepare(event.composedPath()[0]));
  document.addEventListener('DOMContentLoaded', all);
  all();
})();
