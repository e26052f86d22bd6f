import type { Locator } from '@playwright/test'
import type { DeliveryList } from '../../server/contract/control-deliveries.ts'
import type { DemoItem, DemoList, DemoRequest } from '../../server/contract/control-demos.ts'
import type { FlowDetail } from '../../server/contract/control-flows.ts'
import type { Sandbox } from '../../server/index.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'
import { readDrawnQr } from './pages/drawn-qr.ts'

/** A sign-in on a projector. */
class PresentPage extends Dashboard {
  readonly stage: Locator = this.page.getByRole('article', { name: 'Presentation' })
  readonly scene: Locator = this.stage.getByRole('region', { name: 'What just happened' })
  readonly title: Locator = this.scene.getByRole('heading', { level: 2 })
  readonly position: Locator = this.stage.getByRole('slider', { name: 'Step' })
  readonly notes: Locator = this.stage.getByRole('complementary', { name: 'Speaker notes' })
  readonly navigation: Locator = this.page.getByRole('navigation', { name: 'Pages' })

  async present({ id, steps }: FlowDetail, step?: string): Promise<void> {
    const found = steps.find(({ name }) => name === step)
    const path = [id, ...(found ? [encodeURIComponent(found.id)] : [])].join('/')
    await this.page.goto(`${this.url}/sign-ins/${path}?present`)
    await expect(this.title).toBeVisible()
  }
}

const test = base.extend<{ present: PresentPage }>({
  present: async ({ page, sandbox }, provide) => provide(new PresentPage(page, sandbox.url)),
})

/** Plays a demo to its end, and returns its sign-in. */
async function play(sandbox: Sandbox, demo: DemoRequest): Promise<FlowDetail> {
  const { flowId } = await sandbox.control<DemoItem>('POST', 'demos', demo)
  return sandbox.control<FlowDetail>('GET', `flows/${flowId}`)
}

async function startDevice(sandbox: Sandbox): Promise<string> {
  const [app] = sandbox.fixtures.apps
  const answer = await fetch(`${sandbox.url}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: app?.clientId ?? '', scope: 'openid' }),
  })
  const { user_code: userCode } = (await answer.json()) as { user_code: string }
  return userCode
}

test.use({ viewport: { width: 1280, height: 720 } })

test('a presentation shows the sign-in alone, and the keys move through its steps', async ({
  present,
  sandbox,
}) => {
  const { page, title, position } = present
  const { steps } = await play(sandbox, { kind: 'sign-in' })
  await present.open('/sign-ins')
  await expect(page.getByRole('article', { name: 'Sign-in' })).toBeVisible()
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/[?&]present/)
  await expect(title).toHaveText(steps.at(-1)?.name ?? '')
  await expect(present.navigation).toBeHidden()
  await page.keyboard.press('Home')
  await expect(title).toHaveText(steps[0]?.name ?? '')
  await page.keyboard.press('ArrowRight')
  await expect(title).toHaveText(steps[1]?.name ?? '')
  await expect(position).toHaveAttribute(
    'aria-valuetext',
    `2 of ${steps.length}: ${steps[1]?.name}`,
  )
  await position.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(title).toHaveText(steps[0]?.name ?? '')
  await page.keyboard.press('End')
  await expect(title).toHaveText(steps.at(-1)?.name ?? '')
  await page.keyboard.press('t')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(present.navigation).toBeVisible()
  await expect(page).not.toHaveURL(/present/)
})

test('the notes have a talking point and the next step', async ({ present, sandbox }) => {
  await present.present(await play(sandbox, { kind: 'sign-in' }), 'consent page')
  await expect(present.notes).toBeHidden()
  await present.page.keyboard.press('n')
  await expect(present.notes).toContainText('may refuse')
  await expect(present.notes).toContainText('Next: user on consent page')
  await present.page.keyboard.press('n')
  await expect(present.notes).toBeHidden()
})

test('each step of a sign-in shows the object that it is about', async ({ present, sandbox }) => {
  const flow = await play(sandbox, { kind: 'sign-in' })
  const { scene } = present
  await present.present(flow, 'code → redirect URI')
  await expect(scene).toContainText('http://localhost/callback')
  await expect(scene.getByRole('listitem').first()).toHaveText(/^\?code=…\w{4}$/)
  await present.present(flow, 'token request with PKCE')
  await expect(scene).toContainText('They match')
  await present.present(flow, 'token response')
  await expect(scene.getByRole('term').first()).toHaveText('iss')
  await expect(scene.getByRole('definition').first()).toHaveText(sandbox.url)
  await expect(scene).toContainText('Signature valid')
})

test('a wrong verifier and an unregistered redirect URI are compared', async ({
  present,
  sandbox,
}) => {
  await present.present(await play(sandbox, { kind: 'refused', variant: 'pkce' }))
  await expect(present.scene).toContainText('They differ')
  await present.present(await play(sandbox, { kind: 'refused', variant: 'redirect-uri' }))
  await expect(present.scene).toContainText('http://localhost/not-registered')
  await expect(present.scene.getByRole('deletion')).toHaveText('not-registered')
  await expect(present.scene).toContainText(/and \d+ others?/)
})

test('an exchange shows both tokens, or which check failed', async ({ present, sandbox }) => {
  const { scene } = present
  await present.present(await play(sandbox, { kind: 'exchange' }), 'token response')
  await expect(scene).toContainText('alice@example.com')
  await expect(scene).toContainText('hf_oauth_sandbox_…')
  await present.present(await play(sandbox, { kind: 'refused', variant: 'not-a-member' }))
  await expect(scene).toContainText('not issued')
})

test('a running device flow draws itself, and its QR code can be scanned from the screen', async ({
  present,
  sandbox,
}) => {
  const { page, title, scene } = present
  const userCode = await startDevice(sandbox)
  await present.open('/sign-ins')
  await page.getByRole('button', { name: 'Present' }).click()
  await expect(title).toBeVisible()
  await expect(scene).toContainText(userCode)
  const code = scene.getByRole('figure', { name: /^QR code/ }).locator('svg')
  expect(await readDrawnQr(code)).toBe(`${sandbox.url}/oauth/device`)
  await sandbox.approveDevice(userCode, { user: 'bob' })
  await expect(title).not.toHaveText('user code shown')
})

test('a newer sign-in takes the stage and is drawn from its first step', async ({
  present,
  sandbox,
}) => {
  const { page, title } = present
  await present.present(await play(sandbox, { kind: 'exchange' }))
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      const name = document.querySelector('article h2')?.textContent
      if (name && seen.at(-1) !== name) seen.push(name)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  const { steps } = await play(sandbox, { kind: 'refused' })
  await expect(title).toHaveText(steps.at(-1)?.name ?? '')
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)
  expect(seen.slice(-steps.length)).toEqual(steps.map(({ name }) => name))
})

test('a key starts a flow, which the arrow key plays step by step', async ({
  present,
  sandbox,
}) => {
  const { page, title, notes } = present
  await present.open('/sign-ins')
  await page.getByRole('button', { name: 'Present' }).click()
  await expect(present.stage).toContainText('No sign-in yet')
  await page.keyboard.press('n')
  await expect(notes).toContainText('s sign-in')
  await page.keyboard.press('e')
  await expect(title).toHaveText('token response')
  await expect(notes).toContainText('API request')
  await page.keyboard.press('ArrowRight')
  await expect(present.stage).toContainText('completed')
  await expect(title).toHaveText('response')
  const [demo] = (await sandbox.control<DemoList>('GET', 'demos')).items
  expect(demo).toMatchObject({ kind: 'exchange', done: true, outcome: 'completed' })
})

test('Shift and a key start the same flow as a refused one', async ({ present, sandbox }) => {
  const { page, title } = present
  await present.present(await play(sandbox, { kind: 'sign-in' }))
  await page.keyboard.press('Shift+E')
  await expect(title).toHaveText('error response')
  await expect(present.scene).toContainText('not issued')
})

test('a key presents a webhook: event, failure, retry and replay', async ({ present, sandbox }) => {
  const { page, title, position, scene, stage, notes } = present
  await present.present(await play(sandbox, { kind: 'sign-in' }))
  await page.keyboard.press('n')
  await page.keyboard.press('w')
  await expect(title).toHaveText('event repo.content.update')
  await expect(scene).toContainText('repo.name')
  await page.keyboard.press('End')
  // The wait for the retry follows the refusal.
  await expect(title).toHaveText('waits for the retry')
  await page.keyboard.press('ArrowLeft')
  await expect(title).toHaveText('response 503')
  await expect(scene).toContainText('Starting up')
  await page.keyboard.press('ArrowLeft')
  await expect(scene).toContainText('X-Webhook-Secret')
  await expect(scene).not.toContainText('sandboxDemoWebhookSecret')
  await page.keyboard.press('End')
  await expect(notes).toContainText('retry')
  await page.keyboard.press('ArrowRight')
  await expect(notes).toContainText('Waiting for the retry of the Hub')
  await sandbox.clock.advance('30s')
  await expect(title).toHaveText('response 200')
  await expect(notes).toContainText('→ replay')
  await page.keyboard.press('ArrowRight')
  await expect(position).toHaveAttribute('max', '7')
  await expect(title).toHaveText('response 200')
  await expect(stage).toContainText('completed')
  const [delivery] = (await sandbox.control<DeliveryList>('GET', 'deliveries')).items
  expect(delivery?.attempts.map(({ source, status }) => [source, status])).toEqual([
    ['auto', 503],
    ['retry', 200],
    ['replay', 200],
  ])
  expect((await sandbox.control<{ items: object[] }>('GET', 'webhooks')).items).toEqual([])
  // The flow stays on the stage after a reload, and leads to its delivery.
  await page.reload()
  await expect(title).toHaveText('response 200')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(new RegExp(`/deliveries/${delivery?.id}$`))
})

test('Shift and the key present a webhook that is refused every time', async ({
  present,
  sandbox,
}) => {
  const { page, title, stage, scene } = present
  await present.open('/sign-ins')
  await page.getByRole('button', { name: 'Present' }).click()
  await expect(stage).toContainText('No sign-in yet')
  await page.keyboard.press('Shift+W')
  await expect(stage).toContainText('Webhook')
  await page.keyboard.press('End')
  await expect(title).toHaveText('waits for the retry')
  await page.keyboard.press('ArrowRight')
  await sandbox.clock.advance('30s')
  await expect(present.position).toHaveAttribute('max', '5')
  await page.keyboard.press('n')
  await expect(present.notes).toContainText('→ replay')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await expect(title).toHaveText('response 403')
  await expect(scene).toContainText('Invalid webhook secret')
  await expect(stage).toContainText('refused')
  const [demo] = (await sandbox.control<DemoList>('GET', 'demos')).items
  expect(demo).toMatchObject({ kind: 'failing-webhook', outcome: 'refused' })
  // A sign-in on another key takes the stage back.
  await page.keyboard.press('e')
  await expect(title).toHaveText('token response')
})

test('the page of a delivery presents it', async ({ present, sandbox }) => {
  const { deliveryId } = await sandbox.control<DemoItem>('POST', 'demos', { kind: 'webhook' })
  await present.open(`/deliveries/${deliveryId}`)
  await present.page.getByRole('button', { name: 'More actions' }).click()
  await present.page.getByRole('menuitem', { name: 'Present' }).click()
  await expect(present.title).toHaveText('waits for the retry')
})

test('neither a toast nor a lost connection reaches the audience', async ({ present, sandbox }) => {
  const { page } = present
  await present.present(await play(sandbox, { kind: 'sign-in' }))
  await expect(page.locator('[data-toasts]')).toHaveCSS('display', 'none')
  await sandbox.close()
  await page.keyboard.press('Home')
  await expect(present.title).toHaveText('redirect to the Hub')
  await expect(page.getByRole('button', { name: 'Retry now' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Retry now' })).toBeVisible()
})

test('nothing moves with reduced motion', async ({ present, sandbox }) => {
  const { page } = present
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await present.present(await play(sandbox, { kind: 'sign-in' }))
  await page.keyboard.press('ArrowLeft')
  const running = await page.evaluate(() => document.getAnimations().length)
  expect(running).toBe(0)
})

for (const [width, height] of [
  [1280, 720],
  [1920, 1080],
  [1024, 768],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`a ${colorScheme} room of ${width}x${height} shows whole artefacts in large letters`, async ({
      present,
      sandbox,
    }) => {
      const { page, scene } = present
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const [demo, step] of [
        [{ kind: 'sign-in' }, 'token response'],
        [{ kind: 'sign-in' }, 'authorization request'],
        [{ kind: 'device' }, 'user code shown'],
        [{ kind: 'exchange' }, 'token response'],
        [{ kind: 'refused', variant: 'pkce' }, undefined],
      ] as const) {
        await present.present(await play(sandbox, demo), step)
        await expect(scene.locator('figure').first()).toBeVisible()
        const { letters, hidden } = await scene.evaluate((section) => {
          const frame = section.lastElementChild
          return {
            letters: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
            hidden: frame === null ? 0 : frame.scrollHeight - frame.clientHeight,
          }
        })
        expect(letters).toBeGreaterThanOrEqual(height / 48)
        expect(hidden, `${demo.kind} ${step}`).toBeLessThanOrEqual(1)
      }
      expect(await brokenRules(page)).toEqual([])
    })
  }
}
