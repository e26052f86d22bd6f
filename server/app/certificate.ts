import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { trustStoreOf } from '../contract/client-settings.ts'
import { fileError } from '../store/errors.ts'
import { FolderError, requirePrivateFolder } from '../store/lock.ts'
import { makeFolder } from '../store/make-folder.ts'
import { openFlags, replaceFile } from '../store/private-files.ts'
import { javaTrustStore } from './java-trust-store.ts'
import { publicRoots } from './public-roots.ts'

/** Certificate and key of an HTTPS server, PEM. */
export interface Certificate {
  key: string
  cert: string
}

export interface KeptCertificate extends Certificate {
  /** PEM file for `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`. */
  path: string
  /** Whether it was created now: clients that trust an earlier one must trust this one, too. */
  isNew: boolean
}

const validDays = 825
/** The certificate is renewed this long before it expires. */
const renewBeforeMs = 30 * 86_400_000

/**
 * Returns the certificate of `--https`, and creates it once. It is self-signed and not an authority, so trusting it trusts
 * nothing else. It lists each served name, because clients refuse wildcards below `localhost`.
 * @param names host names and IP addresses
 * @throws {FolderError} when it cannot be stored
 */
export async function keepCertificate(
  directory: string,
  names: readonly string[],
): Promise<KeptCertificate> {
  const path = join(directory, 'certificate.pem')
  const keyPath = join(directory, 'certificate-key.pem')
  const kept = await inFolder(directory, () => {
    makeFolder(directory)
    requirePrivateFolder(directory)
    return readKept(path, keyPath)
  })
  // Written at each start: the public roots in it change with the system.
  const keepTrustStore = async (cert: string) =>
    replaceContent(trustStoreOf(path), javaTrustStore([await publicRoots(), cert]), 0o644)
  if (kept !== undefined && isUsable(kept, names)) {
    await inFolder(directory, () => keepTrustStore(kept.cert))
    return { ...kept, path, isNew: false }
  }

  const made = await makeCertificate(names)
  await inFolder(directory, async () => {
    await replaceContent(keyPath, made.key, 0o600)
    await replaceContent(path, made.cert, 0o644)
    await keepTrustStore(made.cert)
  })
  return { ...made, path, isNew: true }
}

const replaceContent = (file: string, content: string | Uint8Array, mode: number) =>
  replaceFile(file, mode, (handle) => handle.writeFile(content))

/** Reports a failure of the folder, which the user has to fix. */
async function inFolder<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FolderError) throw error
    const { message } = fileError('keep the certificate of --https in', directory, error)
    throw new FolderError(`${message}. Name a folder that can be written with --data.`, {
      file: directory,
      cause: error,
    })
  }
}

async function readKept(path: string, keyPath: string): Promise<Certificate | undefined> {
  try {
    const options = { encoding: 'utf8', flag: openFlags.read } as const
    // In this order: of two errors, that of the certificate decides.
    const cert = await readFile(path, options)
    return { cert, key: await readFile(keyPath, options) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function isUsable({ key, cert }: Certificate, names: readonly string[]): boolean {
  let certificate
  try {
    certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return false
  } catch {
    // If one of them is unreadable, both are created again.
    return false
  }
  const lasts = Date.parse(certificate.validTo) - Date.now() > renewBeforeMs
  return (
    lasts &&
    names.every((name) =>
      isIP(name) === 0 ? certificate.checkHost(name) === name : certificate.checkIP(name) === name,
    )
  )
}

/** Creates a self-signed certificate that is not an authority. */
export async function makeCertificate(names: readonly string[]): Promise<Certificate> {
  const { generate } = await import('./self-signed.ts')
  const { private: key, cert } = await generate(
    // OpenSSL ignores a second certificate of the same name, and a program may trust several sandboxes.
    [{ name: 'commonName', value: `hub-sandbox ${randomBytes(4).toString('hex')} (self-signed)` }],
    {
      keyType: 'ec',
      // The default of the library is SHA-1, which clients no longer accept.
      algorithm: 'sha256',
      notAfterDate: new Date(Date.now() + validDays * 86_400_000),
      extensions: [
        { name: 'basicConstraints', cA: false, critical: true },
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', serverAuth: true },
        {
          name: 'subjectAltName',
          altNames: names.map((name) =>
            isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
          ),
        },
      ],
    },
  )
  return { key, cert }
}
