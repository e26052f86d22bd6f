import { createHash, X509Certificate } from 'node:crypto'

/** Returns the SHA-256 of the public key for Chromium's `--ignore-certificate-errors-spki-list`. */
export function publicKeyHash(cert: string): string {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

/**
 * Returns flags for a Chromium-based browser to reach the sandbox by the name of the hub. The certificate is
 * trusted for this key only, with a separate profile, as Chromium requires.
 */
export function browserFlags({
  proxyUrl,
  cert,
  profile,
}: {
  proxyUrl: string
  cert: string
  profile: string
}): readonly string[] {
  return [
    `--proxy-server=${proxyUrl}`,
    `--ignore-certificate-errors-spki-list=${publicKeyHash(cert)}`,
    `--user-data-dir=${profile}`,
  ]
}
