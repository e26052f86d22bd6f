import { X509Certificate } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { keepCertificate } from '../../../server/app/certificate.ts'
import { FolderError } from '../../../server/store/lock.ts'
import { temporaryDirectory } from '../../helpers/temporary-directory.ts'

afterEach(() => vi.useRealTimers())

const names = ['localhost', '127.0.0.1', '::1']

describe('the certificate of --https', () => {
  test('is its own trust anchor, but no authority, and holds each served name', async () => {
    const { cert, isNew } = await keepCertificate(temporaryDirectory(), [...names, 'hub.test'])
    const certificate = new X509Certificate(cert)
    expect(isNew).toBe(true)
    expect(certificate.ca).toBe(false)
    expect(certificate.issuer).toBe(certificate.subject)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.publicKey.asymmetricKeyType).toBe('ec')
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(certificate.checkHost('hub.test')).toBe('hub.test')
    expect(certificate.checkIP('::1')).toBe('::1')
    expect(certificate.checkHost('other.test')).toBeUndefined()
    const days = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(820)
    // Apple's systems refuse what lasts longer.
    expect(days).toBeLessThanOrEqual(825)
  })

  test('says where it cannot be kept', async () => {
    const file = join(temporaryDirectory(), 'file')
    await writeFile(file, '')
    const keeping = keepCertificate(join(file, 'below'), names)
    await expect(keeping).rejects.toBeInstanceOf(FolderError)
    await expect(keeping).rejects.toThrow(
      /^cannot keep the certificate of --https in .*below: .*\(ENOTDIR\)\. Name .* with --data\.$/,
    )
  })

  test('is kept, readable by its user alone as far as the key goes', async () => {
    const directory = join(temporaryDirectory(), 'new')
    const made = await keepCertificate(directory, names)
    const kept = await keepCertificate(directory, names.slice(0, 1))
    expect(kept).toEqual({ ...made, isNew: false })
    expect(await readFile(made.path, 'utf8')).toBe(made.cert)
    const { mode } = await stat(join(directory, 'certificate-key.pem'))
    expect(process.platform === 'win32' || (mode & 0o777) === 0o600).toBe(true)
  })

  test('is made anew for another name, and when it is about to end', async () => {
    const directory = temporaryDirectory()
    await keepCertificate(directory, names)
    expect((await keepCertificate(directory, [...names, 'hub.test'])).isNew).toBe(true)
    vi.useFakeTimers({ now: Date.now() + 794 * 86_400_000, toFake: ['Date'] })
    expect((await keepCertificate(directory, names)).isNew).toBe(false)
    vi.setSystemTime(Date.now() + 2 * 86_400_000)
    expect((await keepCertificate(directory, names)).isNew).toBe(true)
  })

  test.each([
    ['certificate.pem', 'no certificate'],
    ['certificate-key.pem', 'no key'],
  ])('is made anew when %s cannot be read', async (file, content) => {
    const directory = temporaryDirectory()
    await keepCertificate(directory, names)
    await writeFile(join(directory, file), content)
    expect((await keepCertificate(directory, names)).isNew).toBe(true)
  })

  test('is made anew when key and certificate are not of one pair', async () => {
    const directory = temporaryDirectory()
    await keepCertificate(directory, names)
    const other = await keepCertificate(temporaryDirectory(), names)
    await writeFile(join(directory, 'certificate-key.pem'), other.key)
    const fixed = await keepCertificate(directory, names)
    expect(fixed.isNew).toBe(true)
    expect((await keepCertificate(directory, names)).isNew).toBe(false)
  })
})
