import { deviceCodeGrant } from '../../contract/words/oauth-words.ts'
import { formOf, isStandIn, recordPath, queryOf } from '../drawing/exchanges.ts'
import { isTouched } from '../log/fault-effect.ts'
import { isFoldedPoll } from '../drawing/polls.ts'
import { jsonOf, textMember } from '../details/json-body.ts'
import { partiesOfAll } from '../flows/parties.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { literal } from './literals.ts'
import { writeAuthorization } from './test-authorization.ts'
import { deviceOfResponse } from './test-fixtures.ts'
import { expectMembers, noteGiven, type TestScript, writeAsk } from './test-script.ts'

/** Claims that follow from the fixtures of the test; others depend on other settings, the URL or the time. */
const comparedClaims = /^(?:aud|sub|name|preferred_username|email|email_verified)$/

/** Writes a request and the expected response; pages are left out, because their forms follow. */
export function writeRequest(script: TestScript, record: RequestRecord): void {
  const { method, grantType, status } = record
  const path = recordPath(record)
  if (isFoldedPoll(record)) return writePoll(script, record)
  if (grantType !== deviceCodeGrant) script.lastPoll = undefined
  if (isTouched(record) || status === 0) {
    script.leftOut.add(`${method} ${path}, which was broken`)
    return undefined
  }
  switch (path) {
    case '/oauth/authorize':
      return writeAuthorization(script, record)
    case '/oauth/token':
      return writeToken(script, record)
    case '/oauth/userinfo':
      return writeUserinfo(script, record)
    case '/oauth/register':
      return writeRegistration(script, record)
    case '/oauth/device':
      return method === 'POST' ? writeDevice(script, record) : undefined
    case '/oauth/device/verify':
      return method === 'POST' ? writeDecision(script, record) : undefined
    default:
      if (path.startsWith('/api/')) script.leftOut.add(`${method} ${path}`)
      return undefined
  }
}

/** Keeps one of several equal polls in a row: a test must not wait for hours. */
function writePoll(script: TestScript, record: RequestRecord): void {
  const { error, status } = record
  if (isTouched(record) || status === 0 || error === script.lastPoll) return
  script.lastPoll = error
  writeAsk(script, 'poll', record)
}

function writeToken(script: TestScript, record: RequestRecord): void {
  const variable = writeAsk(script, 'tokens', record)
  const members = jsonOf(record.response.body)
  if (record.status !== 200 || members === undefined) return
  const names = ['access_token', 'refresh_token', 'id_token'] as const
  noteGiven(script, record, variable, names)
  for (const name of names) {
    const code = `${variable}.body.${name}`
    script.lines.push(
      members[name] === undefined
        ? `  expect(${code}).toBeUndefined()`
        : `  expect(${code}).toEqual(expect.any(String))`,
    )
  }
  const facts = ['token_type', 'expires_in', 'scope', 'issued_token_type'] as const
  expectMembers(
    script,
    `${variable}.body`,
    facts.map((name) => [name, members[name]]),
  )
  expectClaims(script, `${variable}.body.id_token`, textMember(record.response.body, 'id_token'))
}

function expectClaims(script: TestScript, code: string, idToken = ''): void {
  const payload = jsonOf(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8'))
  if (payload === undefined) return
  script.helpers.add('claims')
  const claims = lastingClaims(script, payload)
  const nonce = payload['nonce'] === undefined ? undefined : 'a-nonce'
  expectMembers(script, `claimsOf(${code})`, [...claims, ['nonce', nonce]])
}

/** Members of a response that another sandbox with the same fixtures returns, too. */
function lastingClaims(
  { deps }: TestScript,
  members: Record<string, unknown>,
): [string, unknown][] {
  const { host } = new URL(deps.settings.baseUrl)
  return Object.entries(members).filter(
    ([name, value]) =>
      comparedClaims.test(name) &&
      typeof value !== 'object' &&
      !(typeof value === 'string' && value.includes(host)),
  )
}

function writeUserinfo(script: TestScript, record: RequestRecord): void {
  const variable = writeAsk(script, 'userinfo', record)
  const members = jsonOf(record.response.body)
  if (record.status !== 200 || members === undefined) return
  expectMembers(script, `${variable}.body`, lastingClaims(script, members))
}

function writeDevice(script: TestScript, record: RequestRecord): void {
  const variable = writeAsk(script, 'device', record)
  noteGiven(script, record, variable, ['device_code', 'user_code'])
  const { userCode, userId } = deviceOfResponse(script.deps, record) ?? {}
  if (userCode === undefined || userId === undefined) return
  // With --auto-approve no user decides.
  const isAnswered = script.flow.records.some((other) => answeredCode(other) === userCode)
  if (!isAnswered) writeResponse(script, userCode)
}

function writeDecision(script: TestScript, record: RequestRecord): void {
  const userCode = answeredCode(record)
  if (userCode !== undefined) writeResponse(script, userCode)
}

/** User code of the device that a request approved or denied. */
function answeredCode(record: RequestRecord): string | undefined {
  if (record.method !== 'POST' || recordPath(record) !== '/oauth/device/verify') return undefined
  const form = formOf(record)
  const isResponse = isStandIn(record) || form.has('decision')
  if (record.status >= 400 || !isResponse) return undefined
  return form.get('user_code') ?? queryOf(record).get('user_code') ?? undefined
}

function writeResponse({ given, deps, flow, lines }: TestScript, userCode: string): void {
  const code = given.get(userCode)
  const known = deps.state.deviceAuthorizations.find('userCode', userCode)
  if (code === undefined || known === undefined) return
  const decision = known.status === 'denied' ? 'deny' : 'approve'
  const userId = known.userId ?? partiesOfAll(deps, flow.records).userId ?? ''
  const user = deps.state.users.get(userId)?.username ?? ''
  lines.push('', `  await sandbox.approveDevice(${code}, ${literal({ user, decision })})`)
}

function writeRegistration(script: TestScript, record: RequestRecord): void {
  const variable = writeAsk(script, 'registered', record)
  if (record.status !== 201) return
  const answered = jsonOf(record.response.body) ?? {}
  const facts = ['client_name', 'redirect_uris', 'scope', 'token_endpoint_auth_method'] as const
  expectMembers(
    script,
    `${variable}.body`,
    facts.map((name) => [name, answered[name]]),
  )
}

/** @param movedMs measured distance; the time that passed meanwhile is left out */
export function writeClockMove(script: TestScript, movedMs: number): void {
  if (movedMs < 0) {
    script.leftOut.add('a move of the clock back')
    return
  }
  const ms = movedMs < 1000 ? Math.round(movedMs) : Math.round(movedMs / 1000) * 1000
  script.lines.push('', `  await sandbox.clock.advance(${literal(`${ms}ms`)})`)
}
