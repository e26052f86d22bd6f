import type { SandboxOptions } from '../server/index.ts'
import type { ElectronApi } from './electron-api.ts'
import { explainFailure, type Failure, type Fix } from './failures.ts'
import { runningElsewhere, type Sandboxes, type ShownSandbox } from './sandboxes.ts'

/** Starts a sandbox, or asks what to do instead; undefined if there is nothing to show. */
export type StartOrAsk = (
  subject: string,
  options: () => SandboxOptions,
) => Promise<ShownSandbox | undefined>

/** Longest time between a choice in a dialog and something to see. */
const patienceMs = 2500

/** @param sandboxes those of this process */
export function createStartOrAsk(
  { dialog, shell }: Pick<ElectronApi, 'dialog' | 'shell'>,
  sandboxes: Pick<Sandboxes, 'start'>,
): StartOrAsk {
  async function startOrAsk(
    subject: string,
    options: () => SandboxOptions,
    start: (options: SandboxOptions) => Promise<ShownSandbox>,
  ): Promise<ShownSandbox | undefined> {
    try {
      return await start(options())
    } catch (error) {
      const fix = await askForFix(dialog, explainFailure(error, subject))
      if (fix === undefined) return undefined
      if (fix.kind === 'free-port') {
        return startOrAsk(
          subject,
          () => ({ ...options(), port: 0 }),
          (freed) => reportIfSlow(dialog, describeStart(subject, freed), sandboxes.start(freed)),
        )
      }
      const running = runningElsewhere(fix.holder)
      if (running.url.startsWith('http:')) return running
      // A window refuses the self-signed certificate; in the browser the user may have trusted it.
      await shell.openExternal(running.dashboardUrl)
      return undefined
    }
  }
  return (subject, options) => startOrAsk(subject, options, (given) => sandboxes.start(given))
}

function describeStart(subject: string, { data }: SandboxOptions) {
  const reading = data === undefined ? 'It loads its content' : `It reads the data folder ${data}`
  return {
    message: `${subject} is starting`,
    detail: `${reading}. Its window opens when that is done.`,
  }
}

/** Shows what is awaited if it takes long; the dialog closes by itself at the end. */
async function reportIfSlow<T>(
  dialog: ElectronApi['dialog'],
  { message, detail }: { message: string; detail: string },
  work: Promise<T>,
): Promise<T> {
  const end = new AbortController()
  const report = () =>
    // The work itself reports its failure.
    void dialog
      .showMessageBox({
        type: 'info',
        title: 'hub-sandbox',
        message,
        detail,
        buttons: ['Hide'],
        noLink: true,
        signal: end.signal,
      })
      .catch(() => undefined)
  const timer = setTimeout(report, patienceMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    end.abort()
  }
}

/** Shows a failure and offers its fixes. */
export async function askForFix(
  dialog: ElectronApi['dialog'],
  { message, detail, offers = [] }: Failure,
): Promise<Fix | undefined> {
  const buttons = [...offers.map(({ label }) => label), 'Close']
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
  return offers[response]?.fix
}
