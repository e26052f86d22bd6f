import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { fileError } from '../state/errors.ts'
import { FolderError, requirePrivateFolder } from '../state/lock.ts'
import { makeFolder } from '../state/make-folder.ts'
import { openFlags, replaceFile } from '../state/private-files.ts'

/** What an HTTPS server needs: PEM. */
export interface Certificate {
  key: string
  cert: string
}

export interface KeptCertificate extends Certificate {
  /** For `NODE_EXTRA_CA_CERTS` and `SSL_CERT_FILE`. */
  path: string
  /** Clients that trusted an earlier one must trust this: it was made now. */
  isNew: boolean
}

const validDays = 825
/** Made anew this long before it ends. */
const renewBeforeMs = 30 * 86_400_000

/**
 * The certificate of `--https`, made once and kept. It is self-signed and no authority, so trusting it trusts
 * nothing else; it holds each served name, since clients refuse wildcards below `localhost`.
 * @param names host names and addresses
 * @throws {FolderError} when it cannot be kept there
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
  if (kept !== undefined && isUsable(kept, names)) return { ...kept, path, isNew: false }

  const made = await makeCertificate(names)
  await inFolder(directory, async () => {
    await replaceFile(keyPath, made.key, 0o600)
    await replaceFile(path, made.cert, 0o644)
  })
  return { ...made, path, isNew: true }
}

/** What goes wrong there is for the user to fix. */
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
    const [cert, key] = await Promise.all([readFile(path, options), readFile(keyPath, options)])
    return { cert, key }
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
    // One of them cannot be read any more: both are made anew.
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

/** A certificate that is its own authority, and of no other. */
export async function makeCertificate(names: readonly string[]): Promise<Certificate> {
  const { generate } = await import('./self-signed.ts')
  const { private: key, cert } = await generate(
    // Of two with one name OpenSSL knows the first alone, and a program may trust several sandboxes.
    [{ name: 'commonName', value: `hub-sandbox ${randomBytes(4).toString('hex')} (self-signed)` }],
    {
      keyType: 'ec',
      // The library's default is SHA-1, which nothing accepts any more.
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
