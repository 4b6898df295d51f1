// A guard for questions that may hang: rounds of background work begin beside one another, and must not ask a silent database again and again.

/** `ask` as long as no earlier call of it is under way; meanwhile each call answers `otherwise` at once. */
export function oneAtATime<Args extends readonly unknown[], Answer>(
  ask: (...args: Args) => Promise<Answer>,
  otherwise: Answer,
): (...args: Args) => Promise<Answer> {
  let isAsking = false
  return async function askOnce(...args) {
    if (isAsking) return otherwise
    isAsking = true
    try {
      return await ask(...args)
    } finally {
      isAsking = false
    }
  }
}
