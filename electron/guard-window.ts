import type { BrowserWindow } from 'electron'
import { askWithLog } from './ask-with-log.ts'
import { messageOf } from '../server/core/background.ts'
import type { ElectronApi } from './electron-api.ts'
import type { Log } from './log.ts'

/** Offers to load a window again whose page has crashed or does not answer. The sandbox runs in another process. */
export function guardWindow(
  electron: Pick<ElectronApi, 'dialog' | 'shell'>,
  window: Pick<BrowserWindow, 'close' | 'isDestroyed' | 'on' | 'webContents'>,
  log: Log,
): void {
  const { webContents: contents } = window
  let asking: Promise<void> = Promise.resolve()
  /** While the page does not answer; aborted when it does, or has crashed. */
  let hanging: AbortController | undefined
  let isEndedByUs = false

  /** One box at a time: that about a page that hangs closes when it has crashed. */
  function ask(work: () => Promise<void>): Promise<void> {
    asking = asking.then(work).catch((error: unknown) => {
      log.add(`nobody could be asked about a window: ${messageOf(error)}`)
    })
    return asking
  }

  function stopWaiting(): void {
    hanging?.abort()
    hanging = undefined
  }

  async function offerAfterCrash(why: string): Promise<void> {
    const isWanted = await askWithLog(electron, log, {
      message: 'The window stopped working',
      detail: `Its page ${why}. The sandbox runs on.`,
      fix: 'Load It Again',
      leave: 'Close Window',
    })
    if (window.isDestroyed()) return
    if (isWanted) contents.reload()
    else window.close()
  }

  async function offerWhileHanging(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const isWanted = await askWithLog(electron, log, {
      message: 'The window does not respond',
      detail:
        'Its page is busy or hangs. What is typed in it and not sent is lost when it is loaded again.',
      fix: 'Load It Again',
      leave: 'Wait',
      signal,
    })
    if (!isWanted || window.isDestroyed()) return
    isEndedByUs = true
    // A page that hangs does not hear of a reload.
    contents.forcefullyCrashRenderer()
    contents.reload()
  }

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (isEndedByUs || reason === 'clean-exit') {
      isEndedByUs = false
      return
    }
    const why = crashReasons[reason] ?? `has ended (${reason})`
    log.add(`the page of a window ${why}, exit code ${exitCode}`)
    stopWaiting()
    void ask(() => offerAfterCrash(why))
  })
  window.on('unresponsive', () => {
    // Electron tells of it again and again.
    if (hanging !== undefined) return
    const begun = new AbortController()
    hanging = begun
    void ask(() => offerWhileHanging(begun.signal)).then(() => {
      if (hanging === begun) hanging = undefined
    })
  })
  window.on('responsive', stopWaiting)
}

const crashReasons: Readonly<Record<string, string>> = {
  crashed: 'has crashed',
  killed: 'was ended from outside',
  oom: 'ran out of memory',
  'abnormal-exit': 'has ended by itself',
  'launch-failed': 'could not be started',
  'integrity-failure': 'failed the check of its code',
  'memory-eviction': 'was ended since the machine has too little memory',
}
