import { startSandbox } from './package.ts'
import { expect, test } from './package.ts'

// What the package ships for the tests of others, as they use it.

const seen: { issuer: string; tokens: number }[] = []

test.describe('the sandbox of a worker', () => {
  test.describe.configure({ mode: 'serial' })
  for (const round of [1, 2]) {
    test(`has one issuer, and is reset for each test (${round})`, async ({
      sandbox,
      workerSandbox,
      signInAs,
      page,
    }) => {
      seen.push({ issuer: sandbox.issuer, tokens: (await sandbox.tokens.list()).length })
      expect(seen.at(-1)).toEqual(seen[0])
      expect(await workerSandbox()).toBe(sandbox)
      await sandbox.tokens.mint({ user: 'alice', role: 'read' })
      await signInAs('bob')
      await page.goto(`${sandbox.url}/oauth/device`)
      await expect(page.getByText('bob').first()).toBeVisible()
    })
  }
})

test('approves a device', async ({ sandbox, approveDevice }) => {
  const app = sandbox.fixtures.apps.find(({ redirectUris }) => redirectUris.length === 0)
  const answer = await fetch(`${sandbox.url}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: app?.clientId ?? '' }),
  })
  const { user_code: userCode } = (await answer.json()) as { user_code: string }
  expect(await approveDevice(userCode, { user: 'carol' })).toEqual({ status: 'approved' })
})

test.describe('with a fork for each test', () => {
  test.use({ sandboxPerTest: 'fork' })
  test('the sandbox of the worker is unchanged', async ({ sandbox, workerSandbox }) => {
    const origin = await workerSandbox()
    expect(sandbox.issuer).not.toBe(origin.issuer)
    const before = (await origin.tokens.list()).length
    await sandbox.tokens.mint({ user: 'alice', role: 'read' })
    expect((await origin.tokens.list()).length).toBe(before)
  })
})

test.describe('with other options', () => {
  test.use({ sandboxOptions: { strict: true } })
  test('the sandbox is another one', async ({ sandbox, workerSandbox }) => {
    expect(sandbox.issuer).not.toBe((await workerSandbox()).issuer)
    expect(await sandbox.control('GET', 'overview')).toMatchObject({ strict: true })
  })
})

test.describe('with a running sandbox', () => {
  const onRunning = test.extend<{ running: string }>({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names off the pattern.
    running: async ({}, provide) => {
      const sandbox = await startSandbox()
      await provide(sandbox.url)
      await sandbox.close()
    },
    sandboxUrl: async ({ running }, provide) => provide(running),
    sandboxPerTest: 'keep',
  })
  onRunning('it is that one', async ({ sandbox, running }) => {
    expect(sandbox.url).toBe(running)
    expect((await sandbox.signIn()).token_type).toBe('bearer')
  })
})
