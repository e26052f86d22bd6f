import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import { usualPort } from '../../server/contract/usual-address.ts'
import {
  createElectronStandIn,
  type ElectronStandIn,
} from '../helpers/electron-stand-in/electron.ts'
import { loadDesktopApp } from './desktop-app.ts'
import { expect as baseExpect, test as base } from './fixtures.ts'

/** A window needs a whole start of the sandbox first, on a machine that may be busy with other things. */
export const expect = baseExpect.configure({ timeout: 60_000 })

/** Of a test that starts the app several times. */
export const desktopTimeoutMs = 180_000

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The app, running in a stand-in for Electron. */
export interface Desktop extends ElectronStandIn {
  /** Options of each sandbox that the app started. */
  requested: (SandboxOptions | undefined)[]
  /** What the app wrote to stderr. */
  reported: string[]
  /** Tells what nobody caught, in place of the process that runs the tests. */
  faults: EventEmitter
  /** The page of the newest window. */
  page(): Promise<Page>
}

interface StartOptions {
  /** Default: any free port. */
  args?: readonly string[]
  /** Buttons to press in the message boxes. */
  answers?: readonly number[]
  hasLock?: boolean
}

interface Fixtures {
  /** A folder of the test's own. */
  folder: string
  /** The data folder of the sandbox. */
  data: string
  /** Starts the app; it is quit after the test. */
  start: (options?: StartOptions) => Desktop
}

// None is a worker's own: Playwright would start another worker, and another browser, for them.
export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the wanted fixtures from it
  folder: async ({}, provide) => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-desktop-'))
    await provide(folder)
    rmSync(folder, { recursive: true })
  },
  data: async ({ folder }, provide) => provide(join(folder, 'data')),
  start: async ({ browser, folder, data }, provide) => {
    const { runDesktop, startSandbox } = await loadDesktopApp()
    const started: Desktop[] = []
    await provide(({ args = ['--port', '0'], answers = [], hasLock = true } = {}) => {
      const standIn = createElectronStandIn(browser, { appData: folder, hasLock })
      standIn.answers.push(...answers)
      const requested: (SandboxOptions | undefined)[] = []
      const reported: string[] = []
      const faults = new EventEmitter()
      runDesktop(standIn.electron, {
        startSandbox: (options) => {
          requested.push(options)
          // The usual port belongs to whoever runs the tests.
          return startSandbox(options?.port === usualPort ? { ...options, port: 0 } : options)
        },
        argv: ['electron', 'main.js', '--data', data, ...args],
        cwd: folder,
        platform: 'linux',
        preload: join(root, 'dist/electron/preload.cjs'),
        icons: join(root, 'electron/icons'),
        report: (line) => void reported.push(line),
        faults,
      })
      const desktop: Desktop = {
        ...standIn,
        requested,
        reported,
        faults,
        async page() {
          await expect.poll(() => standIn.app.windows.at(-1)).toBeDefined()
          const window = standIn.app.windows.at(-1)
          if (window === undefined) throw new Error('there is no window')
          return window.loaded
        },
      }
      started.push(desktop)
      return desktop
    })
    for (const desktop of started) {
      // Playwright loses its way in a page that is closed while it loads.
      await Promise.allSettled(desktop.app.windows.map(({ loaded }) => loaded))
      desktop.app.quit()
      await desktop.app.exited
      await desktop.close()
      expect(desktop.reported).toEqual([])
    }
  },
})
