import type { CDPSession } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { expect, test } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'

// Pages that follow for hours hold no more than they show: rows and facts that come push out older ones.

test.use({
  sandboxOptions: {
    fixtures: { config: { caps: { requests: 200 } }, users: [{ username: 'alice' }] },
  },
})

/** Sends requests that are refused, four of ten that start a sign-in, and creates a token for ten of them. */
async function send(sandbox: Sandbox, clientId: string, count: number): Promise<void> {
  const authorization = 'Bearer hf_nobody'
  for (let sent = 0; sent < count; sent += 10) {
    const body = new URLSearchParams({ client_id: clientId, scope: 'openid' })
    const some = Array.from({ length: 10 }, (_, index) =>
      index < 4
        ? fetch(`${sandbox.url}/oauth/device`, { method: 'POST', body })
        : fetch(`${sandbox.url}/api/whoami-v2`, { headers: { authorization } }),
    )
    await Promise.all(some.map(async (response) => (await response).text()))
    await sandbox.control('POST', 'tokens', { user: 'alice', clientId, scope: 'openid' })
  }
}

interface Size {
  megabytes: number
  nodes: number
  listeners: number
}

/** Size of the page after its garbage is collected; nodes and listeners count those that a script still holds. */
async function sizeOf(session: CDPSession): Promise<Size> {
  // What the first collection finalizes, the second one frees.
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const value = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? NaN
  return {
    megabytes: value('JSHeapUsedSize') / 1024 ** 2,
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
  }
}

for (const path of ['/', '/sign-ins']) {
  test(`${path} does not grow with requests, flows and facts that come and go`, async ({
    page,
    sandbox,
  }) => {
    test.setTimeout(300_000)
    const { clientId } = await sandbox.control<{ clientId: string }>('POST', 'apps', {
      name: 'Notes',
      public: true,
      redirectUris: ['http://localhost/callback'],
      scopes: ['openid'],
    })
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    await new Dashboard(page, sandbox.url).open(path)
    await send(sandbox, clientId, 1500)
    const before = await sizeOf(session)
    await send(sandbox, clientId, 1500)
    // Right after a burst the page still draws and reads: it is small again once it has caught up.
    await expect(async () => {
      const after = await sizeOf(session)
      expect(after.megabytes - before.megabytes).toBeLessThan(3)
      expect(after.nodes - before.nodes).toBeLessThan(300)
      expect(after.listeners - before.listeners).toBeLessThan(150)
    }).toPass({ timeout: 30_000 })
  })
}
