import type { FlowStep } from '../../contract/control-flows.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { FrameCall } from '../flows/frame-call.ts'
import { redirectOf } from '../log/request-reason.ts'
import { type DrawingInput, roundMs, sinceStart } from './context.ts'
import { formOf, queryOf, recordPath } from './exchanges.ts'

/** Cookies that are named; an app may set hundreds. */
const namedCookies = 5

/** Requests of a framed app that started this sign-in or received its result. */
export function frameCallsOf({ flow, frameCalls = [] }: DrawingInput): FrameCall[] {
  if (frameCalls.length === 0) return []
  const values = new Set<string>()
  for (const record of flow.records) {
    const redirect = redirectOf(record)
    for (const form of [redirect, formOf(record)]) {
      const code = form?.get('code')
      if (code) values.add(`code ${code}`)
    }
    if (recordPath(record) !== '/oauth/authorize') continue
    const query = queryOf(record)
    const state = query.get('state')
    if (!state) continue
    values.add(`request ${query.get('client_id')} ${state}`)
    if (redirect?.has('error') === true) values.add(`denied ${state}`)
  }
  return frameCalls.filter(({ callback, signIn }) => {
    if (signIn !== undefined) return values.has(`request ${signIn.clientId} ${signIn.state}`)
    if (callback?.code !== undefined) return values.has(`code ${callback.code}`)
    return values.has(`denied ${callback?.state}`)
  })
}

/** Draws the requests to a framed app, with the cookies that did not arrive and those that browsers do not store. */
export function drawFrameCalls(input: DrawingInput, calls: readonly FrameCall[]): FlowStep[] {
  return calls.map((call) => {
    const lost = lostCookies(call).map(({ name }) => name)
    const { status, answeredMs, receivedMs } = call
    const isLost = lost.length > 0 || call.set.some(({ kept }) => !kept)
    const base = call.callback === undefined ? 'app opened to sign in' : 'redirect URI called'
    return {
      id: call.id,
      kind: 'message',
      from: 'browser',
      to: 'app',
      name: lost.length === 0 ? base : `${base} without ${listOf(lost)}`,
      at: isoTime(call.at),
      sinceMs: Math.max(0, sinceStart(input, receivedMs)),
      outcome: isLost || status >= 400 ? 'refused' : 'ok',
      explanation: explain(call),
      ...(status === 0 ? {} : { status }),
      ...omitUndefined({
        tookMs: answeredMs === undefined ? undefined : roundMs(answeredMs - receivedMs),
      }),
    }
  })
}

/** Checks whether a step is a guess that a request of a frame replaces. */
export function isSeenInFrame(
  { flow }: DrawingInput,
  calls: readonly FrameCall[],
  step: FlowStep,
): boolean {
  if (step.inferred !== true || step.name !== 'redirect URI called') return false
  const record = flow.records.find(({ id }) => step.id === `${id}.after`)
  const redirect = record && redirectOf(record)
  return calls.some(({ callback }) =>
    callback?.code === undefined
      ? callback?.state !== undefined && redirect?.get('state') === callback.state
      : redirect?.get('code') === callback.code,
  )
}

/** Returns which cookies the app missed when the Hub's response arrived, as a sentence. */
export function lostSentence(calls: readonly FrameCall[]): string | undefined {
  const call = calls.findLast(({ callback }) => callback !== undefined)
  const lost = call === undefined ? [] : lostCookies(call).map(({ name }) => name)
  return lost.length === 0
    ? undefined
    : `Its redirect URI was called without ${lost.length === 1 ? 'the cookie' : 'the cookies'} ${listOf(lost)}.`
}

function lostCookies({ cookies }: FrameCall): FrameCall['cookies'] {
  return cookies.filter(({ state }) => state !== 'sent')
}

function explain(call: FrameCall): string {
  const { place, method, path, cookies, set } = call
  const where = {
    frame: 'in the frame',
    direct: 'in a tab of its own',
    unknown: 'from the frame or a tab of its own',
  }[place]
  const sent = cookies.filter(({ state }) => state === 'sent').map(({ name }) => name)
  const refused = set.filter(({ kept }) => !kept)
  return [
    `The browser sent ${method} ${path} ${where}, ${sent.length === 0 ? 'without cookies of the app' : `with ${listOf(sent)}`}.`,
    ...lostCookies(call)
      .slice(0, namedCookies)
      .map(({ name, explanation, fix }) => sentences(`${name} was not sent`, { explanation, fix })),
    ...refused
      .slice(0, namedCookies)
      .map(({ name, explanation, fix }) =>
        sentences(`The response sets ${name}, which is not stored`, { explanation, fix }),
      ),
  ].join(' ')
}

function sentences(
  what: string,
  { explanation, fix }: { explanation?: string | undefined; fix?: string | undefined },
): string {
  return [explanation === undefined ? `${what}.` : `${what}: ${explanation}`, fix]
    .filter((part) => part !== undefined)
    .join(' ')
}

function listOf(names: readonly string[]): string {
  const more = names.length - namedCookies
  const first = names.slice(0, namedCookies).join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}
