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
  /** Active while the page is unresponsive; aborted when it recovers or crashes. */
  let hanging: AbortController | undefined
  let isEndedByUs = false

  /** Shows one dialog at a time: a crash closes the dialog about an unresponsive page. */
  function ask(work: () => Promise<void>): Promise<void> {
    asking = asking.then(work).catch((error: unknown) => {
      log.add(`cannot show a dialog about a window: ${messageOf(error)}`)
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
      detail: `Its page ${why}. The sandbox keeps running.`,
      fix: 'Reload',
      leave: 'Close Window',
    })
    if (window.isDestroyed()) return
    if (isWanted) contents.reload()
    else window.close()
  }

  async function offerWhileHanging(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const isWanted = await askWithLog(electron, log, {
      message: 'The window is not responding',
      detail: 'Its page is busy or hangs. Reloading loses unsent input.',
      fix: 'Reload',
      leave: 'Wait',
      signal,
    })
    if (!isWanted || window.isDestroyed()) return
    isEndedByUs = true
    // A page that hangs ignores a reload.
    contents.forcefullyCrashRenderer()
    contents.reload()
  }

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (isEndedByUs || reason === 'clean-exit') {
      isEndedByUs = false
      return
    }
    const why = crashReasons[reason] ?? `ended (${reason})`
    log.add(`the page of a window ${why}, exit code ${exitCode}`)
    stopWaiting()
    void ask(() => offerAfterCrash(why))
  })
  window.on('unresponsive', () => {
    // Electron repeats this event.
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
  crashed: 'crashed',
  killed: 'was killed by another process',
  oom: 'ran out of memory',
  'abnormal-exit': 'exited',
  'launch-failed': 'could not be started',
  'integrity-failure': 'failed the integrity check',
  'memory-eviction': 'was ended because the machine is low on memory',
}
