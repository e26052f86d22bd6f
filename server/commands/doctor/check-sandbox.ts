import type { Health, Overview } from '../../contract/control-health.ts'
import type { ActiveOverrides } from '../../contract/control-overrides.ts'
import { suspendedStatus } from '../../contract/words/webhooks.ts'
import { packageVersion } from '../../core/package-root.ts'
import { ControlError } from '../../handle/control-error.ts'
import { CommandError } from '../command-error.ts'
import type { Connection } from '../connect.ts'
import { roughly } from '../status.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { whoListens } from './who-listens.ts'

/** Who has not said by then how it is does not say it at all. */
const patienceMs = 5000

/** The words of a command for the sandbox that is looked at, as one line. */
export type CommandFor = (...words: string[]) => string

export interface SandboxCheck {
  findings: Finding[]
  /** Absent where none answers, or it refuses. */
  overview?: Overview
}

/** Whether a sandbox answers, and what makes it answer otherwise than it would by itself. */
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
      findings: [
        fine(`A sandbox answers at ${url}.`),
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
      const fix = 'Hand its control token on with --control-token or HUB_SANDBOX_CONTROL_TOKEN.'
      const isBarred = error.status === 401 || error.status === 403
      return { findings: [isBarred ? wrong(error.message, fix) : wrong(error.message)] }
    }
    if (error instanceof CommandError) return { findings: [wrong(error.message)] }
    throw error
  }
}

/** That none is there, or the way to it is closed: what was said, and what helps. */
export function missingSandbox({ message }: CommandError): Finding {
  const { wrong } = findingsAbout('sandbox')
  const [text = '', ...fix] = message.split('\n')
  return fix.length === 0 ? wrong(text) : wrong(text, fix.join(' '))
}

/** What is there where the sandbox should be, if that is none. */
async function findMissing({ url, request }: Connection): Promise<Finding | undefined> {
  const { wrong } = findingsAbout('sandbox')
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const { status, body } = await request({ method: 'GET', path: '/_sandbox/health', signal })
    if (isHealth(body)) return undefined
    return wrong(...(await describeStranger(url, `answered ${status}`)))
  } catch (error) {
    if (signal.aborted) return wrong(...(await describeSilence(url)))
    if (!(error instanceof CommandError)) throw error
    const code = codeOf(error)
    // Something took the connection, and did not speak as a sandbox does.
    const isStranger = /^(ECONNRESET|EPROTO|HPE_|ERR_SSL)/.test(code)
    if (isStranger) return wrong(...(await describeStranger(url, `broke off (${code})`)))
    return missingSandbox(error)
  }
}

/** What the system says under the sentences that were put on it. */
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

/** It hangs, or its process was stopped and still holds the port. */
async function describeSilence(url: string): Promise<[string, string]> {
  const who = (await whoListens(portOf(url))) ?? 'A program'
  return [
    `${who} takes connections at ${url}, and has not answered one for ${patienceMs / 1000} s.`,
    'If it was stopped (Ctrl-Z), let it go on with fg or kill -CONT; else end it with kill -KILL and start the sandbox again.',
  ]
}

async function describeStranger(url: string, what: string): Promise<[string, string]> {
  const number = portOf(url)
  const who = (await whoListens(number)) ?? 'another program'
  return [
    `Port ${number} is taken by ${who}, which is no sandbox: ${url}/_sandbox/health ${what}.`,
    'End it, or start the sandbox with --port 0, which takes a free one.',
  ]
}

function portOf(url: string): number {
  const { port, protocol } = new URL(url)
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

function versionOf({ version }: Overview): Finding[] {
  const { note } = findingsAbout('version')
  if (version === packageVersion) return []
  return [note(`It is version ${version}, this command ${packageVersion}.`, 'Start it again.')]
}

/** What the strictest clients allow for clocks that differ. */
const clientToleranceMs = 60_000

/** A clock that was moved, rules that change answers, requests that are held. */
function bentBy({ clock, faults, barriers }: ActiveOverrides, commandFor: CommandFor): Finding[] {
  const { note } = findingsAbout('clock')
  const findings: Finding[] = []
  if (clock.frozen) {
    findings.push(
      note(
        `Its clock stands still at ${clock.now}: nothing expires.`,
        commandFor('clock', 'resume'),
      ),
    )
  } else if (clock.offsetMs !== 0) {
    const where = clock.offsetMs > 0 ? 'ahead of' : 'behind'
    const far = roughly(Math.abs(clock.offsetMs))
    findings.push(
      note(
        `Its clock is ${far} ${where} real time: codes and tokens expire by it.`,
        `${commandFor('reset')} (goes back to the fixtures, too)`,
      ),
    )
  }
  if (clock.offsetMs < -clientToleranceMs) {
    findings.push(
      note(
        'ID tokens have the time of its clock, which is behind real time: PyJWT, Authlib, jose, openid-client, Spring Security and others refuse one whose exp (iat + config.lifetimes.idToken) is past.',
        'Raise config.lifetimes.idToken, set a later clock, or have the client check by the time of the sandbox.',
      ),
    )
  }
  for (const { id, match, hits, left } of faults) {
    const rest = left === undefined ? '' : `, ${left} to come`
    findings.push(
      findingsAbout('fault').note(
        `A fault rule changes answers of ${JSON.stringify(match)} (${hits} so far${rest}).`,
        commandFor('fault', 'remove', id),
      ),
    )
  }
  for (const { id, match, held, count } of barriers) {
    findings.push(
      findingsAbout('barrier').note(
        `A barrier holds requests of ${JSON.stringify(match)} (${held} of ${count} wait).`,
        commandFor('barrier', 'release', id),
      ),
    )
  }
  return findings
}
