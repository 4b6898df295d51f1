// Makes a self-signed certificate with the machine's openssl.
import { execFileSync, spawnSync } from 'node:child_process'
import { isIP } from 'node:net'

/** Why no certificate can be made here, or undefined. */
export function opensslMissing(): string | undefined {
  return spawnSync('openssl', ['version']).status === 0 ? undefined : 'no openssl to make a certificate'
}

/** For the host name or address `name`; writes both files as PEM. */
export function makeCertificate(name: string, files: { readonly key: string; readonly certificate: string }): void {
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`
  const args = [...request.split(' '), '-keyout', files.key, '-out', files.certificate]
  execFileSync('openssl', args, { stdio: 'ignore' })
}
