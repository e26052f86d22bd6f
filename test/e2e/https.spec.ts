import { createHash, X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { startSandbox } from './package.ts'
import { expect, test } from './fixtures.ts'

test('Chromium accepts the certificate once trusted, and cookies are Secure then', async ({
  launchOptions,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'hub-sandbox-https-'))
  const sandbox = await startSandbox({ https: true, data: folder })
  try {
    const pem = await readFile(sandbox.certificatePath ?? '', 'utf8')
    const browser = await chromium.launch(launchOptions)
    const stranger = await browser.newPage()
    await expect(stranger.goto(`${sandbox.url}/login`)).rejects.toThrow(
      'ERR_CERT_AUTHORITY_INVALID',
    )
    await browser.close()

    const trusting = await chromium.launch({
      ...launchOptions,
      args: [
        ...(launchOptions.args ?? []),
        `--ignore-certificate-errors-spki-list=${publicKeyHash(pem)}`,
      ],
    })
    for (const host of ['localhost', '127.0.0.1']) {
      const page = await trusting.newPage()
      await page.goto(`${sandbox.url.replace('localhost', host)}/login?next=/oauth/device`)
      await page.getByRole('button', { name: /alice@/ }).click()
      await expect(page.getByRole('heading', { name: 'Connect a device' })).toBeVisible()
      const cookies = await page.context().cookies()
      expect(cookies).toMatchObject([
        { name: `hub_sandbox_session_${new URL(sandbox.url).port}`, secure: true, httpOnly: true },
      ])
      await page.context().close()
    }
    await trusting.close()
  } finally {
    await sandbox.close()
    await rm(folder, { recursive: true })
  }
})

/** What Chromium knows a trusted key by: the base64 SHA-256 hash of its SubjectPublicKeyInfo. */
function publicKeyHash(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}
