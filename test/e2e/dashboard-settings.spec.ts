import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { Sandbox } from '../../server/index.ts'
import { expect, test as base } from './fixtures.ts'
import { brokenRules } from './pages/accessibility.ts'
import { Dashboard } from './pages/dashboard.ts'

const test = base.extend<{ settings: Dashboard }>({
  settings: async ({ page, sandbox }, provide) => {
    const settings = new Dashboard(page, sandbox.url)
    await settings.open('/settings')
    await provide(settings)
  },
})

interface Snapshots {
  items: { name: string }[]
}

async function snapshotNames(sandbox: Sandbox): Promise<string[]> {
  const { items } = await sandbox.control<Snapshots>('GET', 'snapshots')
  return items.map(({ name }) => name).toSorted()
}

async function usernames(sandbox: Sandbox): Promise<string[]> {
  const { items } = await sandbox.control<{ items: { username: string }[] }>('GET', 'users')
  return items.map(({ username }) => username)
}

const jsonFile = (name: string, content: unknown) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
})

test.describe('snapshots', () => {
  test('the changes of a restore are shown before it happens', async ({
    settings,
    sandbox,
    page,
  }) => {
    await sandbox.control('POST', 'webhooks', {
      user: 'alice',
      name: 'Elsewhere',
      url: 'https://example.com/hook',
      watched: [{ type: 'org', name: 'acme' }],
    })
    await sandbox.control('POST', 'snapshots', { name: 'before' })
    await sandbox.control('POST', 'users', { username: 'zoe' })
    await sandbox.control('DELETE', 'users/dave')
    await sandbox.control('PATCH', 'users/bob', { fullname: '<b>Robert</b>' })
    const redirectUris = ['http://localhost/callback']
    await sandbox.control('POST', 'apps', { name: 'a\u202Ebc', public: true, redirectUris })

    await settings.panel('Snapshots').getByRole('link', { name: 'before' }).click()
    await expect(page).toHaveURL(/\/snapshots\/before$/)
    const users = settings.panel('Users')
    await expect(users.getByRole('listitem')).toHaveText([
      /added\s*dave/,
      /removed\s*zoe/,
      /changed\s*bob\s*fullname/,
    ])
    // A character that reverses what follows is shown as text.
    await expect(settings.panel('Apps').getByRole('listitem')).toContainText('a\\u202ebc')
    await expect(settings.panel('External hosts').getByRole('listitem').first()).toHaveText(
      /example\.com\s*webhook\s*another machine/,
    )
    expect(await usernames(sandbox)).toContain('zoe')

    await page.getByRole('button', { name: 'Restore…' }).click()
    await page.getByRole('button', { name: 'Restore snapshot' }).click()
    await expect(page.getByText('No differences')).toBeVisible()
    expect(await usernames(sandbox)).not.toContain('zoe')
  })

  test('an unknown snapshot is reported', async ({ settings, page }) => {
    await settings.open('/snapshots/never')
    await expect(page.getByText('There is no snapshot never.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Restore…' })).toBeDisabled()
  })

  test('a snapshot is saved under its name; a taken name is refused', async ({
    settings,
    sandbox,
  }) => {
    const panel = settings.panel('Snapshots')
    const name = panel.getByRole('textbox', { name: 'Snapshot name' })
    const keep = panel.getByRole('button', { name: 'Save snapshot' })
    await name.fill('before')
    await keep.click()
    await expect(panel.getByRole('listitem')).toHaveText(/^before/)
    await expect(name).toHaveValue('')
    expect(await snapshotNames(sandbox)).toEqual(['before'])

    await sandbox.control('POST', 'users', { username: 'zoe' })
    await name.fill('before')
    await keep.click()
    await expect(panel.getByRole('alert')).toHaveText('A snapshot named before already exists.')
    await expect(name).toHaveValue('before')
    await expect(panel.getByRole('listitem')).toHaveCount(1)

    await name.fill('')
    await keep.click()
    await expect(panel.getByRole('listitem').filter({ hasText: 'snapshot-1' })).toBeVisible()
    await expect(panel.getByRole('alert')).toHaveCount(0)
    expect(await snapshotNames(sandbox)).toEqual(['before', 'snapshot-1'])
    // The refused one did not take the place of the first.
    await sandbox.restore('before')
    expect(await usernames(sandbox)).not.toContain('zoe')
  })

  test('a name that cannot be a file name is not sent', async ({ settings, sandbox }) => {
    const panel = settings.panel('Snapshots')
    const name = panel.getByRole('textbox', { name: 'Snapshot name' })
    for (const bad of ['../up', '.hidden', 'two words', 'x'.repeat(65)]) {
      await name.fill(bad)
      await panel.getByRole('button', { name: 'Save snapshot' }).click()
      expect(await name.evaluate((input: HTMLInputElement) => input.checkValidity())).toBe(false)
    }
    await name.fill(`x${'.-_Y9'.repeat(12)}`)
    await panel.getByRole('button', { name: 'Save snapshot' }).click()
    await expect(panel.getByRole('listitem')).toHaveCount(1)
    expect(await snapshotNames(sandbox)).toEqual([`x${'.-_Y9'.repeat(12)}`])
  })

  test('an open page, and a dialog about something deleted, show a restore', async ({
    settings,
    sandbox,
    context,
  }) => {
    await sandbox.snapshot('before')
    await sandbox.control('POST', 'users', { username: 'zoe' })
    await settings.page.reload()
    const people = new Dashboard(await context.newPage(), sandbox.url)
    await people.open('/people')
    await people.button('Edit zoe').click()
    const dialog = people.dialog('Edit zoe')
    await dialog.getByLabel('Full name').fill('Zoe Ferreira')

    await settings.button('Restore before').click()
    await settings
      .question('Restore before?')
      .getByRole('button', { name: 'Restore snapshot' })
      .click()
    await expect(settings.notice('Snapshot restored')).toBeVisible()
    expect(await usernames(sandbox)).not.toContain('zoe')

    await expect(people.table('Users').filter({ hasText: 'zoe' })).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toContainText('zoe')
    expect(await usernames(sandbox)).not.toContain('zoe')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(people.table('Users').filter({ hasText: 'alice' })).toBeVisible()
  })

  test('deleting a snapshot asks for confirmation and keeps the current state', async ({
    settings,
    sandbox,
  }) => {
    await sandbox.snapshot('first')
    await sandbox.snapshot('second')
    await sandbox.control('POST', 'users', { username: 'zoe' })
    await settings.page.reload()
    const panel = settings.panel('Snapshots')
    const question = settings.question('Delete first?')
    await panel.getByRole('button', { name: 'Delete first' }).click()
    await expect(question).toContainText('The current state stays')
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await snapshotNames(sandbox)).toEqual(['first', 'second'])

    await panel.getByRole('button', { name: 'Delete first' }).click()
    await question.getByRole('button', { name: 'Delete snapshot' }).click()
    await expect(panel.getByRole('listitem')).toHaveText(/^second/)
    expect(await snapshotNames(sandbox)).toEqual(['second'])
    expect(await usernames(sandbox)).toContain('zoe')
  })

  test('a fixtures file becomes a snapshot; an invalid one is reported', async ({
    settings,
    sandbox,
  }) => {
    const panel = settings.panel('Snapshots')
    const file = panel.getByLabel('Fixtures file to import')
    await file.setInputFiles(jsonFile('torn.json', '{"users": ['))
    await expect(settings.page.getByText('torn.json is not a fixtures file').first()).toBeVisible()
    await file.setInputFiles(jsonFile('odd.json', { users: [{ username: 'nina', shoe: 42 }] }))
    await expect(panel.getByRole('alert')).toContainText('shoe')
    expect(await snapshotNames(sandbox)).toEqual([])

    await panel.getByRole('textbox', { name: 'Snapshot name' }).fill('from-file')
    await file.setInputFiles(jsonFile('good.json', { users: [{ username: 'nina' }] }))
    await expect(panel.getByRole('listitem')).toHaveText(/^from-file/)
    expect(await usernames(sandbox)).toContain('alice')
    await sandbox.restore('from-file')
    expect(await usernames(sandbox)).toEqual(['nina'])
  })

  test('a snapshot is exported as a fixtures file', async ({ settings, sandbox, page }) => {
    await sandbox.control('POST', 'users', { username: 'zoe' })
    await sandbox.snapshot('with-zoe')
    await page.reload()
    const download = page.waitForEvent('download')
    await settings.panel('Snapshots').getByRole('link', { name: 'Export' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('with-zoe.json')
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk))
    const fixtures = JSON.parse(Buffer.concat(chunks).toString()) as {
      users: { username: string }[]
    }
    expect(fixtures.users.map(({ username }) => username)).toContain('zoe')
  })
})

test.describe('exports', () => {
  const notAll = /is not complete/

  /** Something that a fixtures file cannot hold. */
  const makeBranch = (sandbox: Sandbox) =>
    sandbox.control('POST', 'repos/dataset/acme/corpus/refs', {
      user: 'alice',
      kind: 'branch',
      name: 'dev',
    })

  /** Takes a link with the keyboard. */
  async function save(link: Locator): Promise<{ name: string; text: string; url: string }> {
    const download = link.page().waitForEvent('download')
    await link.press('Enter')
    const file = await download
    const text = await readFile(await file.path(), 'utf8')
    return { name: file.suggestedFilename(), text, url: file.url() }
  }

  for (const [label, name] of [
    ['Export as fixtures', 'hub-sandbox.json'],
    ['Export with log', 'run.hubsandbox'],
    ['Export', 'before.json'],
  ] as const) {
    test(`the omissions of ${name} are listed`, async ({ settings, sandbox, page }) => {
      await makeBranch(sandbox)
      await sandbox.snapshot('before')
      await page.reload()
      const link = page.getByRole('link', { name: label, exact: true })
      const address = await link.evaluate((anchor: HTMLAnchorElement) => anchor.href)
      // The browser does not keep for others what is read in pieces.
      const answers: string[] = []
      await page.route(address, async (route) => {
        const response = await route.fetch()
        answers.push(await response.text())
        await route.fulfill({ response })
      })
      const saved = await save(link)
      expect(saved.name).toBe(name)
      await expect(settings.notice(notAll)).toHaveText(
        `${name} is not completeLeft out of datasets/acme/corpus: the branches dev.`,
      )
      // The very answer that was told of, of that type: nothing asks for a second one.
      expect(saved.url).toMatch(/^blob:/)
      expect(answers).toEqual([saved.text])
      expect(saved.text).toContain('"the branches dev"')
    })
  }

  test('the notice appears once, is accessible, and can be dismissed', async ({
    settings,
    sandbox,
    page,
  }) => {
    await makeBranch(sandbox)
    const link = page.getByRole('link', { name: 'Export as fixtures' })
    await save(link)
    await save(link)
    const notice = settings.notice(notAll)
    await expect(notice).toHaveCount(1)
    expect(await brokenRules(page, 'all', '[role="dialog"]')).toEqual([])
    await page.setViewportSize({ width: 320, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await brokenRules(page, 'all', '[role="dialog"]')).toEqual([])
    // Its button is there for whoever is at it.
    await notice.hover()
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect(notice).toHaveCount(0)
  })

  test('no notice appears if nothing is left out', async ({ settings, page }) => {
    const { text } = await save(page.getByRole('link', { name: 'Export as fixtures' }))
    expect(text).toContain('"acme/corpus"')
    await settings.button('Reset to the fixtures').click()
    await settings
      .question('Reset everything?')
      .getByRole('button', { name: 'Reset', exact: true })
      .click()
    // What had been told before would stand beside it.
    await expect(settings.notice('Reset to the fixtures')).toBeVisible()
    await expect(settings.notice(notAll)).toHaveCount(0)
  })

  test('a slow export shows its progress and starts once', async ({ settings, page }) => {
    // An answer that comes in pieces until the test has seen enough.
    await page.addInitScript(() => {
      const fetch = window.fetch.bind(window)
      const seen = { asked: 0, end: () => {} }
      const slow = () => {
        seen.asked += 1
        const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
          start(controller) {
            const send = (text: string) => controller.enqueue(new TextEncoder().encode(text))
            send('{"users":[]')
            const pieces = setInterval(() => send(' '.repeat(1024)), 50)
            seen.end = () => {
              clearInterval(pieces)
              send('}')
              controller.close()
            }
          },
        })
        return new Response(body, {
          headers: { 'content-type': 'application/json', 'content-length': '104857600' },
        })
      }
      Object.assign(window, {
        seen,
        fetch: async (...[input, init]: Parameters<typeof fetch>) =>
          typeof input === 'string' && input.endsWith('/api/export') ? slow() : fetch(input, init),
      })
    })
    await page.reload()
    const link = page.getByRole('link', { name: 'Export as fixtures' })
    await link.click()
    const notice = settings.notice('Exporting hub-sandbox.json…')
    await expect(notice).toHaveText(/[1-9]\d*\.\d KiB of 100\.0 MiB$/)
    await link.click()
    const download = page.waitForEvent('download')
    const asked = await page.evaluate(() => {
      const { seen } = window as unknown as { seen: { asked: number; end(): void } }
      seen.end()
      return seen.asked
    })
    expect(asked).toBe(1)
    expect(JSON.parse(await readFile(await (await download).path(), 'utf8'))).toEqual({ users: [] })
    await expect(notice).toHaveCount(0)
  })

  test('a failed export saves nothing and reports it', async ({ settings: { page } }) => {
    const saved: string[] = []
    page.on('download', (download) => saved.push(download.suggestedFilename()))
    await page.route('**/api/export', (route) => route.fulfill({ status: 500 }))
    await page.getByRole('link', { name: 'Export as fixtures' }).click()
    await expect(page.getByRole('alert')).toHaveText(
      'Could not export the stateThe sandbox responded with 500',
    )
    expect(saved).toEqual([])
  })
})

test('a reset asks for confirmation and keeps the snapshots', async ({ settings, sandbox }) => {
  await sandbox.snapshot('kept')
  await sandbox.control('POST', 'users', { username: 'zoe' })
  await sandbox.control('PATCH', 'users/bob', { fullname: 'Robert' })
  await sandbox.control('POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
  const question = settings.question('Reset everything?')
  await settings.button('Reset to the fixtures').click()
  await expect(question).toContainText('Snapshots and the signing key stay.')
  await expect(question.locator('dl')).toHaveText(
    /^Deleted1 user: zoe1 commitChanged back1 user: bob1 repo: datasets\/acme\/corpus$/,
  )
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect(await usernames(sandbox)).toContain('zoe')

  await settings.button('Reset to the fixtures').click()
  await question.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(settings.notice('Reset to the fixtures')).toBeVisible()
  expect(await usernames(sandbox)).not.toContain('zoe')
  expect(await snapshotNames(sandbox)).toEqual(['kept'])
})

test.describe('signing keys', () => {
  async function sign(sandbox: Sandbox): Promise<string> {
    const app = sandbox.fixtures.apps.find(({ clientSecret }) => clientSecret === undefined)
    const answer = await sandbox.signIn({
      user: 'alice',
      clientId: app?.clientId ?? '',
      scope: 'openid',
    })
    return (answer as { id_token?: string }).id_token ?? ''
  }

  /** Whether a client that reads the published keys now takes the token. */
  async function isAccepted(sandbox: Sandbox, token: string): Promise<boolean> {
    const discovery = await fetch(`${sandbox.url}/.well-known/openid-configuration`)
    const { jwks_uri: uri } = (await discovery.json()) as { jwks_uri: string }
    return jwtVerify(token, createRemoteJWKSet(new URL(uri))).then(
      () => true,
      () => false,
    )
  }

  test('a rotation keeps the old key published; dropping the old key ends its tokens', async ({
    settings,
    sandbox,
  }) => {
    const panel = settings.panel('Signing keys')
    const states = panel.getByRole('listitem')
    await expect(states).toHaveText([/^current/])
    const old = await sign(sandbox)
    expect(await isAccepted(sandbox, old)).toBe(true)

    await panel.getByRole('button', { name: 'Rotate', exact: true }).click()
    await expect(states).toHaveCount(2)
    await expect(states.filter({ hasText: 'current' })).toHaveCount(1)
    await expect(states.filter({ hasText: 'retired' })).toHaveCount(1)
    const young = await sign(sandbox)
    expect(await isAccepted(sandbox, old)).toBe(true)
    expect(await isAccepted(sandbox, young)).toBe(true)

    await panel.getByRole('button', { name: 'Rotate and revoke old keys' }).click()
    await settings
      .question('Rotate and revoke the old keys?')
      .getByRole('button', { name: 'Rotate and revoke old keys' })
      .click()
    await expect(states).toHaveText([/^current/])
    expect(await isAccepted(sandbox, old)).toBe(false)
    expect(await isAccepted(sandbox, young)).toBe(false)
    expect(await isAccepted(sandbox, await sign(sandbox))).toBe(true)
  })

  test('the copied key is the published one', async ({ settings, sandbox, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await settings.button('Copy JWK').click()
    await expect(settings.notice('JWK copied')).toBeVisible()
    const copied = await settings.page.evaluate(() => navigator.clipboard.readText())
    const { items } = await sandbox.control<{ items: { jwk: object }[] }>('GET', 'keys')
    expect(JSON.parse(copied)).toEqual(items[0]?.jwk)
    expect(copied).not.toMatch(/"[dpq]":/)
  })
})

test('single-key shortcuts are off and on again for this browser', async ({ settings, page }) => {
  await settings.page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await settings.open('/')
  const heading = settings.heading('Home')
  await expect(heading).toBeVisible()
  await page.keyboard.press('t')
  await page.keyboard.press('?')
  // The palette opens after the keys were handled.
  await page.keyboard.press('Control+k')
  await expect(settings.dialog()).toHaveCount(1)
  await expect(page.getByRole('combobox')).toBeVisible()
  await page.keyboard.press('Escape')
  await settings.open('/settings')
  await settings.page.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await page.locator('main').focus()
  await page.keyboard.press('?')
  await expect(settings.dialog('Keyboard shortcuts')).toBeVisible()
})

test('the clock shows what expires and what becomes due before it moves', async ({
  settings,
  sandbox,
}) => {
  await sandbox.control('POST', 'tokens', { user: 'alice', expiresIn: 3600 })
  const effects = settings.page.getByRole('status', { name: 'What advancing the clock expires' })
  await expect(effects).toContainText('Point at a step')
  await settings.button('+10m').hover()
  await expect(effects).toHaveText('Nothing expires or becomes due within 10m.')
  await settings.button('+8h').hover()
  await expect(effects).toHaveText(/^Within 8h:1 access token expires: alice at /)
  await settings.button('+1m').focus()
  await settings.page.mouse.move(0, 0)
  await settings.page.getByRole('textbox', { name: 'Advance by' }).fill('1h30m')
  await expect(effects).toHaveText(/^Within 1h30m:1 access token expires: alice at /)
  await settings.page.getByRole('textbox', { name: 'Advance by' }).fill('1h30')
  await expect(effects).toContainText('Point at a step')
  expect((await sandbox.clock.read()).offsetMs).toBeLessThan(60_000)
})

test('the clock in the navigation keeps its steps under the pointer', async ({
  settings,
  sandbox,
}) => {
  for (const user of ['alice', 'bob', 'carol', 'dave']) {
    await sandbox.control('POST', 'tokens', { user, expiresIn: 3600 })
  }
  await settings.page.setViewportSize({ width: 1280, height: 800 })
  await settings.page.emulateMedia({ reducedMotion: 'reduce' })
  await settings.open('/repos')
  await settings.page.getByRole('button', { name: /^Sandbox clock/ }).click()
  const clock = settings.page.getByRole('dialog', { name: 'Sandbox clock' })
  const step = clock.getByRole('button', { name: '+8h' })
  await expect(clock).toContainText('Nothing expires')
  const before = await step.boundingBox()
  await step.hover()
  await expect(clock).toContainText('4 access tokens expire')
  expect(await step.boundingBox()).toEqual(before)
  expect(await brokenRules(settings.page)).toEqual([])
})
