import { messageOf } from '../server/core/background.ts'
import type { ElectronApi } from './electron-api.ts'
import type { Log } from './log.ts'

interface Question {
  message: string
  detail: string
  /** Labels of the buttons to fix the problem and to ignore it; "Show Log" is between them. */
  fix: string
  leave: string
  /** Closes the dialog when the problem is gone; the result is then to ignore it. */
  signal?: AbortSignal
}

const shownEntries = 8

/** Shows a problem with the end of the log, and offers a fix. */
export async function askWithLog(
  { dialog, shell }: Pick<ElectronApi, 'dialog' | 'shell'>,
  log: Pick<Log, 'tail' | 'write'>,
  { message, detail, fix, leave, signal }: Question,
): Promise<boolean> {
  const tail = log.tail(shownEntries)
  let problem = ''
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      title: 'hub-sandbox',
      message,
      detail: [detail, tail, problem].filter((part) => part !== '').join('\n\n'),
      buttons: [fix, 'Show Log', leave],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
      ...(signal === undefined ? {} : { signal }),
    })
    if (signal?.aborted === true || response === 2) return false
    if (response === 0) return true
    problem = await show(shell, log)
  }
}

/** @returns the reason for a failure, else an empty string */
async function show(shell: ElectronApi['shell'], log: Pick<Log, 'write'>): Promise<string> {
  try {
    const file = log.write()
    const problem = await shell.openPath(file)
    return problem === '' ? '' : `Cannot open ${file}: ${problem}`
  } catch (error) {
    return `Cannot write the log: ${messageOf(error)}`
  }
}
