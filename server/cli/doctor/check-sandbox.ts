import type { Health, Overview } from '../../contract/control-health.ts'
import type { ActiveOverrides } from '../../contract/control-overrides.ts'
import { suspendedStatus } from '../../contract/words/webhook-words.ts'
import { packageVersion } from '../../core/package-root.ts'
import { ControlError } from '../../web/control-error.ts'
import { CommandError } from '../command-error.ts'
import type { Connection } from '../connect.ts'
import { pageSize, wholeList } from '../../client/lists.ts'
import { listApps } from '../app-named.ts'
import { roughly } from '../status.ts'
import type { KnownValues } from './check-variables.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { whoListens } from './who-listens.ts'

/** Timeout of the health check. */
const patienceMs = 5000

/** Formats a command for this sandbox as one line. */
export type CommandFor = (...words: string[]) => string

export interface SandboxCheck {
  findings: Finding[]
  /** Absent without a response or after a refusal. */
  overview?: Overview
  /** Absent like the overview. */
  known?: KnownValues
}

/** Checks that the sandbox responds, and lists active overrides. */
export async function checkSandbox(
  connection: Connection,
  commandFor: CommandFor,
): Promise<SandboxCheck> {
  const missing = await findMissing(connection)
  if (missing !== undefined) return { findings: [missing] }
  const { fine, wrong } = findingsAbout('sandbox')
  try {
    const { call, url } = connection
    const overview = await call('GET overview')
    const { items } = await call('GET webhooks', { query: { limit: 1000 } })
    return {
      overview,
      known: await readKnown(connection),
      findings: [
        fine(`A sandbox is running at ${url}.`),
        ...versionOf(overview),
        ...bentBy(await call('GET overrides'), commandFor),
        ...items
          .filter(({ status }) => status === suspendedStatus)
          .map(({ target }) =>
            wrong(
              `The webhook to ${target} is suspended after failures.`,
              `Enable it again: ${url}/_sandbox/webhooks`,
            ),
          ),
      ],
    }
  } catch (error) {
    if (error instanceof ControlError) {
      const fix = 'Pass its control token with --control-token or HUB_SANDBOX_CONTROL_TOKEN.'
      const isBarred = error.status === 401 || error.status === 403
      return { findings: [isBarred ? wrong(error.message, fix) : wrong(error.message)] }
    }
    if (error instanceof CommandError) return { findings: [wrong(error.message)] }
    throw error
  }
}

/** Reads what the values of variables are compared with. */
async function readKnown({ call, certificatePath }: Connection): Promise<KnownValues> {
  const spaces = await wholeList((cursor) =>
    call('GET repos', { query: { type: 'space', limit: pageSize, cursor } }),
  )
  return {
    apps: await listApps(call),
    tokens: await wholeList((cursor) => call('GET tokens', { query: { limit: pageSize, cursor } })),
    spaces: spaces.map(({ name }) => name),
    certificatePath,
  }
}

/** Reports a missing or unreachable sandbox, with the fix. */
export function missingSandbox({ message }: CommandError): Finding {
  const { wrong } = findingsAbout('sandbox')
  const [text = '', ...fix] = message.split('\n')
  return fix.length === 0 ? wrong(text) : wrong(text, fix.join(' '))
}

/** Finds out what listens at the URL instead of a sandbox. */
async function findMissing({ url, request }: Connection): Promise<Finding | undefined> {
  const { wrong } = findingsAbout('sandbox')
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const { status, body } = await request({ method: 'GET', path: '/_sandbox/health', signal })
    if (isHealth(body)) return undefined
    return wrong(...(await describeStranger(url, `returned ${status}`)))
  } catch (error) {
    if (signal.aborted) return wrong(...(await describeSilence(url)))
    if (!(error instanceof CommandError)) throw error
    const code = codeOf(error)
    // The server accepted the connection but does not respond like a sandbox.
    const isStranger = /^(ECONNRESET|EPROTO|HPE_|ERR_SSL)/.test(code)
    if (isStranger)
      return wrong(...(await describeStranger(url, `closed the connection (${code})`)))
    return missingSandbox(error)
  }
}

/** Returns the system error code at the root of an error. */
function codeOf(error: Error): string {
  const { code, cause } = error as NodeJS.ErrnoException
  return cause instanceof Error ? codeOf(cause) : (code ?? '')
}

function isHealth(body: string): boolean {
  try {
    const { status } = JSON.parse(body) as Partial<Health>
    return status === 'ok' || status === 'stopping'
  } catch {
    return false
  }
}

/** Reports a server that hangs, or a stopped process that still holds the port. */
async function describeSilence(url: string): Promise<[string, string]> {
  const who = (await whoListens(portOf(url))) ?? 'A program'
  return [
    `${who} accepts connections at ${url} but has not responded for ${patienceMs / 1000} s.`,
    'If it is stopped (Ctrl-Z), continue it with fg or kill -CONT; otherwise end it with kill -KILL and restart the sandbox.',
  ]
}

async function describeStranger(url: string, what: string): Promise<[string, string]> {
  const number = portOf(url)
  const who = (await whoListens(number)) ?? 'another program'
  return [
    `Port ${number} is used by ${who}, which is not a sandbox: ${url}/_sandbox/health ${what}.`,
    'Stop it, or start the sandbox on a free port with --port 0.',
  ]
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url)
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

function versionOf({ version }: Overview): Finding[] {
  const { note } = findingsAbout('version')
  if (version === packageVersion) return []
  return [
    note(
      `The sandbox is version ${version}, this command is ${packageVersion}.`,
      'Restart the sandbox.',
    ),
  ]
}

/** Clock tolerance of the strictest clients. */
const clientToleranceMs = 60_000

/** Reports active overrides: clock, faults and barriers. */
function bentBy({ clock, faults, barriers }: ActiveOverrides, commandFor: CommandFor): Finding[] {
  const { note } = findingsAbout('clock')
  const findings: Finding[] = []
  if (clock.frozen) {
    findings.push(
      note(
        `The clock is frozen at ${clock.now}: nothing expires.`,
        `${commandFor('clock', 'resume')}, or ${commandFor('clock', 'real')} for real time`,
      ),
    )
  } else if (clock.offsetMs !== 0) {
    const where = clock.offsetMs > 0 ? 'ahead of' : 'behind'
    const far = roughly(Math.abs(clock.offsetMs))
    findings.push(
      note(
        `The clock is ${far} ${where} real time; codes and tokens expire by it.`,
        commandFor('clock', 'real'),
      ),
    )
  }
  if (clock.offsetMs < -clientToleranceMs) {
    findings.push(
      note(
        'ID tokens use the sandbox clock, which is behind real time: PyJWT, Authlib, jose, openid-client, Spring Security and others reject an ID token whose exp (iat + config.lifetimes.idToken) is in the past.',
        'Raise config.lifetimes.idToken, set a later clock, or make the client use the time of the sandbox.',
      ),
    )
  }
  for (const { id, match, hits, left } of faults) {
    const rest = left === undefined ? '' : `, ${left} left`
    findings.push(
      findingsAbout('fault').note(
        `A fault rule changes responses of ${JSON.stringify(match)} (${hits} so far${rest}).`,
        commandFor('fault', 'remove', id),
      ),
    )
  }
  for (const { id, match, held, count } of barriers) {
    findings.push(
      findingsAbout('barrier').note(
        `A barrier holds requests of ${JSON.stringify(match)} (${held} of ${count} held).`,
        commandFor('barrier', 'release', id),
      ),
    )
  }
  return findings
}
