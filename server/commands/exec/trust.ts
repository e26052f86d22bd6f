import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { own } from '../../core/own.ts'
import type { Variables } from './program-environment.ts'

/** Where systems keep the public roots as one file: what they trust, a company's own roots included. */
const systemBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/**
 * Variables that take the place of the public roots, whatever the program is written in. Python's requests and curl
 * look at theirs first, git as well.
 */
const replacing = ['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO']
/** Set even where the user has not: without it the first three kinds of programs trust nothing of ours. */
const always = new Set(['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'])

/**
 * Has a program trust certificates beside all that it trusts by itself: what the user's own variables name stays
 * trusted, in files that hold both.
 * @param certificates PEM
 * @param folder where these files are made
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

/** A variable may name what is not there, or a folder; programs pass over that. */
async function readOptional(file: string | undefined): Promise<string | undefined> {
  if (!file) return undefined
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES'].includes(code)) return undefined
    throw error
  }
}
