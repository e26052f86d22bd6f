import { basename, join } from 'node:path'
import type { BrowserWindow, WebContents } from 'electron'
import type { SandboxOptions } from '../server/index.ts'
import { fileSandboxOptions } from './arguments.ts'
import type { ElectronApi } from './electron-api.ts'
import { explainFailure, type Failure, type Remedy } from './failures.ts'
import {
  createSandboxes,
  runningElsewhere,
  type ShownSandbox,
  type StartSandbox,
} from './sandboxes.ts'
import { fitWindow, readWindowState, writeWindowState } from './window-state.ts'
import { openWindow, type WindowOptions } from './window.ts'

export interface DesktopDeps {
  startSandbox: StartSandbox
  /** Of the user's own sandbox; throws when the command line cannot be used. */
  ownOptions(): SandboxOptions
  preload: string
  icon: string
  report: (line: string) => void
}

/** The sandboxes of the app and their windows. */
export interface Desktop {
  /** Shows the user's own sandbox, which is started the first time. Resolves when its window or a dialog is done with. */
  showOwn(): Promise<void>
  /** Shows a sandbox of this fixtures file, which ends with its window. */
  openFile(path: string): Promise<void>
  /** The sandbox in front. */
  current(): ShownSandbox | undefined
  originOf(contents: WebContents): string | undefined
  /** Saves and ends every sandbox; calling it again ends them now. */
  close(): Promise<void>
}

const ownKey = ''

export function createDesktop(electron: ElectronApi, deps: DesktopDeps): Desktop {
  const { dialog, screen, shell } = electron
  const sandboxes = createSandboxes(deps.startSandbox, deps.report)
  const shown = new Map<string, { sandbox: ShownSandbox; window: BrowserWindow }>()
  const opening = new Map<string, Promise<void>>()
  let own: ShownSandbox | undefined
  let filesOpened = 0

  /** One window a key: asking again brings it to the front. */
  function once(key: string, open: () => Promise<void>): Promise<void> {
    const window = shown.get(key)?.window
    if (window !== undefined) return Promise.resolve(bringToFront(window))
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
    shown.set(key, { sandbox, window })
    window.on('closed', () => shown.delete(key))
    return window
  }

  async function startOrAsk(
    subject: string,
    options: () => SandboxOptions,
  ): Promise<ShownSandbox | undefined> {
    try {
      return await sandboxes.start(options())
    } catch (error) {
      const remedy = await ask(explainFailure(error, subject))
      if (remedy === undefined) return undefined
      if (remedy.kind === 'free-port') {
        return startOrAsk(subject, () => ({ ...options(), port: 0 }))
      }
      const running = runningElsewhere(remedy.holder)
      if (running.url.startsWith('http:')) return running
      // A window refuses the self-signed certificate; in the browser the user may have trusted it.
      await shell.openExternal(running.dashboardUrl)
      return undefined
    }
  }

  async function ask({ message, detail, offer }: Failure): Promise<Remedy | undefined> {
    const buttons = [...(offer === undefined ? [] : [offer.label]), 'Close']
    const { response } = await dialog.showMessageBox({
      type: 'error',
      title: 'hub-sandbox',
      message,
      detail,
      buttons,
      defaultId: 0,
      cancelId: buttons.length - 1,
      noLink: true,
    })
    return response === 0 ? offer?.remedy : undefined
  }

  async function showOwn(): Promise<void> {
    const sandbox = own ?? (await startOrAsk('The sandbox', () => deps.ownOptions()))
    if (sandbox === undefined) return
    if (sandboxes.has(sandbox)) own = sandbox

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
        // The next window opens in the middle; that must not keep this one from closing.
        deps.report(`the window's place could not be kept: ${String(error)}`)
      }
    })
  }

  async function openFile(path: string): Promise<void> {
    const name = basename(path)
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

  return {
    showOwn: () => once(ownKey, showOwn),
    openFile: (path) => once(path, () => openFile(path)),
    current() {
      const all = Array.from(shown.values())
      const focused = all.find(({ window }) => window.isFocused())
      return focused?.sandbox ?? own ?? all[0]?.sandbox
    },
    originOf(contents) {
      const entry = Array.from(shown.values()).find(({ window }) => window.webContents === contents)
      return entry && new URL(entry.sandbox.dashboardUrl).origin
    },
    close: () => sandboxes.closeAll(),
  }
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
