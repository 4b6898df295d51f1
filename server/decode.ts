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

/**
 * Who logs in by an address, as the other side must get it: what is percent-encoded as a whole is decoded, anything else is meant as it stands.
 * Read from the text, since the parts of a parsed `URL` have been encoded by it.
 */
export function credentialsOf(address: string): Credentials {
  const [, userinfo = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)@/i.exec(address) ?? []
  const [user = '', ...rest] = userinfo.split(':')
  const written = rest.join(':')
  return { user: decodeOrKeep(user), password: decodeOrKeep(written), written }
}

export interface Credentials {
  readonly user: string
  readonly password: string
  /** The password as it stands in the address. */
  readonly written: string
}
