import { messageOf } from '../server/core/background.ts'
import type { ElectronApi } from './electron-api.ts'
import type { Log } from './log.ts'

interface Question {
  message: string
  detail: string
  /** What the buttons say that fix it and that leave it; the log is offered between them. */
  fix: string
  leave: string
  /** Closes the box when there is nothing to ask any more; the answer is to leave it then. */
  signal?: AbortSignal
}

const shownEntries = 8

/** Tells of something that stopped working, with the end of the log, and asks whether to fix it. */
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

/** @returns why it could not be shown; empty when it was */
async function show(shell: ElectronApi['shell'], log: Pick<Log, 'write'>): Promise<string> {
  try {
    const file = log.write()
    const problem = await shell.openPath(file)
    return problem === '' ? '' : `${file} could not be shown: ${problem}`
  } catch (error) {
    return `The log could not be written: ${messageOf(error)}`
  }
}
