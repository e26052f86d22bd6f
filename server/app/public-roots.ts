import { rootCertificates } from 'node:tls'
import { largestFileBytes } from '../contract/fixtures/limits.ts'
import { readUserText, UserFileError } from '../core/user-file.ts'

/** Files with the root certificates that the system trusts, a company's own roots included. */
const systemBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

/** Returns the root certificates of the system, or those of Node, PEM. */
export async function publicRoots(): Promise<string> {
  for (const file of systemBundles) {
    const roots = await readCertificates(file)
    if (roots !== undefined) return roots
  }
  return rootCertificates.join('\n')
}

/** Returns `undefined` for a missing file or a folder: programs ignore such variables. */
export async function readCertificates(file: string | undefined): Promise<string | undefined> {
  if (!file) return undefined
  try {
    return await readUserText(file, largestFileBytes)
  } catch (error) {
    if (error instanceof UserFileError) return undefined
    throw error
  }
}
