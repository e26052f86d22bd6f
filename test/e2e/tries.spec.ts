import type { Page } from '@playwright/test'
import type { TryItem } from '../../server/contract/control-tries.ts'
import { tryVariants } from '../../server/contract/words/sandbox.ts'
import { readQr } from '../helpers/read-qr.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { newestFlow, SignInsPage } from './pages/sign-ins.ts'

class TriesPage extends SignInsPage {
  readonly bar = this.page.getByRole('region', { name: 'Try' })
  readonly next = this.bar.getByRole('button', { name: 'Next step' })

  /** Opens the dialog of a kind, chooses, and starts it. */
  async start(title: string, choices: { pace?: string; answer?: string; mistake?: string } = {}) {
    await this.page.getByRole('button', { name: title }).click()
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

const test = base.extend<{ tries: TriesPage }>({
  tries: async ({ page, sandbox }, provide) => {
    const tries = new TriesPage(page, sandbox.url)
    await tries.open('/sign-ins')
    await provide(tries)
  },
})

test.use({ viewport: { width: 1440, height: 900 } })

test('a sign-in is played step by step, and drawn with each', async ({ tries, sandbox }) => {
  await tries.start('Try a sign-in', { pace: 'Step by step' })
  await expect(tries.bar).toContainText('Next step: authorization request.')
  expect(await tries.playOut()).toEqual([
    'authorization request',
    'login',
    'consent',
    'token request',
    'userinfo request',
  ])
  await expect(tries.bar).toContainText('knows that alice signed in')
  await expect(tries.flow).toContainText('completed')
  const flow = await newestFlow(sandbox)
  await expect(tries.page).toHaveURL(`${sandbox.url}/_sandbox/sign-ins/${flow.id}`)
  await expect(tries.steps).toHaveCount(flow.steps.length)
  await tries.bar.getByRole('button', { name: 'Put away' }).click()
  await expect(tries.bar).toBeHidden()
})

for (const [title, drawn] of [
  ['Try a sign-in', 'Sign-in with a browser'],
  ['Try a device', 'Sign-in of a device'],
  ['Try an exchange', 'Token exchange'],
] as const) {
  test(`${title}, at once`, async ({ tries }) => {
    await tries.start(title, { pace: 'At once' })
    await expect(tries.flow.getByRole('heading', { name: drawn })).toBeVisible()
    await expect(tries.flow).toContainText('completed')
    await expect(tries.bar).toBeHidden()
  })
}

test('an exchange is played step by step, by the key as well', async ({ tries }) => {
  await tries.start('Try an exchange', { pace: 'Step by step' })
  await expect(tries.bar).toContainText('Next step: token exchange.')
  await tries.page.keyboard.press('s')
  await expect(tries.bar).toContainText('Next step: API request.')
  // The key is the button's, which waits until the step before is over.
  await expect(tries.bar.getByRole('button', { name: 'Next step' })).toBeEnabled()
  await tries.page.keyboard.press('s')
  await expect(tries.bar).toContainText('completed')
})

test('each mistake is refused, and what mends it is told', async ({ tries }) => {
  const words = [
    ['A redirect URI that is not registered', /register this one/],
    ['An exchange for a scope that the app does not have', /among the "scopes"/],
    ['A wrong client secret', /Send the secret/],
    ['A code verifier of another request', /Keep the code verifier/],
    ['A code that is sent twice', /Send a code once/],
    ['The user says no', /Nothing is wrong/],
    ['An exchange for a user who is not a member', /Ask for a member/],
  ] as const
  expect(words).toHaveLength(tryVariants.length)
  for (const [mistake, mend] of words) {
    await tries.start('Try a refused one', { mistake, pace: 'At once' })
    await expect(tries.bar).toContainText(mend)
    await expect(tries.flow).toContainText('refused')
  }
})

test('the code of a device is shown large and as a QR code, and approved in another window', async ({
  tries,
  sandbox,
  context,
}) => {
  await tries.start('Try a device', { pace: 'Step by step', answer: 'I answer' })
  await tries.next.click()
  const code = tries.page.getByRole('region', { name: 'Device code' })
  const userCode = await code.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/).textContent()
  const address = `${sandbox.url}/oauth/device`
  await expect(code.getByRole('link', { name: address })).toBeVisible()
  await expect(code).toContainText('Another device cannot open this address')
  await expect(code.getByRole('figure')).toHaveText(`QR code of ${address}`)
  expect(await readDrawnQr(tries.page)).toBe(address)

  const window = await context.newPage()
  await window.goto(address)
  await window.getByRole('button', { name: /bob@/ }).click()
  await window.getByRole('textbox').fill(userCode ?? '')
  await window.getByRole('button', { name: 'Continue' }).click()
  await window.getByRole('button', { name: 'Allow' }).click()
  await tries.next.click()
  await expect(tries.bar).toContainText('Next step: userinfo request.')
  await tries.next.click()
  await expect(tries.bar).toContainText('completed')
  await expect(code).toBeHidden()
  await expect(tries.flow).toContainText('bob')
})

test.describe('where the hub has the address with the code in it', () => {
  test.use({
    sandboxOptions: {
      fixtures: {
        config: { device: { verificationUriComplete: true } },
        users: [{ username: 'alice' }],
        apps: [{ name: 'TV', scopes: ['openid'] }],
      },
    },
  })

  test('that is what the QR code leads to, and the shorter one is what is read', async ({
    tries,
    sandbox,
  }) => {
    await tries.start('Try a device')
    await tries.next.click()
    const code = tries.page.getByRole('region', { name: 'Device code' })
    const userCode = await code.getByText(/^[A-Z0-9]{4}-[A-Z0-9]{4}$/).textContent()
    await expect(code.getByRole('link')).toHaveText(`${sandbox.url}/oauth/device`)
    expect(await readDrawnQr(tries.page)).toBe(`${sandbox.url}/oauth/device?user_code=${userCode}`)
  })
})

test('on a narrow screen a menu takes the place of the buttons', async ({ tries, sandbox }) => {
  await sandbox.control('POST', 'tries', { kind: 'exchange' })
  await tries.page.setViewportSize({ width: 480, height: 900 })
  await tries.open('/sign-ins')
  await tries.page.getByRole('button', { name: 'Try one' }).click()
  await tries.page.getByRole('menuitem', { name: 'Try a device' }).click()
  const dialog = tries.page.getByRole('dialog', { name: 'Try a device' })
  await dialog.getByRole('button', { name: 'At once' }).click()
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(tries.flow.getByRole('heading', { name: 'Sign-in of a device' })).toBeVisible()
})

test('a person signs in, and it goes on where they come back', async ({ tries, context }) => {
  await tries.start('Try a sign-in', { pace: 'At once', answer: 'I answer' })
  await expect(tries.bar).toContainText('Waiting for a person')
  const opened = context.waitForEvent('page')
  await tries.bar.getByRole('link', { name: 'Open in a browser' }).click()
  const window = await opened
  await window.getByRole('button', { name: /bob@/ }).click()
  await window.getByRole('button', { name: 'Allow' }).click()
  await expect(window.getByRole('heading', { name: 'The app has its answer' })).toBeVisible()
  await expect(tries.flow).toContainText('completed')
  await expect(tries.flow).toContainText('bob')
})

test('what cannot be played says why, in the dialog', async ({ tries, sandbox }) => {
  for (const { privileges, clientId } of sandbox.fixtures.apps) {
    if (privileges.length > 0) await sandbox.control('DELETE', `apps/${clientId}`)
  }
  await tries.page.getByRole('button', { name: 'Try an exchange' }).click()
  const dialog = tries.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog.getByRole('alert')).toContainText('In the fixtures, under "apps"')
})

test('one that is given up is gone, and the first steps of the overview have the buttons, too', async ({
  tries,
  sandbox,
}) => {
  await tries.open('/')
  await tries.start('Try a sign-in', { pace: 'Step by step' })
  await expect(tries.page).toHaveURL(/\/sign-ins/)
  await tries.bar.getByRole('button', { name: 'Give it up' }).click()
  await expect(tries.bar).toBeHidden()
  const { items } = await sandbox.control<{ items: TryItem[] }>('GET', 'tries')
  expect(items).toEqual([])
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`what is tried breaks no accessibility rule: ${colorScheme}`, async ({ tries }) => {
    await tries.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await tries.page.getByRole('button', { name: 'Try a device' }).click()
    await expect(tries.page.getByRole('dialog')).toBeVisible()
    expect(await brokenRules(tries.page)).toEqual([])
    await tries.page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await tries.next.click()
    await expect(tries.page.getByRole('region', { name: 'Device code' })).toBeVisible()
    expect(await brokenRules(tries.page)).toEqual([])
    await tries.start('Try a refused one', { pace: 'At once' })
    await expect(tries.bar).toContainText('register this one')
    expect(await brokenRules(tries.page)).toEqual([])
  })
}

/** Reads the modules that the page has drawn. */
async function readDrawnQr(page: Page): Promise<string | undefined> {
  const svg = page.getByRole('figure').locator('svg')
  const size = Number((await svg.getAttribute('viewBox'))?.split(' ')[2])
  const path = (await svg.locator('path').getAttribute('d')) ?? ''
  const dark = new Set(path.match(/M\d+ \d+/g))
  return readQr(size, (row, column) => dark.has(`M${column} ${row}`))
}
