// A guard for calls that may hang: rounds of background work overlap, and must not pile up calls on
// a database that does not answer.

/** Wraps `ask`: while one call is running, further calls resolve to `otherwise` at once. */
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
