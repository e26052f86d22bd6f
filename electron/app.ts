import { join } from 'node:path'
import { messageOf } from '../server/core/background.ts'
import { appId } from './app-id.ts'
import { type Arguments, ownDataFolder, ownSandboxOptions, readArguments } from './arguments.ts'
import { type ProcessEvents, setupCrashes } from './crashes.ts'
import { createDesktop, type Desktop } from './desktop.ts'
import type { ElectronApi } from './electron-api.ts'
import { createIntents } from './intents.ts'
import { setupIpc } from './ipc.ts'
import { linkScheme } from './links.ts'
import { createLog } from './log.ts'
import { followMenus } from './menus.ts'
import { createNotifications } from './notifications.ts'
import { outliveWindows } from './keep-running.ts'
import { openSettings } from './settings.ts'
import { createWatch } from './watch.ts'
import { setupOpening } from './opening.ts'
import { closeWithin } from './quit.ts'
import type { StartSandbox } from './sandboxes.ts'
import { askForOptions, packSecondStart, unusedOptions } from './second-start.ts'

export interface AppDeps {
  startSandbox: StartSandbox
  argv: readonly string[]
  cwd: string
  platform: NodeJS.Platform
  /** Path of the built preload script. */
  preload: string
  /** Folder of the icons. */
  icons: string
  report: (line: string) => void
  /** Process events for uncaught errors. */
  faults: ProcessEvents
}

/**
 * The desktop app: a window around the sandbox that `startSandbox` starts. The order of the steps matters: the lock
 * comes before anything that a second instance must not do, and files are listened for before the app is ready, since
 * macOS tells of the file that started it earlier.
 */
export function runDesktop(electron: ElectronApi, deps: AppDeps): void {
  const { app, dialog } = electron
  const { icons, platform, preload } = deps
  app.setName('hub-sandbox')
  // Not the default folder, which is the data folder of the sandbox on macOS.
  app.setPath('userData', join(app.getPath('appData'), 'hub-sandbox-desktop'))
  const userData = app.getPath('userData')
  const log = createLog(join(userData, 'app.log'))
  const report = (line: string) => {
    log.add(line)
    deps.report(line)
  }
  keepLoopAwake()
  if (!app.requestSingleInstanceLock(packSecondStart({ argv: deps.argv, cwd: deps.cwd }))) {
    app.quit()
    return
  }
  // Windows requires a known shortcut for notifications.
  if (platform === 'win32') app.setAppUserModelId(appId)
  if (app.isPackaged && platform === 'win32') {
    // Elsewhere the package registers the scheme. After "--" nothing in a link can act as a switch.
    app.setAsDefaultProtocolClient(linkScheme, process.execPath, ['--'])
  }

  let given = readArguments(deps.argv, deps.cwd)
  const fail = (message: string) => dialog.showErrorBox('hub-sandbox', message)
  const desktop = createDesktop(electron, {
    startSandbox: deps.startSandbox,
    ownOptions: () => ownSandboxOptions(given),
    preload,
    icon: join(icons, 'icon.png'),
    report,
    log,
  })
  setupCrashes(electron, { faults: deps.faults, log, report, close: () => desktop.close() })
  const settings = openSettings(join(userData, 'settings.json'), report)
  const watch = createWatch(desktop.own, { report })
  const notifications = createNotifications(electron, {
    wanted: () => settings.current.notify,
    goTo: (path) => void desktop.goToOwn(path).catch((error: unknown) => fail(messageOf(error))),
  })
  watch.onNews((entries) => notifications.receive(entries))

  const heed = async (later: Arguments) => {
    const unused = unusedOptions(later, given)
    if (unused.length === 0 || !(await askForOptions(electron, desktop, unused))) return false
    given = later
    await desktop.restartOwn(() => ownSandboxOptions(later))
    return true
  }
  const opening = setupOpening(electron, desktop, {
    platform,
    report,
    heed,
    outlive: () => outliveWindows(electron, desktop.own, settings),
  })
  app.on('before-quit', () => {
    watch.stop()
    notifications.stop()
  })
  setupQuit(electron, desktop, report)

  const start = async () => {
    await app.whenReady()
    const intents = createIntents(electron, desktop, {
      platform,
      settings,
      dataFolder: () => ownDataFolder(given),
    })
    setupIpc(electron, {
      originOf: (contents) => desktop.originOf(contents),
      openFixtures: () => intents.openFixtures(),
      openDropped: (paths) => opening.files(paths),
      showDataFolder: () => intents.showDataFolder(),
    })
    followMenus(electron, { intents, platform, icons, fail }, { own: desktop.own, watch, settings })
    if (settings.problem !== undefined) reportSettings(electron, settings.problem)
    await opening.start(given)
  }
  start().catch((error: unknown) => {
    dialog.showErrorBox('hub-sandbox could not start', messageOf(error))
    app.exit(1)
  })
}

/** Interval that no user notices. */
const awakeMs = 200

/**
 * Keeps Node's event loop turning. Electron resolves the promises of dialogs without waking a loop that sleeps: the
 * choice in a dialog had no effect until something else happened in the process.
 */
function keepLoopAwake(): void {
  setInterval(() => undefined, awakeMs).unref()
}

/** Reports errors of a call without awaiting it. */
function reportSettings({ dialog }: ElectronApi, problem: string): void {
  void dialog.showMessageBox({
    type: 'warning',
    title: 'hub-sandbox',
    message: 'Cannot read the settings of the app',
    detail: problem,
  })
}

/** Closes the windows at once; the process ends when everything is saved. */
function setupQuit(
  { app, dialog }: ElectronApi,
  desktop: Pick<Desktop, 'close'>,
  report: AppDeps['report'],
): void {
  const close = async () => {
    const result = await closeWithin(() => desktop.close())
    if (!result.closed) {
      report(`cannot close the sandbox: ${messageOf(result.reason)}`)
      dialog.showErrorBox('The sandbox could not be closed cleanly', messageOf(result.reason))
    }
    app.exit(result.closed ? 0 : 1)
  }
  let closing: Promise<void> | undefined
  app.on('will-quit', (event) => {
    event.preventDefault()
    if (closing === undefined) closing = close()
    // A second request ends it immediately.
    else void desktop.close()
  })
}
