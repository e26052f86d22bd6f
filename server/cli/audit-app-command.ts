import type { StartAuditRequest } from '../contract/control-audits.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { listApps, requireApp } from './app-named.ts'
import { asUnusable, type AuditOptions, runAudit, type StepAct } from './audit-receiver-command.ts'
import { runCommand, splitWords } from './audit-command.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'

export interface AppOptions extends AuditOptions {
  app: string
  start?: string
  command?: string
  useCommand?: string
  restart?: string
  signedIn?: string
  signedInText?: string
  use?: string
  flow?: string
  user?: string
}

/** Commands that do the steps of an audit, in words. */
interface StepCommands {
  readonly signIn: readonly string[] | undefined
  readonly use: readonly string[] | undefined
  readonly restart: readonly string[] | undefined
}

/**
 * Audits an app.
 * @throws {CommandError} with exit code 2 for every failure, so that a broken job does not read as a bad app
 */
export async function auditApp(options: AppOptions): Promise<void> {
  await asUnusable(async () => {
    const { app, start, signedIn, signedInText, use, flow, user, plan, only, skip } = options
    const commands = {
      signIn: wordsOf('--command', options.command),
      use: wordsOf('--use-command', options.useCommand),
      restart: wordsOf('--restart', options.restart),
    }
    if (commands.signIn === undefined && start === undefined && !process.stdin.isTTY) {
      const ways = flow === 'device' ? '--command' : '--start or --command'
      throw new CommandError(
        `A sign-in by hand requires a terminal. Pass ${ways}, or start the audit in the dashboard, on the page of the app.`,
      )
    }
    const { call, url } = await connect(options)
    const hasCommands = Object.values(commands).some((words) => words !== undefined)
    let restarts = 0
    const act = commandAct(commands, url, () => restarts++)
    await runAudit(
      // The control API checks the words.
      omitUndefined({
        kind: 'app',
        clientId: requireApp(await listApps(call), app).clientId,
        plan,
        only,
        skip,
        start,
        signedIn,
        signedInText,
        use,
        flow,
        user,
        driver: commands.signIn === undefined ? undefined : 'program',
        canUse: commands.use === undefined ? undefined : true,
        canRestart: commands.restart === undefined ? undefined : true,
      }) as StartAuditRequest,
      options,
      hasCommands ? act : undefined,
    )
    // Ctrl-C between two restarts leaves an app that has read changed metadata.
    const isLeft = restarts % 2 === 1
    if (isLeft) await act({ name: 'restart', module: 'plain' }, new AbortController().signal)
  })
}

function wordsOf(option: string, text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : splitWords(option, text)
}

/** Does the steps that have a command. */
function commandAct(commands: StepCommands, url: string, onRestart: () => void): StepAct {
  return async ({ name, module, times = 1 }, signal) => {
    const variables = { HUB_SANDBOX_URL: url, HUB_SANDBOX_MODULE: module }
    const run = async (option: string, words: readonly string[], keepsChildren = false) =>
      runCommand({ option, words, variables, signal, keepsChildren })
    if (name === 'sign-in' && commands.signIn !== undefined) {
      return run('--command', commands.signIn)
    }
    if (name === 'use' && commands.use !== undefined) {
      const words = commands.use
      const uses = Array.from({ length: times }, async () => run('--use-command', words))
      return (await Promise.all(uses)).find(({ problem }) => problem !== undefined) ?? {}
    }
    // The app itself may be a child of the command.
    if (name === 'restart' && commands.restart !== undefined) {
      onRestart()
      return run('--restart', commands.restart, true)
    }
    return undefined
  }
}
