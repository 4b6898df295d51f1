// The console's style sheet and its small script, served only by the sandbox itself.

export const CONSOLE_CSS = `
:root{color-scheme:light dark;--ink:#17212b;--soft:#52606d;--line:#d5dce3;--edge:#7b8794;--paper:#fff;--ground:#eef1f4;--brand:#0b5d66;--on-brand:#fff;--tint:#e6f2f3;--test:#ffd76a;--on-test:#3b2a00;--good:#12683a;--bad:#a3231b;--wait:#7a4b00}
@media (prefers-color-scheme:dark){:root{--ink:#eef2f5;--soft:#a9b6c1;--line:#33414d;--edge:#7d8b97;--paper:#1a232b;--ground:#10171d;--brand:#63c7d1;--on-brand:#06262a;--tint:#17343a;--good:#7bdca6;--bad:#ff9d94;--wait:#ffcf70}}
*{box-sizing:border-box}
html{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink)}
.test{margin:0;background:var(--test);color:var(--on-test);text-align:center;font-weight:600;padding:.25rem 1rem}
header{background:var(--paper);border-bottom:1px solid var(--line)}
header div,main{max-width:80rem;margin:0 auto;padding:0 1rem}
header div{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1.5rem;padding-block:.5rem}
header b{font-size:1.0625rem}
nav{display:flex;flex-wrap:wrap;gap:.125rem}
nav a{display:flex;align-items:center;min-height:44px;padding:0 .625rem;border-radius:.5rem;text-decoration:none;color:var(--ink)}
nav a:hover{background:var(--tint)}
nav [aria-current]{background:var(--tint);color:var(--brand);font-weight:650}
main{padding-block:1.25rem 3rem}
h1{font-size:1.5rem;letter-spacing:-.015em;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.25rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.5rem 0 .5rem}
p{margin:.25rem 0 .75rem}
.soft{color:var(--soft)}
a{color:var(--brand)}
.sheet{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;overflow-x:auto}
.sheet.pad{padding:1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{font-weight:600;color:var(--soft);font-size:.875rem}
th,td{text-align:left;padding:.5rem .75rem;border-top:1px solid var(--line);vertical-align:baseline}
thead th{border-top:0;white-space:nowrap}
tbody tr:hover{background:var(--tint)}
code,pre{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{margin:0;padding:.75rem;background:var(--ground);border-radius:.5rem;white-space:pre-wrap}
main>pre{background:var(--paper);border:1px solid var(--line)}
.copy{display:none}.copies .copy{display:inline-block;margin-inline-start:.5rem;vertical-align:middle}
.state{font-weight:650}.state,time{white-space:nowrap}
.ref{font:.875rem/1.75 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;max-width:33ch;overflow-wrap:break-word}
.SUCCESS,.delivered,.live,.yes{color:var(--good)}.FAILED,.dead,.no{color:var(--bad)}.PENDING,.PROCESSING,.waiting{color:var(--wait)}
form.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
button{font:inherit;font-weight:600;padding:.4375rem .875rem;min-height:44px;min-width:44px;border-radius:.5rem;border:1px solid var(--edge);background:var(--paper);color:var(--ink);cursor:pointer}
button:hover{border-color:var(--brand);color:var(--brand)}
button.main{background:var(--brand);border-color:var(--brand);color:var(--on-brand)}
button.stop{color:var(--bad)}
label{display:grid;align-content:space-between;gap:.125rem;font-size:.875rem;color:var(--soft)}
label.check{display:flex;justify-content:start;min-height:44px;align-items:center;gap:.5rem;color:var(--ink);font-size:1rem}
input:not([type=checkbox]),select,textarea{font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--edge);border-radius:.5rem;padding:.4375rem .625rem;min-height:44px;max-width:100%}
textarea{width:100%;min-height:8rem;font-family:ui-monospace,monospace;font-size:.8125rem}
input[name=id]{width:30ch}
input[type=checkbox]{flex:none;width:1.125rem;height:1.125rem;accent-color:var(--brand)}
.grid{display:grid;gap:.75rem 1.25rem;grid-template-columns:repeat(auto-fit,minmax(min(16rem,100%),1fr))}
dl.grid{margin:0}dl .wide{grid-column:1/-1}dt{color:var(--soft);font-size:.8125rem}dd{margin:0;overflow-wrap:anywhere}
.buttons{display:flex;flex-wrap:wrap;gap:.5rem;margin:1rem 0}td .buttons{margin:0}
fieldset{grid-column:1/-1;border:0;margin:0;padding:0;min-width:0}legend{padding:0;font-size:.875rem;color:var(--soft)}fieldset div{display:flex;flex-wrap:wrap;gap:0 1rem}
.said{background:var(--tint);border-left:.25rem solid var(--brand);padding:.625rem .875rem;border-radius:.25rem}
@media (max-width:44rem){table,thead,tbody,tr,td{display:block}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr{border-top:1px solid var(--line);padding:.5rem .75rem}tbody tr:first-child{border-top:0}td{border:0;padding:.125rem 0;overflow-wrap:anywhere}td[data-head]:not(:empty):not(:has(button))::before{content:attr(data-head) ': ';color:var(--soft);font-size:.8125rem}}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
details summary{cursor:pointer;color:var(--brand);padding:11px 0}
@media (min-width:44.01rem){td{max-width:16rem;overflow-wrap:break-word}td:has(.prose,.ref){max-width:32rem}td:first-child{white-space:nowrap}.ref{display:inline-block;width:max-content;white-space:normal}dd summary{padding:0}}
@media (min-width:44.01rem) and (max-width:62rem){th,td{padding-inline:.375rem}td time{white-space:normal}}
.more a{display:inline-block;padding:11px 0;margin-left:.375rem;min-width:44px}
@media (pointer:coarse),(max-width:44rem){td a,dd a{display:inline-block;padding:11px 0;min-width:44px}}
`.trim()

/**
 * Copies what a button names. On live pages it polls every two seconds and replaces what has
 * changed, unless somebody is working on the page.
 */
export const CONSOLE_JS = `
(function () {
  'use strict'
  if (navigator.clipboard) document.documentElement.classList.add('copies')
  addEventListener('click', function (event) {
    var button = event.target.closest('[data-copy]')
    if (!button) return
    navigator.clipboard.writeText(button.dataset.copy).then(function () {
      button.textContent = 'Copied'
      setTimeout(function () { button.textContent = 'Copy' }, 2000)
    }, function () {})
  })
  var main = document.querySelector('main[data-live]')
  if (!main || !window.fetch) return
  function atWork() {
    var at = document.activeElement
    // A row that moves under the pointer would get the click that was meant for another.
    return main.querySelector('button:hover') || main.contains(at) && /^(A|BUTTON|INPUT|SELECT|TEXTAREA|SUMMARY)$/.test(at.tagName)
  }
  function put(old, fresh) {
    var label = document.activeElement === old && old.getAttribute('aria-label')
    old.replaceWith(fresh)
    if (label) fresh.focus()
  }
  function show(text) {
    var fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('main[data-live]')
    if (!fresh || atWork() || String(getSelection())) return
    var now = Array.from(main.children)
    var next = Array.from(fresh.children)
    if (now.length !== next.length) return main.replaceChildren.apply(main, next)
    next.forEach(function (part, at) { if (part.outerHTML !== now[at].outerHTML) put(now[at], part) })
  }
  function look() {
    setTimeout(function () {
      if (document.visibilityState === 'hidden') return look()
      fetch(location.href, { credentials: 'same-origin', cache: 'no-store' })
        .then(function (answer) { return answer.ok ? answer.text().then(show) : undefined })
        .catch(function () {})
        .then(look)
    }, 2000)
  }
  look()
})()
`.trim()
