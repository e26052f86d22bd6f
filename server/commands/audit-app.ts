import { spawn } from 'node:child_process'
import type { StartAuditRequest } from '../contract/control-audits.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'
import { listApps, requireApp } from './app-named.ts'
import { asUnusable, type AuditOptions, runAudit, type StepAct } from './audit.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { windowsCommand } from './exec/windows-command.ts'

export interface AppOptions extends AuditOptions {
  app: string
  start?: string
  command?: string
  signedIn?: string
  signedInText?: string
  use?: string
  flow?: string
  user?: string
}

/** Time of one run of `--command`. */
const commandMs = 120_000

/**
 * Audits an app.
 * @throws {CommandError} with exit code 2 for every failure, so that a broken job does not read as a bad app
 */
export async function auditApp(options: AppOptions): Promise<void> {
  await asUnusable(async () => {
    const { app, start, command, signedIn, signedInText, use, flow, user } = options
    const { plan, only, skip } = options
    const words = command === undefined ? undefined : splitWords(command)
    const { call, url } = await connect(options)
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
        driver: words === undefined ? undefined : 'program',
        // By hand: only Enter says that the app was used.
        canUse: words === undefined && start === undefined ? process.stdin.isTTY : undefined,
      }) as StartAuditRequest,
      options,
      words && commandAct(words, url),
    )
  })
}

/** Does a step by a command, whose exit code does not matter: a test that fails is what a refused sign-in looks like. */
function commandAct(words: readonly string[], url: string): StepAct {
  return async ({ name, module }, signal) => {
    if (name !== 'sign-in') return { problem: `A command cannot do the step ${name}.` }
    return runCommand(words, { HUB_SANDBOX_URL: url, HUB_SANDBOX_MODULE: module }, signal)
  }
}

/** @throws {CommandError} if the command cannot be started */
async function runCommand(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ problem?: string }> {
  const [program = '', ...args] = words
  const started =
    process.platform === 'win32' ? windowsCommand(words) : { file: program, args, verbatim: false }
  return new Promise((resolve, reject) => {
    const child = spawn(started.file, [...started.args], {
      // The report alone goes to stdout.
      stdio: ['ignore', 2, 2],
      env: { ...process.env, ...variables },
      windowsVerbatimArguments: started.verbatim,
    })
    const kill = () => void child.kill('SIGKILL')
    const timer = setTimeout(() => {
      kill()
      resolve({ problem: `${program} did not end within ${commandMs / 60_000} minutes.` })
    }, commandMs)
    signal.addEventListener('abort', kill)
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', kill)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      end()
      const why = error.code === 'ENOENT' ? 'not found' : `cannot be run: ${error.message}`
      reject(
        new CommandError(
          `Command ${program} ${why}. Pass --command with a program and its arguments; no shell reads it.`,
        ),
      )
    })
    child.once('exit', () => {
      end()
      resolve({})
    })
  })
}

/**
 * Splits a command into words. Quotes keep spaces; nothing else is special, because no shell reads it.
 * @throws {CommandError} for a quote that is not closed, and for no word at all
 */
export function splitWords(text: string): string[] {
  const words: string[] = []
  const pattern = /\s*((?:[^\s"']+|"[^"]*"|'[^']*')+)/gy
  let end = 0
  for (const match of text.matchAll(pattern)) {
    words.push(
      (match[1] ?? '').replaceAll(/"([^"]*)"|'([^']*)'/g, (_all, one, two) => String(one ?? two)),
    )
    end = match.index + match[0].length
  }
  if (text.slice(end).trim() !== '') {
    throw new CommandError(`The quote in --command ${JSON.stringify(text)} is not closed.`)
  }
  if (words.length === 0)
    throw new CommandError('--command requires a program, such as "npm test".')
  return words
}
