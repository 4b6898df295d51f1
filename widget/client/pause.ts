// The wait before a request to the companion is retried.

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
