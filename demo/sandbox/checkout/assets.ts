// The hosted checkout's style sheet and its small script, served only by the sandbox itself.

export const CHECKOUT_CSS = `
:root{color-scheme:light dark;--ink:#17212b;--soft:#52606d;--line:#d5dce3;--edge:#7b8794;--paper:#fff;--ground:#eef1f4;--brand:#0b5d66;--on-brand:#fff;--tint:#e6f2f3;--test:#ffd76a;--on-test:#3b2a00;--good:#12683a;--good-tint:#e5f5ec;--bad:#a3231b;--bad-tint:#fdecea}
@media (prefers-color-scheme:dark){:root{--ink:#eef2f5;--soft:#a9b6c1;--line:#33414d;--edge:#7d8b97;--paper:#1a232b;--ground:#10171d;--brand:#63c7d1;--on-brand:#06262a;--tint:#17343a;--test:#ffd76a;--on-test:#3b2a00;--good:#7bdca6;--good-tint:#15332a;--bad:#ff9d94;--bad-tint:#3a1f1e}}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);min-height:100vh;display:flex;flex-direction:column}
.test{margin:0;background:var(--test);color:var(--on-test);text-align:center;font-weight:600;font-size:.875rem;padding:.375rem 1rem}
header,main,footer{width:100%;max-width:30rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 .5rem;padding-block:.75rem}
.brand{display:flex;align-items:center;gap:.5rem;font-weight:700;letter-spacing:-.01em}
.brand svg{width:1.5rem;height:1.5rem;color:var(--brand)}
.languages{position:relative;margin-left:auto;font-size:.9375rem}
.languages summary{padding:.625rem .5rem;min-height:2.75rem;cursor:pointer;border-radius:.5rem;white-space:nowrap}
nav{position:absolute;z-index:1;right:0;top:100%;min-width:min(11rem,calc(100vw - 1rem));padding:.375rem;background:var(--paper);border:1px solid var(--edge);border-radius:.75rem;box-shadow:0 8px 24px #00000026}
nav a{display:block;padding:.625rem .75rem;min-height:2.75rem;border-radius:.5rem}
nav a:hover{background:var(--tint)}
a{color:var(--brand)}
main{flex:1}
.sheet{background:var(--paper);border:1px solid var(--line);border-radius:1rem;overflow:hidden;overflow-wrap:break-word;box-shadow:0 1px 2px #0000000d,0 8px 24px #0000000d}
.sum{padding:1.25rem 1.25rem 1rem;border-bottom:1px solid var(--line)}
.sum h1{margin:0;overflow-wrap:anywhere;font-size:clamp(1.25rem,7.8vw,1.875rem);line-height:1.2;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.sum p{margin:.25rem 0 0;color:var(--soft);overflow-wrap:anywhere}
.sum strong{color:var(--ink)}
.way{display:flex;flex-wrap:wrap;list-style:none;margin:0;padding:1rem 1.25rem 0;gap:.375rem;font-size:.8125rem;color:var(--soft)}
.way li{flex:1;min-width:min-content;padding-top:.5rem;border-top:.25rem solid var(--line)}
.way .on{border-color:var(--brand);color:var(--ink);font-weight:600}
.way .past{border-color:var(--brand)}
.body{padding:1rem 1.25rem 1.25rem}
h2{margin:0;font-size:1.25rem;line-height:1.3;letter-spacing:-.01em}
h2:focus{outline:0}
.hint{margin:.25rem 0 0;color:var(--soft);font-size:.9375rem;text-wrap:pretty}
fieldset{border:0;margin:0;padding:0;min-width:0}
legend{padding:0}
.options{display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem;margin-top:.75rem}
.option{display:flex;align-items:center;gap:.75rem;padding:.75rem .875rem;min-height:3.25rem;border:1px solid var(--edge);border-radius:.75rem;cursor:pointer;background:var(--paper)}
.option:hover{border-color:var(--brand)}
.option:has(:checked){border-color:var(--brand);background:var(--tint);box-shadow:inset 0 0 0 1px var(--brand)}
.option:has(:focus-visible){outline:3px solid var(--brand);outline-offset:2px}
.option input{flex:none;width:1.25rem;height:1.25rem;margin:0;accent-color:var(--brand)}
.option input:focus-visible{outline:0}
.option>:last-child{min-width:0}
.option b{display:block}
.option small{display:block;color:var(--soft);font-size:.875rem}
button,.button{display:block;width:100%;margin:1rem 0 0;padding:.8125rem 1rem;min-height:3rem;font:inherit;font-weight:650;text-align:center;text-decoration:none;border:1px solid transparent;border-radius:.75rem;background:var(--brand);color:var(--on-brand);cursor:pointer}
button:hover,.button:hover{filter:brightness(1.08)}
[data-sent] button{opacity:.6;cursor:progress}
button:active,.button:active{transform:translateY(1px)}
.quiet{background:transparent;color:var(--ink);border-color:var(--edge)}
.stop{background:transparent;color:var(--bad);border-color:var(--bad)}
.leave{display:block;margin:1rem auto 0;padding:.625rem;text-align:center;color:var(--soft)}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px;border-radius:.25rem}
.clock{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;margin:1rem 0 0;padding:.625rem .875rem;border-radius:.75rem;background:var(--tint);font-size:.9375rem}
.clock time{font-weight:700;font-variant-numeric:tabular-nums}
.picked{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:0 1rem;margin:.5rem 0 0}
.picked a{padding:.625rem 0;min-width:2.75rem;margin-left:auto;text-align:right}
.todo{margin:1rem 0 0;padding:0;list-style:none;counter-reset:todo;display:grid;gap:.75rem}
.todo>li{counter-increment:todo;display:grid;grid-template-columns:1.75rem minmax(0,1fr);gap:.75rem}
.todo>li::before{content:counter(todo);width:1.75rem;height:1.75rem;border-radius:50%;background:var(--brand);color:var(--on-brand);display:grid;place-items:center;font-weight:700;font-size:.875rem}
dl{margin:0}
dt{color:var(--soft);font-size:.875rem}
dd{margin:0;display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:center;justify-content:space-between;font-size:1.0625rem;font-weight:650;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
dd button{flex:none;width:auto;margin:0 0 0 auto;min-width:2.75rem;min-height:2.75rem;padding:.25rem .75rem;font-size:.875rem}
.end{display:grid;grid-template-columns:minmax(0,1fr);overflow-wrap:anywhere;justify-items:center;text-align:center;gap:.5rem;padding-top:.5rem}
.end h1{margin:0;font-size:1.375rem;line-height:1.3}
.end p:not([class]){margin:0}
.body.end{padding-top:1.5rem}
.sign{width:3.5rem;height:3.5rem;border-radius:50%;display:grid;place-items:center;background:var(--tint);color:var(--brand)}
.sign svg{width:1.75rem;height:1.75rem}
.good .sign{background:var(--good-tint);color:var(--good)}
.bad .sign{background:var(--bad-tint);color:var(--bad)}
@media (max-width:24rem){.sum,.way,.body{padding-inline:1rem}.way{gap:.25rem;font-size:.75rem}.todo>li{gap:.5rem}.todo dd{font-size:1rem;column-gap:.25rem}dd button{padding-inline:.25rem}}
@media (max-width:20.5rem){.way{font-size:.6875rem}}
@media (max-width:14rem){header,main,footer,.sum,.way,.body,button,.button{padding-inline:.5rem}.option{gap:.5rem;padding-inline:.5rem}.way li:not(.on){font-size:0}}
.note{margin:1rem 0 0;padding:.75rem .875rem;border-radius:.75rem;background:var(--tint);font-weight:600}
.facts{margin-top:1rem;border-top:1px solid var(--line);padding-top:.75rem;display:grid;gap:.375rem;width:100%;text-align:left}
.facts div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.facts dd{display:block;flex:auto;font-size:.875rem;font-weight:500;text-align:right;text-wrap:balance;word-break:break-all}
footer,.note,h2,.end h1,.end .hint{text-wrap:balance}
footer{padding-block:1.25rem;color:var(--soft);font-size:.8125rem;text-align:center}
@media (prefers-reduced-motion:no-preference){.turn{animation:turn 1.4s linear infinite}@keyframes turn{to{transform:rotate(1turn)}}}
@media (min-width:40rem){main{padding-top:1.5rem}.body{padding-bottom:1.75rem}}
@media (forced-colors:active){.way .on,.way .past{border-color:Highlight}.option:has(:checked){outline:2px solid Highlight}}
`.trim()

export const CHECKOUT_JS = `
(function () {
  'use strict'
  var main = document.querySelector('main')
  if (!main || !window.fetch) return
  function countdown() {
    var clock = main.querySelector('[data-left]')
    if (!clock) return
    var end = Date.now() + Number(clock.getAttribute('data-left')) * 1000
    function show() {
      if (!clock.isConnected) return
      var left = Math.max(0, Math.round((end - Date.now()) / 1000))
      clock.textContent = Math.floor(left / 60) + ':' + ('0' + (left % 60)).slice(-2)
      if (left > 0) setTimeout(show, 1000)
    }
    show()
  }
  function copies() {
    if (!navigator.clipboard) return
    main.querySelectorAll('[data-copy]').forEach(function (place) {
      var button = document.createElement('button')
      button.type = 'button'
      button.className = 'quiet'
      button.textContent = main.getAttribute('data-copy-text')
      button.setAttribute('aria-label', button.textContent + ': ' + place.getAttribute('data-copy'))
      button.addEventListener('click', function () {
        navigator.clipboard.writeText(place.getAttribute('data-copy')).then(function () {
          button.textContent = main.getAttribute('data-copied-text')
          setTimeout(function () { button.textContent = main.getAttribute('data-copy-text') }, 2000)
        }, function () {})
      })
      place.appendChild(button)
    })
  }
  function refresh() {
    return fetch(location.href, { credentials: 'same-origin', cache: 'no-store' })
      .then(function (answer) { return answer.text() })
      .then(function (text) {
        var fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
        if (!fresh) return
        main.replaceWith(fresh)
        main = fresh
        var heading = main.querySelector('h2')
        if (heading) heading.focus()
        dress()
      })
  }
  function poll() {
    var version = main.getAttribute('data-version')
    if (!version) return
    setTimeout(function () {
      if (document.visibilityState === 'hidden') return poll()
      fetch(location.pathname + '/state', { credentials: 'same-origin', cache: 'no-store' })
        .then(function (answer) { return answer.json() })
        .then(function (state) {
          // A choice that is half made is not taken away from under the customer's hand.
          var choice = main.querySelector('form[data-choice]')
          var busy = !state.ended && choice && (choice.hasAttribute('data-touched') || choice.querySelector('input:focus, button:focus'))
          if (String(state.version) !== version && !busy) return refresh()
        })
        .catch(function () {})
        .then(function () { if (main.getAttribute('data-version')) poll() })
    }, 2500)
  }
  function dress() { countdown(); copies() }
  document.addEventListener('change', function (event) {
    var form = event.target.form
    if (form) form.setAttribute('data-touched', '')
  })
  // Double presses send one form; one that came to nothing, stopped on a slow line, can be sent
  // again.
  document.addEventListener('submit', function (event) {
    var form = event.target
    if (form.hasAttribute('data-sent')) return event.preventDefault()
    form.setAttribute('data-sent', '')
    setTimeout(function () { form.removeAttribute('data-sent') }, 10000)
  })
  window.addEventListener('pageshow', function (event) {
    if (event.persisted) { document.querySelectorAll('[data-sent]').forEach(function (form) { form.removeAttribute('data-sent') }); refresh() }
  })
  dress()
  poll()
})()
`.trim()
