import { X509Certificate } from 'node:crypto'

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Why a text does not hold certificates to check a receiver against, as a sentence; `undefined` when it does. */
export function findCaProblem(pem: string): string | undefined {
  const certificates = pem.match(block) ?? []
  if (certificates.length === 0) {
    return pem.includes('PRIVATE KEY-----')
      ? 'That is a private key: give the certificate, which begins with -----BEGIN CERTIFICATE-----.'
      : 'It holds no certificate: PEM begins with -----BEGIN CERTIFICATE-----. Give the content of the file, not its path.'
  }
  for (const [index, certificate] of certificates.entries()) {
    const problem = findProblem(certificate)
    if (problem === undefined) continue
    return `Certificate ${index + 1} of ${certificates.length} cannot be read: ${problem}`
  }
  return undefined
}

function findProblem(certificate: string): string | undefined {
  try {
    parse(certificate)
    return undefined
  } catch (error) {
    return String(error)
  }
}

function parse(certificate: string): X509Certificate {
  return new X509Certificate(certificate)
}
