import { messageOf } from '../server/core/background.ts'
import { askWithLog } from './ask-with-log.ts'
import type { ElectronApi } from './electron-api.ts'
import type { Log } from './log.ts'
import { closeWithin } from './quit.ts'

/** Process events for uncaught errors. */
export interface ProcessEvents {
  on(
    event: 'uncaughtException' | 'unhandledRejection',
    listener: (thrown: unknown) => void,
  ): unknown
  on(event: 'warning', listener: (warning: Error) => void): unknown
}

export interface CrashDeps {
  faults: ProcessEvents
  log: Log
  report: (line: string) => void
  /** Saves and ends every sandbox. */
  close: () => Promise<void>
}

/**
 * Shows uncaught errors, which would silently end the process with server and windows. The state of the
 * sandbox is unknown then, so the app restarts; journaled changes are restored.
 */
export function setupCrashes(
  electron: ElectronApi,
  { faults, log, report, close }: CrashDeps,
): void {
  const { app, dialog } = electron
  let isTelling = false

  async function reportThrown(thrown: unknown): Promise<void> {
    report(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
    // Subsequent errors are in the log.
    if (isTelling) return
    isTelling = true
    if (!app.isReady()) {
      dialog.showErrorBox('hub-sandbox could not start', messageOf(thrown))
      return app.exit(1)
    }
    const isWanted = await askWithLog(electron, log, {
      message: 'The sandbox stopped working',
      detail: `${messageOf(thrown)}\nIts responses may be wrong from now on. A restart keeps the stored state.`,
      fix: 'Restart',
      leave: 'Quit',
    })
    if (!isWanted) return app.quit()
    await closeWithin(close)
    app.relaunch()
    app.exit(0)
  }

  const reportOrEnd = (thrown: unknown) =>
    void reportThrown(thrown).catch((error: unknown) => {
      report(`cannot show the error: ${messageOf(error)}`)
      app.exit(1)
    })
  faults.on('uncaughtException', reportOrEnd)
  faults.on('unhandledRejection', reportOrEnd)
  // Background work reports its errors this way.
  faults.on('warning', ({ message }) => log.add(message))
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit')
      report(`Electron's ${type} process: ${reason}, exit code ${exitCode}`)
  })
}
