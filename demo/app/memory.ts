// What this browser remembers of the visitor's choices.

export function remembered(name: string): string | undefined {
  try {
    return localStorage.getItem(`demo-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`demo-${name}`, value)
  } catch {
    // A browser without storage forgets the choice at the next visit; nothing else depends on it.
  }
}
