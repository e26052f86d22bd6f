import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBrowser, unpackedChromium } from '../../helpers/find-browser.mjs'

/** A machine with these programs and nothing else. */
function machine(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, ...programs: string[]) {
  const has = (path: string) => programs.includes(path)
  return { env, platform, isProgram: has, answers: has }
}

describe('finding a browser for the tests', () => {
  test('takes CHROME_PATH before anything installed', () => {
    const env = { CHROME_PATH: '/opt/chrome', PATH: '/usr/bin' }
    const found = findBrowser(machine('linux', env, '/opt/chrome', '/usr/bin/chromium'))
    expect(found).toBe('/opt/chrome')
  })

  test('refuses a CHROME_PATH that names no program instead of taking another', () => {
    const env = { CHROME_PATH: '/opt/chrome', PATH: '/usr/bin' }
    expect(() => findBrowser(machine('linux', env, '/usr/bin/chromium'))).toThrow(
      'CHROME_PATH is /opt/chrome',
    )
  })

  test.runIf(process.platform !== 'win32')(
    'looks through the PATH, what needs no screen first',
    () => {
      const env = { PATH: '/usr/local/bin:/usr/bin' }
      const programs = ['/usr/local/bin/chromium', '/usr/bin/google-chrome']
      expect(findBrowser(machine('linux', env, ...programs))).toBe('/usr/bin/google-chrome')
      const shell = '/usr/bin/chromium-headless-shell'
      expect(findBrowser(machine('linux', env, ...programs, shell))).toBe(shell)
    },
  )

  test.runIf(process.platform !== 'win32')('passes over a program that does not run', () => {
    const env = { PATH: '/usr/bin' }
    const programs = ['/usr/bin/chromium-browser', '/usr/bin/microsoft-edge']
    const found = findBrowser({
      ...machine('linux', env, ...programs),
      answers: (path) => path !== '/usr/bin/chromium-browser',
    })
    expect(found).toBe('/usr/bin/microsoft-edge')
  })

  test('knows where macOS keeps its applications', () => {
    const edge = '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'
    expect(findBrowser(machine('darwin', { HOME: '/Users/mara' }, edge))).toBe(edge)
  })

  test('knows where Windows keeps its programs', () => {
    const chrome = String.raw`C:\Users\mara\AppData\Local\Google\Chrome\Application\chrome.exe`
    const env = {
      ProgramFiles: String.raw`C:\Program Files`,
      LocalAppData: String.raw`C:\Users\mara\AppData\Local`,
    }
    expect(findBrowser(machine('win32', env, chrome))).toBe(chrome)
  })

  test("falls back to Playwright's own, then to one unpacked earlier", () => {
    const env = { PATH: '', XDG_CACHE_HOME: join('/', 'cache') }
    const unpacked = unpackedChromium(env)
    const both = machine('linux', env, '/playwright/chrome', unpacked)
    expect(findBrowser({ ...both, playwrightPath: '/playwright/chrome' })).toBe(
      '/playwright/chrome',
    )
    expect(findBrowser({ ...both, playwrightPath: '/playwright/missing' })).toBe(unpacked)
  })

  test('finds nothing on a bare machine', () => {
    expect(findBrowser(machine('linux', { PATH: '/usr/bin' }))).toBeUndefined()
  })
})
