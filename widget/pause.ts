// Waits before the companion is asked again.

/** Sleeps, but wakes when the browser says that it is online again: nobody sits out a pause that began without network. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer)
      removeEventListener('online', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    addEventListener('online', wake)
  })
}
