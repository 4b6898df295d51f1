// Where the keyboard is led when what it was at goes away.

/** The heading of the present view. */
export function toHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus()
}
