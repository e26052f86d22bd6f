import type { ResolvedOptions } from '../app/config/options.ts'
import { isLoopbackHost } from '../core/loopback.ts'
import { commandText } from '../core/shell-words.ts'
import type { ServerDeps } from '../lab/server-deps.ts'
import { holdsState } from '../store/holds-state.ts'
import type { State } from '../store/state.ts'
import { renderTerminalQr } from './terminal-qr.ts'

/** The first line of a start: names the fixtures, and the stored state that takes precedence over them. */
export function renderStartLine({
  settings,
  fixturesSource,
  dataDirectory,
  reset,
}: Pick<ResolvedOptions, 'settings' | 'fixturesSource' | 'dataDirectory' | 'reset'>): string {
  const served = `hub-sandbox ${settings.version} with ${fixturesSource}`
  const isStored = dataDirectory !== undefined && !reset && holdsState(dataDirectory)
  return isStored ? `${served}, from the state stored in ${dataDirectory}` : served
}

/** Returns notices for a sandbox that other machines can reach. */
export function reachNotices({ hosts }: Pick<ResolvedOptions, 'hosts'>): string[] {
  const reachable = hosts.filter((host) => !isLoopbackHost(host))
  if (reachable.length === 0) return []
  return [
    `Other machines can reach the sandbox at ${reachable.join(', ')}. Anyone knows the tokens of the default fixtures.`,
  ]
}

/** Renders the summary after a start. */
export function renderBanner(
  options: ResolvedOptions,
  running: {
    url: string
    dashboardUrl: string
    certificatePath?: string
    deps: Pick<ServerDeps, 'commandLine' | 'state'>
  },
  colored: boolean,
): string {
  const { dataDirectory, settings } = options
  const rows: [string, string][] = [
    ['Hub', running.url],
    ...(options.backChannelUrl === undefined
      ? []
      : [['Back channel', options.backChannelUrl] satisfies [string, string]]),
    ...(settings.interceptedOrigins === undefined
      ? []
      : [['Replaces', settings.interceptedOrigins.join(', ')] satisfies [string, string]]),
    ['Dashboard', running.dashboardUrl],
    ['Users', describeUsers(running.deps.state)],
    ['State', dataDirectory ?? 'in memory only'],
  ]
  if (running.certificatePath !== undefined) rows.push(['Certificate', running.certificatePath])
  if (settings.controlToken !== undefined) rows.push(['Control token', settings.controlToken])
  const width = Math.max(...rows.map(([label]) => label.length))
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)
  const hint = `  Set up a client:  ${environmentHint(running.deps.commandLine)}`
  const origins = settings.interceptedOrigins?.join(',')
  const led =
    origins === undefined
      ? ''
      : `\n  Redirect a program:  HUB_SANDBOX_INTERCEPT=${origins} HUB_SANDBOX_URL=${new URL(running.dashboardUrl).origin} node --import hub-sandbox/intercept …\n`
  return `\n${lines.join('\n')}\n\n${hint}\n${led}${options.isLan ? phoneCode(running.dashboardUrl, colored) : ''}`
}

/** Renders the QR code that opens the dashboard on a phone, with the control token. */
function phoneCode(dashboardUrl: string, colored: boolean): string {
  const lines = renderTerminalQr(dashboardUrl, colored).map((line) => `  ${line}\n`)
  return `\n  Open the dashboard on a phone:\n\n${lines.join('')}`
}

/** Returns the command to set the variables; on Windows, which has no `eval`, the command to print them. */
function environmentHint({ command, options }: ServerDeps['commandLine']): string {
  const call = [...command, 'env', ...options]
  return process.platform === 'win32'
    ? commandText([...call, '--dotenv'])
    : `eval "$(${commandText(call)})"`
}

/** Lists the users of the state, which takes precedence over the fixtures. */
function describeUsers({ users, tokens }: Pick<State, 'users' | 'tokens'>): string {
  const first = users.first()
  if (first === undefined) return 'none'
  const names = [...users.values()].slice(0, 5).map(({ username }) => username)
  const rest = users.size - names.length
  const own = tokens.group('user', first.id).find(({ kind }) => kind === 'user')
  return `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}${own === undefined ? '' : ` (token of ${names[0]}: ${own.token})`}`
}
