// The one small script of the pages, served as a file (`/pay/page.js`): passes the deposit's token
// to the element, and restores the plain form when the widget does not load in time. Written for
// old browsers: no syntax that Chromium 64 lacks.

/** Runs before the widget's module (both deferred, in document order). */
export const pageScript = `(function () {
  'use strict'
  var element = document.querySelector('hc-checkout')
  if (!element) return
  var own = document.currentScript
  // Browsers without adopted style sheets: Lit puts this nonce on its style elements.
  if (own) window.litNonce = own.nonce || own.getAttribute('nonce') || undefined

  // What was typed into the plain form before the widget came.
  function typed(name) {
    var field = element.querySelector('[name="' + name + '"]')
    return field && field.type !== 'hidden' ? String(field.value || '') : ''
  }
  function carry(name, attribute) {
    var text = typed(name)
    if (text !== '' && !element.hasAttribute(attribute)) element.setAttribute(attribute, text)
  }

  var failed = false
  function giveUp() {
    if (failed || (window.customElements && customElements.get('hc-checkout'))) return
    failed = true
    element.classList.add('plain')
    // Takes the tag: a widget that loads now would replace the form while the customer fills it in.
    if (window.customElements && window.Reflect) {
      var Plain = function () { return Reflect.construct(HTMLElement, [], Plain) }
      Plain.prototype = Object.create(HTMLElement.prototype)
      customElements.define('hc-checkout', Plain)
    }
    var seconds = Number(element.getAttribute('data-refresh'))
    if (seconds > 0) setTimeout(function () { location.reload() }, seconds * 1000)
  }

  if (!window.customElements || !window.Promise || !window.fetch) { giveUp(); return }
  addEventListener('error', function (event) {
    var target = event.target
    if (target && target.tagName === 'SCRIPT' && target.src.indexOf('/widget/') > 0) giveUp()
  }, true)
  setTimeout(giveUp, 8000)
  // The style sheet shows the form 8 s after the first paint, which may be earlier.
  element.addEventListener('focusin', giveUp)

  var token = element.getAttribute('data-token')
  var deposit = element.getAttribute('data-deposit')
  customElements.whenDefined('hc-checkout').then(function () {
    if (failed) return
    carry('name', 'payer-name')
    carry('phone', 'payer-phone')
    carry('email', 'payer-email')
    element.removeAttribute('data-token')
    // The element never changes the title of a page; this page is the payment's own.
    element.addEventListener('hc-success', function () {
      document.title = '\u2713 ' + document.body.getAttribute('data-paid')
    })
    if (!deposit || !token) return
    // Another try: from now on this is its page. A reload, as of a tab that the phone had put away,
    // or another language would bring back the last one, which asks to be paid again, over one that
    // may be on its way.
    element.addEventListener('hc-deposit-created', function () {
      var address = element.paymentLink()
      try { history.replaceState(history.state, '', address + location.search) } catch (error) { return }
      var links = document.querySelectorAll('nav a')
      for (var i = 0; i < links.length; i++) links[i].href = address + links[i].search
    })
    // The element reads its attributes first: they say which companion and session it talks of.
    Promise.resolve(element.updateComplete).then(function () { element.resume(deposit, token) })
  })
})()
`
