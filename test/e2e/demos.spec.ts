import type { DemoItem } from '../../server/contract/control-demos.ts'
import { demoVariants } from '../../server/contract/words/sandbox-words.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { readDrawnQr } from './pages/drawn-qr.ts'
import { newestFlow, SignInsPage } from './pages/sign-ins.ts'

class DemosPage extends SignInsPage {
  readonly bar = this.page.getByRole('region', { name: 'Demo' })
  readonly next = this.bar.getByRole('button', { name: 'Play next step' })

  /** Opens the dialog of a kind, chooses, and starts it. */
  async start(title: string, choices: { pace?: string; answer?: string; mistake?: string } = {}) {
    const menu = this.page.getByRole('button', { name: 'Run a demo' })
    await expect(menu.or(this.page.getByRole('button', { name: title }))).toBeVisible()
    if (await menu.isVisible()) {
      await menu.click()
      await this.page.getByRole('menuitem', { name: title }).click()
    } else await this.page.getByRole('button', { name: title }).click()
    const dialog = this.page.getByRole('dialog', { name: title })
    if (choices.mistake !== undefined) {
      await dialog.getByRole('combobox', { name: 'Mistake' }).click()
      await this.page.getByRole('option', { name: choices.mistake }).click()
    }
    for (const name of [choices.pace, choices.answer]) {
      if (name !== undefined) await dialog.getByRole('button', { name }).click()
    }
    await dialog.getByRole('button', { name: 'Start' }).click()
    await expect(dialog).toBeHidden()
  }

  /** Plays every step, and tells what each was called. */
  async playOut(): Promise<string[]> {
    const names: string[] = []
    const told = this.bar.getByText(/^Next step: /)
    while ((await this.next.count()) > 0) {
      await expect(this.next).toBeEnabled()
      const text = (await told.textContent()) ?? ''
      names.push(/^Next step: ([^.]+)\./.exec(text)?.[1] ?? text)
      await this.next.click()
      // Over when the next is told, or how it ended.
      await expect(this.bar).not.toContainText(text)
    }
    return names
  }
}

const test = base.extend<{ demos: DemosPage }>({
  demos: async ({ page, sandbox }, provide) => {
    const demos = new DemosPage(page, sandbox.url)
    await demos.open('/sign-ins')
    await provide(demos)
  },
})

test.use({ viewport: { width: 1440, height: 900 } })

test('a sign-in is played step by step, and drawn with each step', async ({ demos, sandbox }) => {
  await demos.start('Run a sign-in', { pace: 'Step through' })
  await expect(demos.bar).toContainText('Next step: authorization request.')
  expect(await demos.playOut()).toEqual([
    'authorization request',
    'login',
    'consent',
    'token request',
    'userinfo request',
  ])
  await expect(demos.bar).toContainText('knows that alice signed in')
  await expect(demos.flow).toContainText('completed')
  const flow = await newestFlow(sandbox)
  await expect(demos.page).toHaveURL(`${sandbox.url}/_sandbox/sign-ins/${flow.id}`)
  await expect(demos.steps).toHaveCount(flow.steps.length)
  await demos.bar.getByRole('button', { name: 'Dismiss' }).click()
  await expect(demos.bar).toBeHidden()
})

test('the bar of a demo is shown at its own diagram only', async ({ demos, sandbox }) => {
  await demos.start('Run a token exchange', { pace: 'Run all' })
  await expect(demos.flow).toContainText('completed')
  const { id: firstId } = await newestFlow(sandbox)
  const other = `${sandbox.url}/_sandbox/sign-ins/${firstId}`
  await demos.start('Run a sign-in', { pace: 'Step through' })
  await demos.next.click()
  await expect(demos.bar).toContainText('Next step: login.')
  const { id } = await newestFlow(sandbox)
  await expect(demos.page).toHaveURL(`${sandbox.url}/_sandbox/sign-ins/${id}`)

  await demos.page.goto(other)
  await expect(demos.flow).toContainText('Token exchange')
  await expect(demos.bar).toBeHidden()
  await demos.page.goBack()
  await expect(demos.bar).toContainText('Next step: login.')
})

for (const [title, drawn] of [
  ['Run a sign-in', 'Browser sign-in'],
  ['Run a device flow', 'Device sign-in'],
  ['Run a token exchange', 'Token exchange'],
  ['Run a token refresh', 'Browser sign-in'],
  ['Run a step-up', 'Browser sign-in'],
  ['Run a silent sign-in', 'Browser sign-in'],
] as const) {
  test(`${title}, all steps at once`, async ({ demos }) => {
    await demos.start(title, { pace: 'Run all' })
    await expect(demos.flow.getByRole('heading', { name: drawn })).toBeVisible()
    await expect(demos.flow).toContainText('completed')
    await expect(demos.bar).toBeHidden()
  })
}

test('an exchange is played step by step, also by key', async ({ demos }) => {
  await demos.start('Run a token exchange', { pace: 'Step through' })
  await expect(demos.bar).toContainText('Next step: token exchange.')
  await demos.page.keyboard.press('s')
  await expect(demos.bar).toContainText('Next step: API request.')
  // The key is the button's, which waits until the step before is over.
  await expect(demos.bar.getByRole('button', { name: 'Play next step' })).toBeEnabled()
  await demos.page.keyboard.press('s')
  await expect(demos.bar).toContainText('completed')
})

test('each mistake is refused, and its fix is shown', async ({ demos }) => {
  const words = [
    ['Unregistered redirect URI', /register this one/],
    ['Token exchange for a scope that the app does not have', /to the "scopes"/],
    ['Wrong client secret', /Send the secret/],
    ['Code verifier of another request', /Store the code verifier/],
    ['Authorization code sent twice', /Send each code once/],
    ['Refresh token sent twice', /Store the refresh token of each response/],
    ['Silent sign-in without a session', /No fix is needed/],
    ['Token exchange for a user who is not a member', /Request a token for a member/],
  ] as const
  // A denial is no refusal: it comes last.
  expect(words).toHaveLength(demoVariants.length - 1)
  for (const [mistake, fix] of words) {
    await demos.start('Run a failing flow', { mistake, pace: 'Run all' })
    await expect(demos.bar).toContainText(fix)
    await expect(demos.flow).toContainText('refused')
  }
  await demos.start('Run a failing flow', { mistake: 'User denies access', pace: 'Run all' })
  await expect(demos.bar).toContainText(/No fix is needed/)
  await expect(demos.flow).toContainText('denied')
})

test('the code of a device is shown large and as a QR code, and approved in another window', async ({
  demos,
  sandbox,
  context,
}) => {
  await demos.start('Run a device flow', { pace: 'Step through', answer: "I'll approve" })
  await demos.next.click()
  const code = demos.page.getByRole('region', { name: 'Device code' })
  const userCode = await code.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/).textContent()
  const address = `${sandbox.url}/oauth/device`
  await expect(code.getByRole('link', { name: address })).toBeVisible()
  await expect(code).toContainText('Another device cannot open this URL')
  await expect(code.getByRole('figure')).toHaveText(`QR code of ${address}`)
  expect(await readDrawnQr(demos.page.getByRole('figure').locator('svg'))).toBe(address)

  const window = await context.newPage()
  await window.goto(address)
  await window.getByRole('button', { name: /bob@/ }).click()
  await window.getByRole('textbox').fill(userCode ?? '')
  await window.getByRole('button', { name: 'Continue' }).click()
  await window.getByRole('button', { name: 'Allow' }).click()
  await demos.next.click()
  await expect(demos.bar).toContainText('Next step: userinfo request.')
  await demos.next.click()
  await expect(demos.bar).toContainText('completed')
  await expect(code).toBeHidden()
  await expect(demos.flow).toContainText('bob')
})

test.describe('verification URL with the code', () => {
  test.use({
    sandboxOptions: {
      fixtures: {
        config: { device: { verificationUriComplete: true } },
        users: [{ username: 'alice' }],
        apps: [{ name: 'TV', scopes: ['openid'] }],
      },
    },
  })

  test('the QR code holds the complete URL, and the text shows the shorter one', async ({
    demos,
    sandbox,
  }) => {
    await demos.start('Run a device flow')
    await demos.next.click()
    const code = demos.page.getByRole('region', { name: 'Device code' })
    const userCode = await code.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/).textContent()
    await expect(code.getByRole('link')).toHaveText(`${sandbox.url}/oauth/device`)
    expect(await readDrawnQr(demos.page.getByRole('figure').locator('svg'))).toBe(
      `${sandbox.url}/oauth/device?user_code=${userCode}`,
    )
  })
})

test('on a narrow screen a menu takes the place of the buttons', async ({ demos, sandbox }) => {
  await sandbox.control('POST', 'demos', { kind: 'exchange' })
  await demos.page.setViewportSize({ width: 480, height: 900 })
  await demos.open('/sign-ins')
  await demos.page.getByRole('button', { name: 'Run a demo' }).click()
  await demos.page.getByRole('menuitem', { name: 'Run a device flow' }).click()
  const dialog = demos.page.getByRole('dialog', { name: 'Run a device flow' })
  await dialog.getByRole('button', { name: 'Run all' }).click()
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(demos.flow.getByRole('heading', { name: 'Device sign-in' })).toBeVisible()
})

test('a person signs in, and the demo continues after the redirect', async ({ demos, context }) => {
  await demos.start('Run a sign-in', { pace: 'Run all', answer: "I'll approve" })
  await expect(demos.bar).toContainText('Waiting for a person')
  const opened = context.waitForEvent('page')
  await demos.bar.getByRole('link', { name: 'Open in a browser' }).click()
  const window = await opened
  await window.getByRole('button', { name: /bob@/ }).click()
  await window.getByRole('button', { name: 'Allow' }).click()
  await expect(window.getByRole('heading', { name: 'The app has the response' })).toBeVisible()
  await expect(demos.flow).toContainText('completed')
  await expect(demos.flow).toContainText('bob')
})

test('an impossible demo explains the reason in the dialog', async ({ demos, sandbox }) => {
  for (const { privileges, clientId } of sandbox.fixtures.apps) {
    if (privileges.length > 0) await sandbox.control('DELETE', `apps/${clientId}`)
  }
  await demos.page.getByRole('button', { name: 'Run a token exchange' }).click()
  const dialog = demos.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Add to "apps" in the fixtures')
})

test('a cancelled demo is gone, and the first steps of Home start demos of each kind, too', async ({
  demos,
  sandbox,
}) => {
  await demos.open('/')
  await demos.button('Other kinds').click()
  await demos.page.getByRole('menuitem', { name: 'Run a device flow' }).click()
  await demos.page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await expect(demos.page).toHaveURL(/\/sign-ins/)
  await demos.bar.getByRole('button', { name: 'Cancel demo' }).click()
  await expect(demos.bar).toBeHidden()
  const { items } = await sandbox.control<{ items: DemoItem[] }>('GET', 'demos')
  expect(items).toEqual([])
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`demos break no accessibility rule: ${colorScheme}`, async ({ demos }) => {
    await demos.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await demos.page.getByRole('button', { name: 'Run a device flow' }).click()
    await expect(demos.page.getByRole('dialog')).toBeVisible()
    expect(await brokenRules(demos.page)).toEqual([])
    await demos.page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await demos.next.click()
    await expect(demos.page.getByRole('region', { name: 'Device code' })).toBeVisible()
    expect(await brokenRules(demos.page)).toEqual([])
    await demos.start('Run a failing flow', { pace: 'Run all' })
    await expect(demos.bar).toContainText('register this one')
    expect(await brokenRules(demos.page)).toEqual([])
  })
}
