import type { SandboxOptions } from '../server/index.ts'
import type { ElectronApi } from './electron-api.ts'
import { explainFailure, type Failure, type Fix } from './failures.ts'
import { runningElsewhere, type Sandboxes, type ShownSandbox } from './sandboxes.ts'

/** Starts a sandbox, or asks what to do instead; undefined if there is nothing to show. */
export type StartOrAsk = (
  subject: string,
  options: () => SandboxOptions,
) => Promise<ShownSandbox | undefined>

/** @param sandboxes those of this process */
export function createStartOrAsk(
  { dialog, shell }: Pick<ElectronApi, 'dialog' | 'shell'>,
  sandboxes: Pick<Sandboxes, 'start'>,
): StartOrAsk {
  return async function startOrAsk(subject, options) {
    try {
      return await sandboxes.start(options())
    } catch (error) {
      const fix = await askForFix(dialog, explainFailure(error, subject))
      if (fix === undefined) return undefined
      if (fix.kind === 'free-port') {
        return startOrAsk(subject, () => ({ ...options(), port: 0 }))
      }
      const running = runningElsewhere(fix.holder)
      if (running.url.startsWith('http:')) return running
      // A window refuses the self-signed certificate; in the browser the user may have trusted it.
      await shell.openExternal(running.dashboardUrl)
      return undefined
    }
  }
}

/** Shows a failure and offers a fix. */
export async function askForFix(
  dialog: ElectronApi['dialog'],
  { message, detail, offer }: Failure,
): Promise<Fix | undefined> {
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
  return response === 0 ? offer?.fix : undefined
}
