// Leads back to the row of the list that was opened: the list is loaded anew after each payment.
import type { App, Wish } from '../base/app.ts'

/** @param row the link that is followed */
export function keepPlace(app: App, row: HTMLAnchorElement): void {
  app.place = { wish: app.wish, href: row.hash, below: row.getBoundingClientRect().top, scrolled: window.scrollY }
}

/** Called once the rows are there: before, the page is too short. */
export function toPlace(app: App, wish: Wish, view: HTMLElement): void {
  const { place } = app
  app.place = undefined
  // Not when a person has gone on meanwhile, by the keyboard or by scrolling.
  const isUntouched = window.scrollY === 0 && document.activeElement === view.querySelector('h1')
  if (place === undefined || place.wish !== wish || !isUntouched) return
  const row = [...view.querySelectorAll<HTMLAnchorElement>('a.item')].find(({ hash }) => hash === place.href)
  // Rows may have come above it.
  const top = row === undefined ? place.scrolled : row.getBoundingClientRect().top - place.below
  row?.focus({ preventScroll: true })
  window.scrollTo(0, top)
}
