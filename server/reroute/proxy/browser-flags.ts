import { createHash, X509Certificate } from 'node:crypto'

/** SHA-256 of the public key, as Chromium's `--ignore-certificate-errors-spki-list` takes it. */
export function publicKeyHash(cert: string): string {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

/**
 * What starts a browser of Chromium's family so that it reaches the sandbox by the hub's name. The certificate is
 * trusted for this one key and only with a profile of its own, which Chromium asks for.
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
