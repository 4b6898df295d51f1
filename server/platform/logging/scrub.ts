// Removes secrets from text that leaves the process: log lines and alerts.

export const HIDDEN_TEXT = '[hidden]'

/** Returns a function that replaces secrets, bearer tokens and capability URLs in a text. */
export function createScrubber(secrets: readonly string[]): (text: string) => string {
  const known = [
    ...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])),
  ]
  known.sort((a, b) => b.length - a.length)
  const escaped = known.map((secret) => secret.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
  const secretPattern = escaped.length === 0 ? undefined : new RegExp(escaped.join('|'), 'g')
  return (text) => {
    const blanked = secretPattern === undefined ? text : text.replace(secretPattern, HIDDEN_TEXT)
    return blanked
      .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN_TEXT}`)
      .replaceAll(/(\/v1\/webhook|\/pay|\/checkout)\/[^\s"'\\/?#]+/g, `$1/${HIDDEN_TEXT}`)
      .replaceAll(/:\/\/[^\s"'/@]+@/g, `://${HIDDEN_TEXT}@`)
  }
}
