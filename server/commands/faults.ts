import type { AddFaultRequest, FaultMatch } from '../contract/control-faults.ts'
import type { ControlCall } from '../contract/control-call.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { clientIdOf } from './app-named.ts'
import { connect, nextCommand } from './connect.ts'
import { withId } from './known.ts'
import { printAnswer, printJson, printList, say } from './output.ts'
import { readOverride } from './overrides.ts'
import { type ControlOptions, readJsonOrText, readPair, readWholeNumber } from './read-options.ts'

/** Match options of faults and barriers. */
export interface MatchOptions extends ControlOptions {
  route?: string
  method?: string
  grantType?: string
  client?: string
}

export interface FaultOptions extends MatchOptions {
  flow?: string
  webhook?: string
  skip?: string
  times?: string
  delay?: string
  status?: string
  oauthError?: string
  header?: string[]
  body?: string
  set?: string[]
  remove?: string[]
  idTokenKid?: string
  idTokenClaim?: string[]
  idTokenBreakSignature?: boolean
  idTokenHeader?: string[]
  idTokenSign?: string
  redirectSet?: string[]
  redirectRemove?: string[]
  redirectCodeLength?: string
  redirectScope?: string
  lengthen?: string[]
  ciDrill?: string
  break?: string
}

/** Adds a rule that delays, refuses, breaks or changes responses, and prints its id. */
export async function putFault(options: FaultOptions): Promise<void> {
  const fault = faultOf(options)
  const { call } = await connect(options)
  const body = { ...fault, match: await withClientId(call, fault.match) }
  const added = await call('POST faults', { body })
  for (const hint of added.hints ?? []) say(hint)
  printAnswer(options, added, added.id)
}

/** Replaces the name of an app by its client id. */
export async function withClientId(call: ControlCall, match: FaultMatch): Promise<FaultMatch> {
  return { ...match, ...omitUndefined({ clientId: await clientIdOf(call, match.clientId) }) }
}

export function matchOf({ route, method, grantType, client }: MatchOptions): FaultMatch {
  return omitUndefined({ route, method, grantType, clientId: client })
}

/** @throws {CommandError} with exit code 2 */
export function faultOf(options: FaultOptions): AddFaultRequest {
  const { webhook, delay, oauthError, header, body, set, remove, ciDrill, break: broken } = options
  return {
    match: {
      ...matchOf(options),
      // The sandbox reports the valid values.
      ...omitUndefined({ webhookId: webhook, flow: options.flow as 'next' | undefined }),
    },
    ...wholeNumbers(options),
    ...omitUndefined({ delay, oauthError, body }),
    ...(header === undefined
      ? {}
      : { headers: Object.fromEntries(header.map((text) => readPair('--header', text))) }),
    ...(set === undefined ? {} : { set: Object.fromEntries(set.map(readOverride)) }),
    ...omitUndefined({
      remove,
      idToken: idTokenOf(options),
      lengthen: lengthenOf(options),
      redirect: redirectOf(options),
    }),
    // The sandbox reports the valid values.
    ...(ciDrill === undefined ? {} : { ciDrill: ciDrill as 'expired' }),
    ...(broken === undefined ? {} : { break: broken as 'reset' }),
  }
}

function wholeNumbers(options: FaultOptions): Pick<AddFaultRequest, 'skip' | 'times' | 'status'> {
  const numbers: Pick<AddFaultRequest, 'skip' | 'times' | 'status'> = {}
  for (const key of ['skip', 'times', 'status'] as const) {
    const text = options[key]
    if (text !== undefined) numbers[key] = readWholeNumber(`--${key}`, text)
  }
  return numbers
}

function idTokenOf(options: FaultOptions): AddFaultRequest['idToken'] {
  const { idTokenKid: kid, idTokenClaim, idTokenBreakSignature, idTokenHeader } = options
  const claims = idTokenClaim?.map((text) => {
    const [name, value] = readPair('--id-token-claim', text)
    return [name, readJsonOrText(value)]
  })
  const header = idTokenHeader?.map((text) => {
    const [name, value] = readPair('--id-token-header', text)
    return [name, readJsonOrText(value)]
  })
  const idToken = {
    ...omitUndefined({
      kid,
      claims: claims && Object.fromEntries(claims),
      header: header && Object.fromEntries(header),
      sign: options.idTokenSign as 'none' | undefined,
    }),
    ...(idTokenBreakSignature === true ? { breakSignature: true as const } : {}),
  }
  return Object.keys(idToken).length === 0 ? undefined : idToken
}

function redirectOf({
  redirectSet,
  redirectRemove: remove,
  redirectCodeLength,
  redirectScope: scope,
}: FaultOptions): AddFaultRequest['redirect'] {
  const set = redirectSet?.map((text) => readPair('--redirect-set', text))
  const codeLength =
    redirectCodeLength && readWholeNumber('--redirect-code-length', redirectCodeLength)
  const redirect = omitUndefined({
    set: set && Object.fromEntries(set),
    remove,
    codeLength: codeLength || undefined,
    scope,
  })
  return Object.keys(redirect).length === 0 ? undefined : redirect
}

function lengthenOf({ lengthen }: FaultOptions): AddFaultRequest['lengthen'] {
  if (lengthen === undefined) return undefined
  const pairs = lengthen.map((text) => readPair('--lengthen', text))
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, readWholeNumber('--lengthen', value)]),
  )
}

export async function listFaults(options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  const { items } = await call('GET faults')
  const next = nextCommand(
    ['fault', 'add', '--route', '/oauth/token', '--status', '503', '--times', '1'],
    options,
  )
  printList(
    options,
    items,
    ({ id, hits, createdAt: _createdAt, matches: _matches, ...rule }) => [
      id,
      hits === 1 ? '1 hit' : `${hits} hits`,
      JSON.stringify(rule),
    ],
    `No fault rules. Refuse the next token request: ${next}`,
  )
}

export async function removeFault(given: string, options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  const ids = async () => (await call('GET faults')).items.map(({ id }) => id).toReversed()
  const answer = await withId(given, { what: 'fault rule', ids }, (id) =>
    call('DELETE faults/:id', { params: { id } }),
  )
  if (options.json === true) printJson(answer)
}

export async function clearFaults(options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  const answer = await call('DELETE faults')
  if (options.json === true) printJson(answer)
}
