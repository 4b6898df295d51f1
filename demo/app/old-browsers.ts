// What Lit uses of the page and Chromium 64 to 68 lack. The plugin for old browsers brings in only
// what the language itself lacks there.
if (!('toggleAttribute' in Element.prototype))
  Object.assign(Element.prototype, {
    toggleAttribute(this: Element, name: string, force = !this.hasAttribute(name)) {
      if (force) this.setAttribute(name, '')
      else this.removeAttribute(name)
      return force
    },
  })
