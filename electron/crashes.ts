import { messageOf } from '../server/core/background.ts'
import { askWithLog } from './ask-with-log.ts'
import type { ElectronApi } from './electron-api.ts'
import type { Log } from './log.ts'
import { closeWithin } from './quit.ts'

/** What of the process tells that something was thrown and caught by nobody. */
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
 * Tells of what would end the process without a word: server and windows are run by it. Nobody knows in which state the
 * sandbox is then, so the app is started anew; what was journaled is there again.
 */
export function setupCrashes(
  electron: ElectronApi,
  { faults, log, report, close }: CrashDeps,
): void {
  const { app, dialog } = electron
  let isTelling = false

  async function tell(thrown: unknown): Promise<void> {
    report(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
    // What follows from it is in the log.
    if (isTelling) return
    isTelling = true
    if (!app.isReady()) {
      dialog.showErrorBox('hub-sandbox could not start', messageOf(thrown))
      return app.exit(1)
    }
    const isWanted = await askWithLog(electron, log, {
      message: 'The sandbox stopped working',
      detail: `${messageOf(thrown)}\nIt may answer wrongly from now on. Started again, it has what it had stored.`,
      fix: 'Start Again',
      leave: 'Quit',
    })
    if (!isWanted) return app.quit()
    await closeWithin(close)
    app.relaunch()
    app.exit(0)
  }

  const tellOrEnd = (thrown: unknown) =>
    void tell(thrown).catch((error: unknown) => {
      report(`nobody could be told: ${messageOf(error)}`)
      app.exit(1)
    })
  faults.on('uncaughtException', tellOrEnd)
  faults.on('unhandledRejection', tellOrEnd)
  // Work that no request waits for tells of its trouble so.
  faults.on('warning', ({ message }) => log.add(message))
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit')
      report(`Electron's ${type} process: ${reason}, exit code ${exitCode}`)
  })
}
