import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { _electron as electron, type ElectronApplication } from '@playwright/test'
import { hasElectron } from '../../server/tools/launch/electron.mjs'
import { desktopTimeoutMs, expect, test as base } from './desktop-fixtures.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { env, platform } = process

/** Why this machine cannot run Electron; undefined when it can. */
function obstacle(): string | undefined {
  if (!hasElectron(root)) {
    return "Electron's program is not installed: npx install-electron fetches it, or ELECTRON_OVERRIDE_DIST_PATH names a folder that has it"
  }
  const hasScreen = platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']
  return hasScreen ? undefined : 'Electron needs a screen: run the tests under xvfb-run'
}

function programPath(): string {
  const folder = join(root, 'node_modules/electron')
  const own = env['ELECTRON_OVERRIDE_DIST_PATH']
  if (own) return join(own, platform === 'win32' ? 'electron.exe' : 'electron')
  return join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8'))
}

interface Home {
  folder: string
  data: string
}

/** A start of the built app, with nothing of the user's own. */
function startOf({ folder, data }: Home, args: readonly string[]) {
  const isRoot = process.getuid?.() === 0
  return {
    cwd: root,
    // Chromium refuses to run as root within its own sandbox.
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      'dist/electron/main.js',
      '--data',
      data,
      ...(args.includes('--port') ? [] : ['--port', '0']),
      ...args,
    ],
    env: { ...env, XDG_CONFIG_HOME: folder, APPDATA: folder, HOME: folder },
  }
}

interface Fixtures {
  /** Starts the app, which is quit after the test; without Electron, the test is skipped. */
  launch: (...args: string[]) => Promise<ElectronApplication>
}

const test = base.extend<Fixtures>({
  launch: async ({ folder, data }, provide, info) => {
    const reason = obstacle()
    info.skip(reason !== undefined, reason)
    const apps: ElectronApplication[] = []
    await provide(async (...args) => {
      const options = startOf({ folder, data }, args)
      const app = await electron.launch({
        timeout: 0,
        executablePath: programPath(),
        ...options,
      })
      apps.push(app)
      return app
    })
    await Promise.all(apps.map((app) => app.close()))
  },
})
test.describe.configure({ timeout: desktopTimeoutMs })

/** Starts the app once more, as the system does for a link; it ends when the first one has taken over. */
async function startAgain(home: Home, ...args: string[]): Promise<void> {
  const { args: words, ...options } = startOf(home, args)
  await promisify(execFile)(programPath(), words, options)
}

/** Closes the window. The app keeps running; its notice of that is dismissed. */
async function closeWindow(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ BrowserWindow, dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
    for (const window of BrowserWindow.getAllWindows()) window.close()
  })
  await expect.poll(() => app.windows().length).toBe(0)
}

test('the page has the bridge and no other access', async ({ launch }) => {
  const app = await launch()
  const page = await app.firstWindow({ timeout: 0 })
  await expect(page.getByRole('navigation').first()).toBeVisible()

  expect(await page.evaluate('Object.keys(hubSandboxDesktop).toSorted()')).toEqual([
    'onGoTo',
    'openFixtures',
    'showDataFolder',
  ])
  const reachable = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'contextBridge', 'webUtils'].filter(
      (name) => name in globalThis,
    ),
  )
  expect(reachable).toEqual([])
  // A page that puts something in the bridge's place would be asked in its stead.
  const kind = await page.evaluate(() => {
    Reflect.set(globalThis, 'hubSandboxDesktop', { openFixtures: 'mine' })
    return typeof Reflect.get(globalThis, 'hubSandboxDesktop').openFixtures
  })
  expect(kind).toBe('function')
  const inFrame = await page.evaluate(() => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    return typeof Reflect.get(frame.contentWindow ?? {}, 'hubSandboxDesktop')
  })
  expect(inFrame).toBe('undefined')

  await app.evaluate(({ Menu }) => {
    const items = Menu.getApplicationMenu()?.items ?? []
    const pages = items.find(({ label }) => label === '&Go')?.submenu?.items ?? []
    // One letter of each label is marked as its key.
    pages.find(({ label }) => label.replace('&', '') === 'Webhooks')?.click()
  })
  await expect(page).toHaveURL(/\/_sandbox\/deliveries$/)
})

test('the app opens the dashboard, keeps navigation inside and quits', async ({ launch }) => {
  const app = await launch()
  const page = await app.firstWindow({ timeout: 0 })
  await expect(page.getByRole('navigation').first()).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/_sandbox/')
  expect(await page.evaluate('typeof require')).toBe('undefined')
  expect(await page.evaluate('typeof hubSandboxDesktop.openFixtures')).toBe('function')

  await app.evaluate(({ shell }) => {
    const opened: string[] = []
    Object.assign(globalThis, { opened })
    shell.openExternal = async (url) => void opened.push(url)
  })
  const before = page.url()
  await page.evaluate(() => location.assign('http://127.0.0.1:9/elsewhere'))
  await expect
    .poll(() => app.evaluate(() => Reflect.get(globalThis, 'opened')))
    .toEqual(['http://127.0.0.1:9/elsewhere'])
  expect(page.url()).toBe(before)

  const { origin } = new URL(before)
  await app.close()
  await expect(fetch(origin)).rejects.toThrow()
})

test('a link opens its page if the app was not running, and if its window was closed', async ({
  launch,
  folder,
  data,
}) => {
  const app = await launch('hub-sandbox://tokens')
  const first = await app.firstWindow({ timeout: 0 })
  await expect(first).toHaveURL(/\/_sandbox\/tokens$/)
  const { port } = new URL(first.url())

  await closeWindow(app)
  const [second] = await Promise.all([
    app.waitForEvent('window', { timeout: 0 }),
    startAgain({ folder, data }, 'hub-sandbox://webhooks'),
  ])
  await expect(second).toHaveURL(`http://localhost:${port}/_sandbox/webhooks`)

  // Other options beside a link: the user agrees to restart with them.
  await startAgain({ folder, data }, '--ephemeral', 'hub-sandbox://apps')
  const isRestarted = () => {
    const shown = new URL(app.windows().at(-1)?.url() ?? 'about:blank')
    return shown.port !== port && shown.pathname === '/_sandbox/apps'
  }
  await expect.poll(isRestarted).toBe(true)
})

test('a click on a notification opens its page after the window was closed', async ({ launch }) => {
  const app = await launch()
  const page = await app.firstWindow({ timeout: 0 })
  await expect(page.getByRole('navigation').first()).toBeVisible()
  const { origin } = new URL(page.url())
  await app.evaluate(({ Notification }) => {
    const shown: object[] = []
    Object.assign(globalThis, { shown })
    // The machine may have no service that shows it.
    Notification.isSupported = () => true
    Notification.prototype.show = function show() {
      shown.push(this)
    }
  })
  await closeWindow(app)

  const post = (path: string, body: object) =>
    fetch(`${origin}/_sandbox/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const watched = [{ type: 'org', name: 'acme' }]
  await post('webhooks', { user: 'alice', url: 'http://127.0.0.1:9/hook', watched })
  const made = await post('events', { event: 'repo.content', repo: 'acme/corpus' })
  const { deliveries } = (await made.json()) as { deliveries: { id: string }[] }
  await post('clock', { untilIdle: true })
  await expect.poll(() => app.evaluate(() => Reflect.get(globalThis, 'shown').length)).toBe(1)

  const [opened] = await Promise.all([
    app.waitForEvent('window', { timeout: 0 }),
    app.evaluate(() => Reflect.get(globalThis, 'shown')[0].emit('click')),
  ])
  await expect(opened).toHaveURL(`${origin}/_sandbox/deliveries/${deliveries[0]?.id}`)
})

test('a free port is used within three seconds of the choice', async ({ launch }) => {
  // It never responds, so nothing else wakes the app while its dialog is open.
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  const app = await launch('--port', `${port}`)
  // The first button of the system's own dialog is pressed after a second.
  await app.evaluate(({ dialog, app: self }) => {
    const show = dialog.showMessageBox.bind(dialog) as (options: object) => Promise<object>
    const times: { chosen?: number; shown?: number } = {}
    Object.assign(globalThis, { times })
    Object.assign(dialog, {
      showMessageBox: (options: object) => {
        const choice = new AbortController()
        setTimeout(() => {
          times.chosen = Date.now()
          choice.abort()
        }, 1000)
        return show({ ...options, cancelId: 0, signal: choice.signal })
      },
    })
    self.on('browser-window-created', (_event, window) => {
      window.once('show', () => (times.shown = Date.now()))
    })
  })
  const page = await app.firstWindow({ timeout: 0 })
  await expect(page.getByRole('navigation').first()).toBeVisible()
  const { chosen, shown } = await app.evaluate(() => Reflect.get(globalThis, 'times'))
  expect(shown - chosen).toBeLessThan(3000)
  other.close()
})

test('the window has one scrollbar beside the page', async ({ launch }) => {
  const app = await launch()
  const page = await app.firstWindow({ timeout: 0 })
  await expect(page.getByRole('navigation').first()).toBeVisible()
  // Enlarged, so that the navigation does not fit.
  await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    window?.setSize(1600, 500)
    window?.webContents.setZoomFactor(1.5)
  })
  const places = page.getByRole('navigation').first()
  await expect
    .poll(() => places.evaluate((part) => part.scrollHeight > part.clientHeight))
    .toBe(true)
  await page.mouse.move(600, 300)
  await expect
    .poll(() =>
      page.evaluate(() =>
        Array.from(document.querySelectorAll('*'))
          .filter((part) => part.scrollHeight > part.clientHeight && part.clientHeight > 0)
          .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY))
          .filter((part) => !getComputedStyle(part).scrollbarColor.startsWith('rgba(0, 0, 0, 0)'))
          .map(({ id, tagName }) => id || tagName),
      ),
    )
    .toEqual(['main'])
})
