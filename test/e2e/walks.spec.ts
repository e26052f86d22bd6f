import type { Locator, Page } from '@playwright/test'
import type { Sandbox } from '../../server/index.ts'
import { challenge } from '../helpers/oauth-client.ts'
import { expect, test as base } from './fixtures.ts'
import { Dashboard } from './pages/dashboard.ts'
import { startReceiver } from './pages/receiver.ts'
import { startServerApp } from './pages/server-app.ts'

// Daily tasks from the overview to their end, measured in clicks and keys as the browser sees them.

/** Most clicks, and most keys besides typed text, that a task may take. */
const most = 5

interface Counts {
  clicks: number
  /** Keys besides typed text. */
  keys: number
  /** Typed characters. */
  typed: number
}

/** User of the dashboard, whose clicks and keys are counted. */
class Walk extends Dashboard {
  readonly counts: Counts = { clicks: 0, keys: 0, typed: 0 }

  /** Opens the overview, where every walk begins. */
  async begin(): Promise<void> {
    await this.page.exposeFunction('count', (kind: keyof Counts) => this.counts[kind]++)
    await this.page.addInitScript(() => {
      const { count } = globalThis as unknown as { count: (kind: string) => void }
      const isField = (target: EventTarget | null) =>
        target instanceof HTMLElement && target.matches('input, textarea')
      addEventListener('pointerdown', () => count('clicks'), true)
      addEventListener(
        'keydown',
        ({ key, target }) => count(key.length === 1 && isField(target) ? 'typed' : 'keys'),
        true,
      )
    })
    await this.open('/')
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key)
  }

  /** Types into a field, which is clicked first unless it has the focus. */
  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeVisible()
    if (!(await field.evaluate((element) => element === document.activeElement))) {
      await field.click()
    }
    await this.page.keyboard.type(text)
  }
}

const test = base.extend<{ walk: Walk }>({
  walk: async ({ page, sandbox }, provide, { annotations, title }) => {
    const walk = new Walk(page, sandbox.url)
    await provide(walk)
    const { clicks, keys, typed } = walk.counts
    annotations.push({
      type: 'walk',
      description: `${title}: ${clicks} clicks, ${keys} keys, ${typed} typed`,
    })
    expect(clicks + keys, 'nothing was counted').toBeGreaterThan(0)
    expect(clicks, 'clicks').toBeLessThanOrEqual(most)
    expect(keys, 'keys').toBeLessThanOrEqual(most)
  },
})

/** Authorization request of an app, with a redirect URI that it has not registered. */
const refusedRequest = (sandbox: Sandbox, clientId: string) =>
  `${sandbox.url}/oauth/authorize?${new URLSearchParams({
    client_id: clientId,
    redirect_uri: 'http://localhost:3000/auth/callback-2',
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })}`

const registerNotes = (sandbox: Sandbox) =>
  sandbox.control<{ clientId: string }>('POST', 'apps', {
    name: 'Notes',
    public: true,
    redirectUris: ['http://localhost/callback'],
  })

async function titleOf(page: Page, url: string): Promise<string> {
  const other = await page.context().newPage()
  await other.goto(url)
  const title = await other.title()
  await other.close()
  return title
}

test('why was I refused, and fix it', async ({ walk, sandbox, page }) => {
  const { clientId } = await registerNotes(sandbox)
  const url = refusedRequest(sandbox, clientId)
  expect(await titleOf(page, url)).toContain('Invalid redirect_uri')
  await walk.begin()
  const panel = walk.panel('Sign-in')
  await expect(panel).toContainText('callback-2')
  await panel.getByRole('button', { name: /^Allow this URI/ }).click()
  const question = walk.question('Allow this redirect URI for Notes?')
  await question.getByRole('button', { name: 'Allow this URI' }).click()
  await expect(page.getByText('Fixed.')).toBeVisible()
  expect(await titleOf(page, url)).not.toContain('Invalid redirect_uri')
})

test('a device flow for an audience', async ({ walk, page }) => {
  await walk.begin()
  await walk.visit('Sign-ins')
  await walk.button('Present').click()
  await walk.press('d')
  await expect(page.getByRole('figure', { name: /^QR code/ })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
})

test('a token exchange, from request to token', async ({ walk, page }) => {
  await walk.begin()
  await walk.visit('Sign-ins')
  await walk.button('Run a token exchange').click()
  await walk.button('Run all').click()
  await walk.button('Start').click()
  const drawing = page.getByRole('article', { name: 'Sign-in' })
  await expect(drawing).toContainText('completed')
  await drawing.getByRole('button', { name: /token response/ }).click()
  await expect(page.getByText('hf_oauth_sandbox_').first()).toBeVisible()
})

test('a webhook is created, fails, is fixed and replayed', async ({ walk, page }) => {
  const receiver = await startReceiver()
  await walk.begin()
  const panel = walk.panel('Webhooks')
  await panel.getByRole('link', { name: 'Create a webhook' }).click()
  // A typing mistake in the port.
  await walk.type(walk.dialog().getByLabel('URL'), 'http://127.0.0.1:9/webhooks/events')
  await walk.press('Enter')
  await expect(walk.dialog()).toHaveCount(0)
  await walk.press('t')
  await expect(walk.dialog('Trigger an event')).toBeVisible()
  await walk.press('Enter')
  await expect(page).toHaveURL(/deliveries/)
  await page
    .getByRole('row', { name: /failing|retry/i })
    .or(page.getByRole('option'))
    .first()
    .click()
  const detail = page.getByRole('article', { name: 'Delivery' })
  await expect(detail).toContainText('refused')
  await detail.getByRole('button', { name: 'Edit webhook' }).click()
  await expect(walk.dialog().getByLabel('URL')).toBeFocused()
  await walk.press('Control+a')
  await walk.type(walk.dialog().getByLabel('URL'), receiver.url)
  await walk.press('Enter')
  await expect(walk.dialog('Edit webhook')).toHaveCount(0)
  await detail.getByRole('button', { name: /^(Replay|Retry now)/ }).click()
  await expect(detail).toContainText('Succeeded')
  expect(receiver.received).toHaveLength(1)
  await receiver.close()
})

test('what happened ten minutes ago', async ({ walk, sandbox, page }) => {
  await sandbox.trigger({ event: 'discussion.create', repo: 'datasets/acme/corpus' })
  await sandbox.clock.advance('10m')
  await walk.begin()
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await walk.visit('Activity')
  const lines = walk.panel('Timeline')
  await walk.button('Last hour').click()
  await expect(lines).toContainText('repo.content')
  const density = page.getByRole('figure', { name: 'Activity over time' })
  const strip = page.getByTestId('density')
  const { width = 0 } = (await strip.boundingBox()) ?? {}
  // The first bar with events, as the pointer finds it: wherever panels above that load late push the strip.
  for (let left = 2; left < width; left += 6) {
    await strip.hover({ position: { x: left, y: 10 } })
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    if (/\d events?/.test((await density.textContent()) ?? '')) break
  }
  await page.mouse.down()
  await page.mouse.up()
  await expect(lines).toContainText('discussion')
  await expect(lines).not.toContainText('repo.content')
})

test('the clock moves by eight hours', async ({ walk, sandbox, page }) => {
  await walk.begin()
  await page.getByRole('button', { name: /clock/i }).first().click()
  await walk.button('+8h').click()
  await expect.poll(async () => (await sandbox.clock.read()).offsetMs).toBeGreaterThan(28_000_000)
})

test('a fault, and the verdict on an app', async ({ walk, page }) => {
  await walk.begin()
  await walk.visit('Experiments')
  const card = page.getByRole('listitem', { name: 'Experiment: Wrong nonce' })
  await card.getByRole('button', { name: 'Play with the demo app' }).click()
  await expect(card).toContainText('passed', { timeout: 15_000 })
})

test('a refused sign-in is handed to a colleague', async ({ walk, sandbox, page }) => {
  const { clientId } = await registerNotes(sandbox)
  await titleOf(page, refusedRequest(sandbox, clientId))
  await walk.begin()
  await walk.panel('Sign-in').getByRole('link', { name: 'View sign-in' }).click()
  await walk.button('Export').click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'HTML report' }).click()
  expect((await saving).suggestedFilename()).toMatch(/^sign-in-.*\.html$/)
})

test('a repo is created and discussed', async ({ walk, sandbox, page }) => {
  await walk.begin()
  await walk.visit('Repos')
  await walk.button('Create repo').click()
  await walk.type(walk.dialog().getByLabel('Name'), 'acme/walk')
  await walk.press('Enter')
  await expect(walk.heading('acme/walk')).toBeVisible()
  await walk.button(/^Discussions/).click()
  await walk.button('Open discussion').click()
  await walk.type(walk.dialog().getByLabel('Title'), 'Licence?')
  await walk.press('Enter')
  await expect(page.getByRole('heading', { name: /Licence\?/ })).toBeVisible()
  const repo = await sandbox.control<{ discussions: number }>('GET', 'repos/models/acme/walk')
  expect(repo.discussions).toBe(1)
})

test('my own app is connected from the dashboard alone', async ({ walk, sandbox, page }) => {
  const app = await startServerApp(sandbox.url)
  await walk.begin()
  await walk.visit('Apps')
  await walk.button('Register app').click()
  await walk.type(walk.dialog().getByLabel('Name'), 'Team board')
  // Its redirect URI is /callback at some port of localhost, which the form suggests.
  await walk.press('Enter')
  await expect(walk.heading('Team board')).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await walk.button('Copy .env').click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const clientId = /^OAUTH_CLIENT_ID=(.+)$/m.exec(copied)?.[1] ?? ''
  expect(copied).toContain(`OPENID_PROVIDER_URL=${sandbox.url}`)
  // The app runs with the copied settings, and its user signs in.
  app.register({ clientId })
  const browser = await page.context().newPage()
  await browser.goto(app.url)
  await browser.getByRole('button', { name: /alice@/ }).click()
  await browser.getByRole('button', { name: 'Allow' }).click()
  await expect(browser.getByRole('status')).toHaveText('Hello alice')
  await browser.close()
  await expect(page.getByRole('tabpanel', { name: 'Connect' })).toContainText(/first request/i)
  await app.close()
})
