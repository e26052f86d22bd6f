import { X509Certificate } from 'node:crypto'

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Returns why a text contains no usable certificates, as a sentence; `undefined` when it does. */
export function findCaProblem(pem: string): string | undefined {
  const certificates = pem.match(block) ?? []
  if (certificates.length === 0) {
    return pem.includes('PRIVATE KEY-----')
      ? 'This is a private key. Give the certificate, which begins with -----BEGIN CERTIFICATE-----.'
      : 'No certificate found. Give the content of a PEM file, not its path; it begins with -----BEGIN CERTIFICATE-----.'
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
