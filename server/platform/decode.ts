// Percent-encoding in addresses that a person has written.

/**
 * Decodes percent-encoding. Other text, such as a password with a bare `%`, stays as it is: it must
 * not stop the program with an error that names no setting.
 */
export function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export interface Credentials {
  readonly user: string
  readonly password: string
  /** The password as written in the URL. */
  readonly written: string
}

/**
 * User and password of a URL, as the server must receive them: each is decoded if it is valid
 * percent-encoding, otherwise kept as written. Read from the text, because `URL` encodes its parts.
 */
export function credentialsOf(address: string): Credentials {
  const [, userinfo = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)@/i.exec(address) ?? []
  const [user = '', ...rest] = userinfo.split(':')
  const written = rest.join(':')
  return { user: decodeOrKeep(user), password: decodeOrKeep(written), written }
}
