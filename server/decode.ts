/**
 * The text behind percent-encoding. One that is none, such as a password with a bare `%` in an address, is meant as it stands: it must not
 * stop the program with an error that names no setting.
 */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
