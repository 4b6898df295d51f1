// The words for what a call met in place of an answer, as logs, alerts and doctor show them, and what such words name: no other file knows their form.
import type { SendFault } from './transport.ts'

/** For a person: `timeout`, `tls: CERT_HAS_EXPIRED`. */
export function inWords({ fault, code }: SendFault): string {
  return code === undefined ? fault : `${fault}: ${code}`
}

/** The fault that words of `inWords` name; of any other text, what stands before its first colon. */
export function faultIn(words: string): string {
  return words.replace(/:.*/s, '')
}
