import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { packSecondStart } from '../../electron/second-start.ts'
import { dashboardPlaces } from '../../server/contract/dashboard-pages.ts'
import { startSandbox } from './package.ts'
import { desktopTimeoutMs, expect, test } from './desktop-fixtures.ts'

test.describe.configure({ timeout: desktopTimeoutMs })

const rootOf = (address: string) => new URL(address).origin

async function whoami(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${url}/api/whoami-v2`, { headers })).status
}

/** Calls the control API as a program does. */
async function control(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ id?: string; deliveries?: { id: string }[] }> {
  const answer = await fetch(`${url}/_sandbox/api/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(answer.ok).toBe(true)
  return (await answer.json()) as { id?: string }
}

/** Writes a fixtures file with this user. */
function writeFixtures(folder: string, name: string, username: string, more: object = {}): string {
  const path = join(folder, name)
  const users = [{ username, tokens: [{ token: `hf_sandbox_${username}`, role: 'write' }] }]
  writeFileSync(path, JSON.stringify({ users, ...more }))
  return path
}

test('the window shows the dashboard, and quitting saves changes', async ({ start }) => {
  const first = start()
  const page = await first.page()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/_sandbox/')
  expect(first.app.windows[0]).toMatchObject({
    isShown: true,
    options: {
      webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
    },
  })
  const { access_token: token } = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ user: 'alice' })
    const answer = await fetch('/_sandbox/api/tokens', { method: 'POST', headers, body })
    return (await answer.json()) as { access_token: string }
  })

  first.app.quit()
  expect(await first.app.exited).toBe(0)
  await expect(fetch(rootOf(page.url()))).rejects.toThrow()

  const second = start()
  expect(await whoami(rootOf((await second.page()).url()), token)).toBe(200)
})

test('signing in to an app leaves the window for the browser', async ({ start }) => {
  const desktop = start()
  const page = await desktop.page()
  const sandboxUrl = rootOf(page.url())
  const apps = await page.evaluate(async () => {
    const answer = await fetch('/_sandbox/api/fixtures')
    const fixtures = (await answer.json()) as {
      apps: { clientId: string; clientSecret?: string; redirectUris: string[] }[]
    }
    return fixtures.apps
  })
  const app = apps.find(({ clientSecret }) => clientSecret !== undefined)
  const query = new URLSearchParams({
    client_id: app?.clientId ?? '',
    response_type: 'code',
    scope: 'openid',
    state: 'abc',
    redirect_uri: 'http://localhost:9/callback',
  })
  await page.evaluate((address) => location.assign(address), `/oauth/authorize?${query}`)
  await page.getByRole('button', { name: /alice@/ }).click()
  await page.getByRole('button', { name: 'Allow' }).click()

  await expect.poll(() => desktop.openedOutside).toHaveLength(1)
  const callback = new URL(desktop.openedOutside[0] ?? '')
  expect(callback.origin + callback.pathname).toBe('http://localhost:9/callback')
  expect(callback.searchParams.get('code')).toBeTruthy()
  expect(rootOf(page.url())).toBe(sandboxUrl)
})

test('links, new windows and frames do not leave the sandbox', async ({ start }) => {
  const desktop = start()
  const page = await desktop.page()
  const before = page.url()
  await page.evaluate(() => location.assign('http://127.0.0.1:9/elsewhere'))
  await expect.poll(() => desktop.openedOutside).toEqual(['http://127.0.0.1:9/elsewhere'])

  await page.evaluate(() => void window.open('http://127.0.0.1:9/popup'))
  await expect.poll(() => desktop.openedOutside).toContain('http://127.0.0.1:9/popup')
  await page.evaluate(() => void window.open('my-app://callback?code=1'))
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.src = 'http://127.0.0.1:9/frame'
    document.body.append(frame)
  })
  await expect(page.locator('iframe')).toBeAttached()
  expect(desktop.openedOutside).toHaveLength(2)
  expect(page.url()).toBe(before)
  expect(desktop.app.windows).toHaveLength(1)
})

test('pages may write to the clipboard and nothing else', async ({ start }) => {
  const page = await start().page()
  const states = await page.evaluate(async () => {
    const names = ['clipboard-write', 'clipboard-read', 'geolocation', 'notifications']
    const query = (name: string) => navigator.permissions.query({ name: name as PermissionName })
    const found = await Promise.all(names.map(query))
    return Object.fromEntries(found.map(({ state }, index) => [names[index], state]))
  })
  expect(states['clipboard-write']).toBe('granted')
  for (const name of ['clipboard-read', 'geolocation', 'notifications']) {
    expect(states[name], name).not.toBe('granted')
  }
})

test('the page uses features of the operating system', async ({ start, folder, data }) => {
  const desktop = start()
  const page = await desktop.page()
  desktop.answers.push(0, 0)
  desktop.chosenFiles.push(writeFixtures(folder, 'chosen.hubsandbox', 'erin'))
  await page.evaluate('hubSandboxDesktop.showDataFolder()')
  expect(desktop.openedPaths).toEqual([data])

  await page.evaluate('hubSandboxDesktop.openFixtures()')
  await expect.poll(() => desktop.app.windows.length).toBe(2)

  const dropped = writeFixtures(folder, 'dropped.hubsandbox', 'frank')
  const drop = await page.evaluateHandle((path) => {
    Object.assign(window, { standInPaths: { 'dropped.hubsandbox': path } })
    const transfer = new DataTransfer()
    transfer.items.add(new File([''], 'dropped.hubsandbox'))
    transfer.items.add(new File([''], 'made-up.hubsandbox'))
    return transfer
  }, dropped)
  await page.dispatchEvent('body', 'drop', { dataTransfer: drop })
  await expect.poll(() => desktop.app.windows.length).toBe(3)
  expect(desktop.dialogs.map(({ message }) => message)).toEqual([
    'Open chosen.hubsandbox?',
    'Open dropped.hubsandbox?',
  ])
})

test('the menu copies and opens the URL of the front window', async ({ start }) => {
  const desktop = start()
  const url = rootOf((await desktop.page()).url())
  desktop.chooseMenu('&Sandbox', 'Copy URL')
  desktop.chooseMenu('&Sandbox', 'Open in Browser')
  await expect.poll(() => desktop.openedOutside).toEqual([`${url}/_sandbox/`])
  expect(desktop.clipboard).toEqual([url])
})

test('a fixtures file gets its own sandbox, which ends with its window', async ({
  start,
  folder,
}) => {
  const file = writeFixtures(folder, 'team.hubsandbox', 'mallory')
  const desktop = start({ args: ['--port', '0', file], answers: [0] })
  const url = rootOf((await desktop.page()).url())
  expect(desktop.app.windows).toHaveLength(1)
  await expect.poll(() => desktop.app.windows[0]?.title).toMatch(/ · team\.hubsandbox$/)
  expect(await whoami(url, 'hf_sandbox_mallory')).toBe(200)
  expect(await whoami(url, 'hf_sandbox_alice')).toBe(401)

  // Started again without a file: the first instance shows the user's own sandbox.
  const argv = ['electron', 'main.js', '--data', join(folder, 'own'), '--port', '0']
  desktop.app.emit('second-instance', {}, argv, folder, packSecondStart({ argv, cwd: folder }))
  await expect.poll(() => desktop.app.windows.length).toBe(2)
  const own = await desktop.page()
  expect(await whoami(rootOf(own.url()), 'hf_sandbox_alice')).toBe(200)
  expect(await whoami(rootOf(own.url()), 'hf_sandbox_mallory')).toBe(401)

  // The same file once more: its window comes to the front.
  desktop.app.emit('second-instance', {}, ['electron', 'team.hubsandbox'], folder)
  await expect.poll(() => desktop.app.windows.at(-1)?.title).toMatch(/team/)
  expect(desktop.app.windows).toHaveLength(2)

  desktop.app.windows.at(-1)?.close()
  await expect(async () => {
    await expect(fetch(url)).rejects.toThrow()
  }).toPass()
  expect(await whoami(rootOf(own.url()), 'hf_sandbox_alice')).toBe(200)
})

test('a file from Finder opens whether the app runs or not', async ({ start, folder }) => {
  const desktop = start({ answers: [0, 0] })
  const event = { preventDefault: () => undefined }
  desktop.app.emit('open-file', event, writeFixtures(folder, 'early.hubsandbox', 'erin'))
  await expect.poll(() => desktop.app.windows.length).toBe(1)
  await expect.poll(() => desktop.app.windows[0]?.title).toMatch(/early/)
  desktop.app.emit('open-file', event, writeFixtures(folder, 'late.hubsandbox', 'frank'))
  await expect.poll(() => desktop.app.windows.length).toBe(2)
})

test('a file is previewed and compared before it is loaded', async ({ start, folder }) => {
  const desktop = start()
  await desktop.page()
  const file = writeFixtures(folder, 'stranger.hubsandbox', 'mallory', {
    webhooks: [
      {
        owner: 'mallory',
        url: 'https://evil.example/hook',
        watched: [{ type: 'user', name: 'mallory' }],
      },
    ],
  })
  desktop.answers.push(1)
  desktop.app.emit('second-instance', {}, ['electron', file], folder)
  await expect.poll(() => desktop.dialogs).toHaveLength(1)
  const { message, detail = '' } = desktop.dialogs[0] ?? {}
  expect(message).toBe('Open stranger.hubsandbox?')
  expect(detail).toContain('1 user: mallory')
  expect(detail).toContain('Webhooks to other machines (blocked): evil.example')
  expect(detail).toMatch(/users: 1 added, mallory; 4 removed, alice, bob, carol, dave/)
  expect(desktop.app.windows).toHaveLength(1)
})

test('an unusable file is reported with its mistakes', async ({ start, folder }) => {
  const file = writeFixtures(folder, 'wide.hubsandbox', 'mallory', { config: { host: '0.0.0.0' } })
  const desktop = start({ args: ['--port', '0', file], answers: [0] })
  expect(await desktop.app.exited).toBe(0)
  expect(desktop.dialogs).toMatchObject([
    {
      message: 'wide.hubsandbox cannot be used',
      detail: expect.stringContaining('config.host'),
      buttons: ['Close'],
    },
  ])
})

test('a running sandbox is shown and left running', async ({ start, data }) => {
  const running = await startSandbox({ data })
  const desktop = start({ answers: [0] })
  expect(rootOf((await desktop.page()).url())).toBe(running.url)
  expect(desktop.dialogs).toMatchObject([{ message: 'The sandbox is already running' }])

  desktop.app.quit()
  expect(await desktop.app.exited).toBe(0)
  expect(await whoami(running.url, 'hf_sandbox_alice')).toBe(200)
  await running.close()
})

test('a taken port leads to the offer of a free one', async ({ start }) => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo

  const declined = start({ args: ['--port', `${port}`], answers: [1] })
  expect(await declined.app.exited).toBe(0)
  expect(declined.dialogs).toMatchObject([{ detail: expect.stringContaining(`Port ${port}`) }])

  const accepted = start({ args: ['--port', `${port}`], answers: [0] })
  const url = new URL((await accepted.page()).url())
  expect(Number(url.port)).not.toBe(port)
  other.close()
})

test('a port taken by another sandbox leads to the offer to open that one', async ({ start }) => {
  const running = await startSandbox()
  const { port } = new URL(running.url)
  // The first response takes longest, and the app waits three seconds to learn who has the port.
  expect(await whoami(running.url, 'hf_sandbox_alice')).toBe(200)
  const desktop = start({ args: ['--port', port], answers: [0] })
  expect(rootOf((await desktop.page()).url())).toBe(running.url)
  expect(desktop.dialogs).toMatchObject([
    { buttons: ['Open That One', 'Use a Free Port', 'Close'] },
  ])
  desktop.app.quit()
  expect(await desktop.app.exited).toBe(0)
  expect(await whoami(running.url, 'hf_sandbox_alice')).toBe(200)
  await running.close()
})

test('a second instance hands over to the first', async ({ start }) => {
  const desktop = start({ hasLock: false })
  expect(await desktop.app.exited).toBe(0)
  expect(desktop.app.windows).toHaveLength(0)
})

test('the window opens at its last position', async ({ start }) => {
  const first = start()
  await first.page()
  const [window] = first.app.windows
  if (window) window.bounds = { x: 33, y: 44, width: 900, height: 650 }
  first.app.quit()
  await first.app.exited

  const second = start()
  await second.page()
  expect(second.app.windows[0]?.bounds).toEqual({ x: 33, y: 44, width: 900, height: 650 })
})

test('closing the last window leaves the sandbox running, with a single notice', async ({
  start,
}) => {
  const desktop = start()
  const url = rootOf((await desktop.page()).url())
  desktop.answers.push(0)
  desktop.app.windows[0]?.close()
  await expect
    .poll(() => desktop.dialogs)
    .toMatchObject([
      { message: 'The sandbox is still running', detail: expect.stringContaining(url) },
    ])
  expect(await whoami(url, 'hf_sandbox_alice')).toBe(200)

  for (const reopen of [
    () => desktop.tray.choose('My Sandbox'),
    () => desktop.tray.emit('click'),
  ]) {
    reopen()
    expect(rootOf((await desktop.page()).url())).toBe(url)
    desktop.app.windows[0]?.close()
    await expect.poll(() => desktop.app.windows).toHaveLength(0)
  }
  expect(await whoami(url, 'hf_sandbox_alice')).toBe(200)
  expect(desktop.dialogs).toHaveLength(1)
  desktop.tray.choose('Quit')
  expect(await desktop.app.exited).toBe(0)
})

test('closing the last window quits the app if its user prefers that', async ({ start }) => {
  const asked = start({ answers: [1] })
  await asked.page()
  asked.app.windows[0]?.close()
  expect(await asked.app.exited).toBe(0)

  // It is a setting from then on.
  const second = start()
  await second.page()
  expect(second.tray.isTicked('Keep Running in the Tray')).toBe(false)
  second.app.windows[0]?.close()
  expect(await second.app.exited).toBe(0)
  expect(second.dialogs).toEqual([])
})

test('damaged settings are reported, and defaults apply', async ({ start, folder }) => {
  mkdirSync(join(folder, 'hub-sandbox-desktop'))
  writeFileSync(join(folder, 'hub-sandbox-desktop/settings.json'), '{"keepRunning":')
  const desktop = start()
  await desktop.page()
  expect(desktop.dialogs).toMatchObject([{ message: 'Cannot read the settings of the app' }])
  expect(desktop.tray.isTicked('Keep Running in the Tray')).toBe(true)
})

test('the tray shows the state of the sandbox, and pauses, stops and starts it', async ({
  start,
}) => {
  const desktop = start()
  const page = await desktop.page()
  const url = rootOf(page.url())
  const { host } = new URL(url)
  await expect.poll(() => desktop.tray.labels[1]).toBe('[All clear]')
  expect(desktop.tray.labels[0]).toBe(`[Running at ${host}]`)

  desktop.tray.choose('Copy Client Settings', 'For Shell')
  await expect
    .poll(() => desktop.clipboard)
    .toEqual([expect.stringContaining(`export HF_ENDPOINT='${url}'`)])

  const { id } = await control(url, 'POST', 'webhooks', {
    user: 'alice',
    url: 'http://127.0.0.1:9/hook',
    watched: [{ type: 'org', name: 'acme' }],
  })
  desktop.tray.choose('Pause Deliveries')
  await expect.poll(() => desktop.tray.isTicked('Pause Deliveries')).toBe(true)
  expect(await control(url, 'GET', `webhooks/${id}`)).toMatchObject({ held: true })

  await control(url, 'POST', 'events', { event: 'repo.content', repo: 'acme/corpus' })
  const again = 'Trigger repo.content in acme/corpus Again'
  await expect.poll(() => desktop.tray.labels).toContain(again)
  desktop.tray.choose(again)
  await expect.poll(() => desktop.tray.toolTip).toContain('deliveries paused, 2 pending deliveries')

  desktop.tray.choose('Stop Sandbox')
  await expect.poll(() => desktop.tray.labels[0]).toBe('[The sandbox is stopped]')
  await expect(async () => {
    await expect(fetch(url)).rejects.toThrow()
  }).toPass()
  await expect(page.getByRole('alert').or(page.getByRole('status')).first()).toBeVisible()

  desktop.tray.choose('Start Sandbox')
  await expect.poll(() => desktop.tray.labels[0]).toBe(`[Running at ${host}]`)
  expect(await whoami(url, 'hf_sandbox_alice')).toBe(200)
  // The window that was open all the time is that of the sandbox again.
  await page.reload()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  desktop.tray.choose('Pause Deliveries')
  await expect.poll(() => desktop.tray.isTicked('Pause Deliveries')).toBe(false)
})

test('failures are notified, and a click opens them', async ({ start }) => {
  const desktop = start()
  const page = await desktop.page()
  const url = rootOf(page.url())
  await expect.poll(() => desktop.tray.labels[1]).toBe('[All clear]')
  await control(url, 'POST', 'webhooks', {
    user: 'alice',
    url: 'http://127.0.0.1:9/hook',
    watched: [{ type: 'org', name: 'acme' }],
  })
  const { deliveries } = await control(url, 'POST', 'events', {
    event: 'repo.content',
    repo: 'acme/corpus',
  })
  await control(url, 'POST', 'clock', { untilIdle: true })
  await expect
    .poll(() => desktop.notifications.map(({ title }) => title))
    .toContain('A delivery failed')
  desktop.notifications.find(({ title }) => title === 'A delivery failed')?.emit('click')
  await expect(page).toHaveURL(`${url}/_sandbox/deliveries/${deliveries?.[0]?.id}`)

  desktop.tray.choose('Notifications', 'Pending Devices')
  await expect.poll(() => desktop.tray.isTicked('Notifications', 'Pending Devices')).toBe(false)
  const askForCode = () =>
    fetch(`${url}/oauth/device`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: '26be6b09-91c5-47da-9861-d2d2bb7a7e36' }),
    })
  await askForCode()
  await expect.poll(() => desktop.tray.toolTip).toContain('1 pending device')
  expect(desktop.notifications.map(({ title }) => title)).not.toContain(
    'A device is waiting for approval',
  )
  desktop.tray.choose('Notifications', 'Pending Devices')
  await askForCode()
  await expect
    .poll(() => desktop.notifications.at(-1))
    .toMatchObject({
      title: 'A device is waiting for approval',
      body: expect.stringMatching(/^Code: [A-Z0-9]{4}-[A-Z0-9]{4}$/),
    })
})

test('the app says that it does not update itself', async ({ start }) => {
  const desktop = start()
  await desktop.page()
  desktop.answers.push(0)
  desktop.chooseMenu('help', 'Updates…')
  await expect.poll(() => desktop.openedOutside).toEqual([expect.stringMatching(/\/releases$/)])
  expect(desktop.dialogs).toMatchObject([
    { detail: expect.stringContaining('Automatic updates are off') },
  ])
})

test('the menu opens every place without reloading the dashboard', async ({ start }) => {
  const desktop = start()
  const page = await desktop.page()
  await page.evaluate(() => Object.assign(window, { isTheSame: true }))
  for (const { pages, label } of dashboardPlaces.toReversed()) {
    const [{ path }] = pages
    desktop.chooseMenu('&Go', label)
    await expect(page).toHaveURL(`${rootOf(page.url())}/_sandbox${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(await page.evaluate('isTheSame')).toBe(true)
})

test('a link starts the app at its page, and opens it again from any page', async ({
  start,
  data,
}) => {
  // What stands after a link is not heeded: another data folder or port may be a web page's wish.
  const link = 'hub-sandbox://deliveries/one'
  const desktop = start({ args: ['--port', '0', link, '--port', '1', '--ephemeral'] })
  expect(desktop.dialogs).toEqual([])
  const page = await desktop.page()
  expect(desktop.requested).toEqual([{ port: 0, data }])
  await expect(page).toHaveURL(/\/_sandbox\/deliveries\/one$/)

  await page.evaluate(() => location.assign('/login'))
  await expect(page).toHaveURL(/\/login$/)
  desktop.app.emit('open-url', { preventDefault: () => undefined }, 'hub-sandbox://tokens')
  await expect(page).toHaveURL(/\/_sandbox\/tokens$/)
  expect(desktop.app.windows).toHaveLength(1)

  desktop.answers.push(0)
  desktop.app.windows[0]?.close()
  await expect.poll(() => desktop.app.windows).toHaveLength(0)
  desktop.app.emit('open-url', { preventDefault: () => undefined }, 'hub-sandbox://webhooks')
  await expect(await desktop.page()).toHaveURL(/\/_sandbox\/webhooks$/)
})

test('a link to anything but a page is reported once at a time and ignored', async ({ start }) => {
  const desktop = start()
  const page = await desktop.page()
  const before = page.url()
  const link = 'hub-sandbox://settings/reset?now=1'
  const words = ['electron', 'main.js', link]
  for (const _ of [1, 2, 3]) {
    desktop.app.emit('second-instance', {}, words, '/', packSecondStart({ argv: words, cwd: '/' }))
  }
  await expect.poll(() => desktop.dialogs).toHaveLength(1)
  expect(desktop.dialogs).toMatchObject([
    { message: 'The link cannot be opened', detail: expect.stringContaining(link) },
  ])
  expect(page.url()).toBe(before)
})

test('a second start offers its options, which are used on request', async ({ start, folder }) => {
  const desktop = start()
  const first = await desktop.page()
  const url = rootOf(first.url())
  const words = ['electron', 'main.js', '--ephemeral', '--port', '0']
  const startAgain = () =>
    desktop.app.emit('second-instance', {}, [], '/', packSecondStart({ argv: words, cwd: folder }))

  desktop.answers.push(1)
  startAgain()
  await expect.poll(() => desktop.dialogs).toHaveLength(1)
  expect(desktop.dialogs[0]).toMatchObject({
    message: 'The sandbox is already running with other options',
    detail: expect.stringMatching(/--ephemeral\. It runs at http:/),
  })
  expect(await whoami(url, 'hf_sandbox_alice')).toBe(200)

  desktop.answers.push(0)
  startAgain()
  await expect.poll(() => desktop.app.windows[0]?.webContents.getURL()).not.toContain(url)
  const second = await desktop.page()
  expect(await whoami(rootOf(second.url()), 'hf_sandbox_alice')).toBe(200)
  await expect(fetch(url)).rejects.toThrow()
  expect(desktop.app.windows).toHaveLength(1)
})

test('a crashed window is reloaded or closed', async ({ start }) => {
  const desktop = start()
  const page = await desktop.page()
  const reloaded = page.waitForEvent('load')
  const [shown] = desktop.app.windows
  desktop.answers.push(0)
  shown?.webContents.emit('render-process-gone', {}, { reason: 'oom', exitCode: 5 })
  await expect
    .poll(() => desktop.dialogs)
    .toMatchObject([
      {
        message: 'The window stopped working',
        detail: expect.stringMatching(
          /ran out of memory.*The sandbox keeps running\.[^]*exit code 5/,
        ),
        buttons: ['Reload', 'Show Log', 'Close Window'],
      },
    ])
  await reloaded
  await expect(page.getByRole('navigation').first()).toBeVisible()

  // Once for the crash, once for the sandbox that runs on.
  desktop.answers.push(2, 0)
  shown?.webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 })
  await expect.poll(() => desktop.app.windows).toEqual([])
})

test('a hanging window is kept or reloaded', async ({ start }) => {
  const desktop = start()
  const page = await desktop.page()
  const [shown] = desktop.app.windows
  shown?.emit('unresponsive')
  shown?.emit('unresponsive')
  await expect
    .poll(() => desktop.dialogs)
    .toMatchObject([
      { message: 'The window is not responding', buttons: ['Reload', 'Show Log', 'Wait'] },
    ])
  // It answers again, so there is nothing to ask.
  shown?.emit('responsive')
  const reloaded = page.waitForEvent('load')

  desktop.answers.push(0)
  shown?.emit('unresponsive')
  await reloaded
  // That its page was ended is what was asked for.
  expect(desktop.dialogs).toHaveLength(2)
})

test('an uncaught error is shown with the log, and the app restarts', async ({ start, folder }) => {
  const desktop = start()
  const url = rootOf((await desktop.page()).url())
  desktop.faults.emit('warning', new Error('the retry of delivery 42 failed'))
  desktop.answers.push(1, 0)
  desktop.faults.emit('uncaughtException', new Error('nobody expected this'))
  desktop.faults.emit('unhandledRejection', 'nor that')
  expect(await desktop.app.exited).toBe(0)
  expect(desktop.app.isRelaunched).toBe(true)
  await expect(fetch(url)).rejects.toThrow()

  expect(desktop.dialogs).toHaveLength(2)
  expect(desktop.dialogs[0]).toMatchObject({
    message: 'The sandbox stopped working',
    detail: expect.stringMatching(/^nobody expected this\n[^]*the retry of delivery 42 failed/),
  })
  const log = join(folder, 'hub-sandbox-desktop/app.log')
  expect(desktop.openedPaths).toEqual([log])
  expect(readFileSync(log, 'utf8')).toMatch(/42 failed[^]*nobody expected this[^]*nor that/)
  expect(desktop.reported.splice(0)).toHaveLength(2)
})
