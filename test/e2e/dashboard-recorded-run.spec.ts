import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { startSandbox } from './package.ts'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

/** What a run left behind in which a receiver was down. */
async function recordedRun(url: string): Promise<FixturesFile> {
  const sandbox = await startSandbox()
  try {
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      url,
      watched: [{ type: 'org', name: 'acme' }],
    })
    await sandbox.signIn({ user: 'bob' })
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await sandbox.idle()
    return await sandbox.control('GET', 'export?log=1&command=npm%20test&exitCode=1')
  } finally {
    await sandbox.close()
  }
}

test('every page shows that a run is recorded, and nothing is delivered', async ({ page }) => {
  let received = 0
  const receiver = createServer((request, response) => {
    received += 1
    request.resume().on('end', () => response.writeHead(received === 1 ? 500 : 200).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const fixtures = await recordedRun(`http://127.0.0.1:${port}/hook`)
  expect(received).toBe(1)

  const sandbox = await startSandbox({ fixtures })
  try {
    await sandbox.clock.advance('2d')
    const dashboard = new Dashboard(page, sandbox.url)
    await dashboard.open('/')
    const banner = page.getByRole('region', { name: 'Recorded run' })
    await expect(banner).toContainText(/Recorded run of .*: npm test, exit code 1/)
    await expect(page).toHaveTitle(/^\[recorded run, /)
    await dashboard.open('/deliveries')
    await expect(banner).toContainText('For viewing only: no deliveries, retries or jobs.')
    const paused = page.getByRole('row').filter({ hasText: 'Paused' })
    await expect(paused).toHaveCount(1)
    await sandbox.trigger({ event: 'repo.content', repo: 'acme/corpus' })
    await expect(paused).toHaveCount(2)
    expect(received).toBe(1)
  } finally {
    await sandbox.close()
    receiver.close()
  }
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the banner of a recorded run is readable in ${colorScheme}`, async ({ page }, info) => {
    const fixtures = await recordedRun('http://127.0.0.1:9/hook')
    const sandbox = await startSandbox({ fixtures })
    try {
      await page.emulateMedia({ colorScheme })
      await new Dashboard(page, sandbox.url).open('/')
      const banner = page.getByRole('region', { name: 'Recorded run' })
      await banner.getByText('Not included').click()
      await expect(banner).toContainText('browser sessions')
      await page.screenshot({ path: info.outputPath(`${colorScheme}.png`) })
    } finally {
      await sandbox.close()
    }
  })
}
