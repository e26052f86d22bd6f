import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { largestFileBytes } from '../../contract/fixtures/limits.ts'
import { own } from '../../core/own.ts'
import { readUserText, UserFileError } from '../../core/user-file.ts'
import type { Variables } from './program-environment.ts'

/** Files with the root certificates that the system trusts, a company's own roots included. */
const systemBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

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
    await bundle('NODE_EXTRA_CA_CERTS', await readOptional(inherited['NODE_EXTRA_CA_CERTS'])),
  ]
  for (const name of replacing) {
    const named = own(inherited, name)
    if (!named && !always.has(name)) continue
    made.push(await bundle(name, (await readOptional(named)) ?? (await publicRoots())))
  }
  return Object.fromEntries(made)
}

async function publicRoots(): Promise<string> {
  for (const file of systemBundles) {
    const roots = await readOptional(file)
    if (roots !== undefined) return roots
  }
  return rootCertificates.join('\n')
}

/** Returns `undefined` for a missing file or a folder: programs ignore such variables. */
async function readOptional(file: string | undefined): Promise<string | undefined> {
  if (!file) return undefined
  try {
    return await readUserText(file, largestFileBytes)
  } catch (error) {
    if (error instanceof UserFileError) return undefined
    throw error
  }
}
