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

test('the app itself opens the dashboard, keeps inside and quits', async ({ folder, data }) => {
  const reason = obstacle()
  test.skip(reason !== undefined, reason)
  const isRoot = process.getuid?.() === 0
  const app = await electron.launch({
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
