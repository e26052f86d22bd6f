import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JavaProperties } from '../../contract/java-options.ts'
import { own } from '../../core/own.ts'
import { javaTrustStore } from '../../app/java-trust-store.ts'
import { publicRoots, readCertificates } from '../../app/public-roots.ts'
import type { Variables } from './program-environment.ts'

/**
 * Environment variables that replace the public roots, in any language. Python's requests and curl read their own
 * first, and so does git.
 */
const replacing = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO']
/** Always set: without it the first three kinds of programs do not trust our certificates. */
const always = new Set(['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'])

/**
 * Makes a program trust additional certificates. The certificates that the user's own variables name stay trusted, in
 * files that contain both.
 * @param certificates PEM
 * @param folder for these files
 */
export async function trustVariables(
  certificates: readonly string[],
  inherited: Variables,
  folder: string,
): Promise<Record<string, string>> {
  if (certificates.length === 0) return {}
  const bundle = async (name: string, existing: string | undefined) => {
    const file = join(folder, `${name.toLowerCase()}.pem`)
    const parts = existing === undefined ? certificates : [existing, ...certificates]
    await writeFile(file, parts.map((pem) => `${pem.trim()}\n`).join(''), { mode: 0o600 })
    return [name, file] as const
  }
  const made = [
    await bundle('NODE_EXTRA_CA_CERTS', await readCertificates(inherited['NODE_EXTRA_CA_CERTS'])),
  ]
  for (const name of replacing) {
    const named = own(inherited, name)
    if (!named && !always.has(name)) continue
    made.push(await bundle(name, (await readCertificates(named)) ?? (await publicRoots())))
  }
  return Object.fromEntries(made)
}

/**
 * Writes a trust store for Java programs, with the public roots and these certificates.
 * @param folder for the file
 * @returns system properties that name it; none without certificates
 */
export async function trustProperties(
  certificates: readonly string[],
  folder: string,
): Promise<JavaProperties> {
  if (certificates.length === 0) return {}
  const file = join(folder, 'java-trust-store.jks')
  await writeFile(file, javaTrustStore([await publicRoots(), ...certificates]), { mode: 0o600 })
  return { 'javax.net.ssl.trustStore': file }
}
