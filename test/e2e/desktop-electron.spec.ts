import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron as electron } from '@playwright/test'
import { hasElectron } from '../../server/tools/launch/electron.mjs'
import { desktopTimeoutMs, expect, test } from './desktop-fixtures.ts'

test.describe.configure({ timeout: desktopTimeoutMs })

const root = fileURLToPath(new URL('../../', import.meta.url))
const { env, platform } = process

/** Why this machine cannot run Electron; undefined when it can. */
function obstacle(): string | undefined {
  if (!hasElectron(root)) {
    return "Electron's program is not installed: npx install-electron fetches it"
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

/** Runs the built app, with nothing of the user's own. */
function launch(folder: string, data: string) {
  const isRoot = process.getuid?.() === 0
  return electron.launch({
    timeout: 0,
    executablePath: programPath(),
    cwd: root,
    // Chromium refuses to run as root within its own sandbox.
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      'dist/electron/main.js',
      '--data',
      data,
      '--port=0',
    ],
    env: { ...env, XDG_CONFIG_HOME: folder, APPDATA: folder, HOME: folder },
  })
}

test('the page has the bridge and no other access', async ({ folder, data }) => {
  const reason = obstacle()
  test.skip(reason !== undefined, reason)
  const app = await launch(folder, data)
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
    pages.find(({ label }) => label === 'Tokens')?.click()
  })
  await expect(page).toHaveURL(/\/_sandbox\/tokens$/)
  await app.close()
})

test('the app opens the dashboard, keeps navigation inside and quits', async ({ folder, data }) => {
  const reason = obstacle()
  test.skip(reason !== undefined, reason)
  const app = await launch(folder, data)
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
