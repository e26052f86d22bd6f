import { basename, join } from 'node:path'
import type { BrowserWindow, WebContents } from 'electron'
import type { SandboxOptions } from '../server/index.ts'
import { fileSandboxOptions } from './arguments.ts'
import type { ElectronApi } from './electron-api.ts'
import { explainFailure } from './failures.ts'
import { guardWindow } from './guard-window.ts'
import type { Log } from './log.ts'
import { createOwnSandbox, type OwnSandbox } from './own.ts'
import { agreeToOpen } from './preview.ts'
import { createSandboxes, type ShownSandbox, type StartSandbox } from './sandboxes.ts'
import { showPage } from './show-page.ts'
import { askForFix, createStartOrAsk } from './starting.ts'
import { fitWindow, readWindowState, writeWindowState } from './window-state.ts'
import { openWindow, type WindowOptions } from './window.ts'

export interface DesktopDeps {
  startSandbox: StartSandbox
  /** Options of the user's own sandbox; throws for an invalid command line. */
  ownOptions(): SandboxOptions
  preload: string
  icon: string
  report: (line: string) => void
  log: Log
}

/** The sandboxes of the app and their windows. */
export interface Desktop {
  /** Shows the user's own sandbox, starting it if needed. Resolves when its window is open or a dialog was closed. */
  showOwn(): Promise<void>
  /** Previews a fixtures file and, if confirmed, opens it in a sandbox that ends with its window. */
  openFile(path: string): Promise<void>
  /** Shows a page of the sandbox in the front window, or else of the user's own sandbox. */
  goTo(path: string): Promise<void>
  /** Shows a page of the user's own sandbox. */
  goToOwn(path: string): Promise<void>
  /** The user's own sandbox. */
  readonly own: OwnSandbox
  /** Restarts the user's own sandbox with other options and shows it. */
  restartOwn(options: () => SandboxOptions): Promise<void>
  /** Sandbox of the front window. */
  current(): ShownSandbox | undefined
  originOf(contents: WebContents): string | undefined
  /** Saves and stops every sandbox; a second call ends them immediately. */
  close(): Promise<void>
}

const ownKey = ''

interface Shown {
  sandbox: ShownSandbox
  window: BrowserWindow
}

export function createDesktop(electron: ElectronApi, deps: DesktopDeps): Desktop {
  const { screen } = electron
  const sandboxes = createSandboxes(deps.startSandbox, deps.report)
  const startOrAsk = createStartOrAsk(electron, sandboxes)
  const own = createOwnSandbox(startOrAsk, sandboxes, () => deps.ownOptions())
  const shown = new Map<string, Shown>()
  const opening = new Map<string, Promise<void>>()
  let filesOpened = 0

  /** Files being opened, so that none is opened twice. */
  function once(key: string, open: () => Promise<void>): Promise<void> {
    const begun = opening.get(key)
    if (begun !== undefined) return begun
    const opened = open().finally(() => opening.delete(key))
    opening.set(key, opened)
    return opened
  }

  function show(
    key: string,
    sandbox: ShownSandbox,
    options: Pick<WindowOptions, 'partition' | 'bounds' | 'maximized' | 'label'>,
  ): BrowserWindow {
    const { preload, icon } = deps
    const window = openWindow(electron, {
      ...options,
      address: sandbox.dashboardUrl,
      preload,
      icon,
    })
    guardWindow(electron, window, deps.log)
    shown.set(key, { sandbox, window })
    window.on('closed', () => {
      if (shown.get(key)?.window === window) shown.delete(key)
    })
    return window
  }

  async function showOwn(): Promise<void> {
    const before = shown.get(ownKey)
    if (before?.sandbox.isElsewhere === true) return bringToFront(before.window)
    const sandbox = await own.start()
    if (sandbox === undefined) return
    const open = shown.get(ownKey)
    if (open !== undefined && originOf(open.sandbox) === originOf(sandbox)) {
      shown.set(ownKey, { ...open, sandbox })
      return bringToFront(open.window)
    }
    openOwnWindow(sandbox)
    // Replaces a window with a former URL. Not closed first: the app quits with its last window.
    open?.window.close()
  }

  function openOwnWindow(sandbox: ShownSandbox): void {
    const stateFile = join(electron.app.getPath('userData'), 'window.json')
    const state = readWindowState(stateFile)
    const window = show(ownKey, sandbox, {
      partition: 'persist:own',
      bounds: fitWindow(state, areasOf(screen)),
      maximized: state?.maximized ?? false,
    })
    window.on('close', () => {
      const bounds = window.getNormalBounds()
      try {
        writeWindowState(stateFile, { bounds, maximized: window.isMaximized() })
      } catch (error) {
        // A failure only centers the next window; it must not keep this one from closing.
        deps.report(`cannot save the position of the window: ${String(error)}`)
      }
    })
  }

  async function isWanted(path: string, name: string): Promise<boolean> {
    try {
      return await agreeToOpen(electron, path, own.known)
    } catch (error) {
      await askForFix(electron.dialog, explainFailure(error, name))
      return false
    }
  }

  async function openFile(path: string): Promise<void> {
    const open = shown.get(path)
    if (open !== undefined) return bringToFront(open.window)
    const name = basename(path)
    if (!(await isWanted(path, name))) return
    const sandbox = await startOrAsk(name, () => fileSandboxOptions(path))
    if (sandbox === undefined) return
    filesOpened += 1
    const window = show(path, sandbox, {
      partition: `file-${filesOpened}`,
      bounds: fitWindow(undefined, areasOf(screen)),
      maximized: false,
      label: name,
    })
    window.on('closed', () => {
      sandbox
        .close()
        .catch((error: unknown) => deps.report(`${name} did not close: ${String(error)}`))
    })
  }

  const inFront = () => Array.from(shown.values()).find(({ window }) => window.isFocused())

  const showOwnOnce = () => once(ownKey, showOwn)

  function goTo(entry: Shown | undefined, path: string): void {
    if (entry === undefined) return
    bringToFront(entry.window)
    showPage(entry.window, entry.sandbox.dashboardUrl, path)
  }

  async function goToOwn(path: string): Promise<void> {
    await showOwnOnce()
    goTo(shown.get(ownKey), path)
  }

  return {
    own,
    showOwn: showOwnOnce,
    openFile: (path) => once(path, () => openFile(path)),
    async goTo(path) {
      const entry = inFront()
      if (entry === undefined) await goToOwn(path)
      else goTo(entry, path)
    },
    goToOwn,
    async restartOwn(options) {
      await own.restart(options)
      await showOwnOnce()
    },
    current: () => inFront()?.sandbox ?? own.running ?? Array.from(shown.values())[0]?.sandbox,
    originOf(contents) {
      const entry = Array.from(shown.values()).find(({ window }) => window.webContents === contents)
      return entry && originOf(entry.sandbox)
    },
    close: () => sandboxes.closeAll(),
  }
}

function originOf({ dashboardUrl }: ShownSandbox): string {
  return new URL(dashboardUrl).origin
}

function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

function areasOf(screen: ElectronApi['screen']) {
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  return [main, ...others].map(({ workArea }) => workArea)
}
