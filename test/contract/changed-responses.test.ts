import { describe, expect, test } from 'vitest'
import { FlowStepDetail } from '../../server/contract/control-flows.ts'
import type { DemoItem } from '../../server/contract/control-demos.ts'
import { RequestList } from '../../server/contract/control-requests.ts'
import { controlWorld } from '../helpers/control.ts'
import { playFlows } from '../helpers/played-flows.ts'

const world = controlWorld()
const { call, read } = world
const play = playFlows(world)
const atToken = { match: { route: '/oauth/token' }, times: 1 }

/** The step of the token response, and its ID token as the dashboard shows it. */
async function tokenResponse() {
  const { id, steps } = await play.newest()
  const step = steps.find(({ name }) => name === 'token response')
  const body = await read(FlowStepDetail, `flows/${id}/steps/${step?.id}`)
  return { step, idToken: body.tokens.find(({ name }) => name === 'id_token') }
}

describe('a response that a fault changed', () => {
  test.each([
    ['nonce', { claims: { nonce: 'another' } }, 'ID token: nonce changed'],
    ['aud', { claims: { aud: 'another' } }, 'ID token: aud set to "another"'],
    ['iss', { claims: { iss: 'https://a' } }, 'ID token: iss set to "https://a"'],
    ['exp', { claims: { exp: 1 } }, 'ID token: exp set to 1'],
    ['signature', { breakSignature: true }, 'ID token: wrong signature'],
    ['signature', { kid: 'other' }, 'ID token: unknown key "other"'],
  ])('is marked, and the ID token fails the check of %s', async (name, idToken, change) => {
    await call('POST', 'faults', { ...atToken, idToken })
    const { body: demo } = await call<DemoItem>('POST', 'demos', { kind: 'sign-in' })
    const { step, idToken: shown } = await tokenResponse()
    expect(step).toMatchObject({ status: 200, outcome: 'changed', changes: [change] })
    expect((await play.flows())[0]).toMatchObject({
      changed: true,
      explanation: expect.stringContaining(change),
    })
    const verdicts = [
      { claim: 'signature', valid: shown?.signature?.valid },
      ...(shown?.checks ?? []),
    ]
    expect(verdicts.map(({ claim }) => claim)).toEqual(['signature', 'iss', 'aud', 'exp', 'nonce'])
    expect(verdicts.filter(({ valid }) => !valid).map(({ claim }) => claim)).toEqual([name])
    expect(demo).toMatchObject({
      outcome: 'refused',
      explanation: expect.stringContaining('refuses the ID token'),
    })
  })

  test.each([
    [{ delay: '1ms' }, ['delayed by 1ms']],
    [{ set: { scope: 'x', access_token: 'y' } }, ['scope set to "x"', 'access_token changed']],
    [{ remove: ['id_token', 'gone'] }, ['id_token removed']],
    [{ headers: { 'x-odd': '1' } }, ['header x-odd set']],
    [{ body: { access_token: 'z' } }, ['response replaced, with status 200']],
  ])('lists %j', async (effect, changes) => {
    await call('POST', 'faults', { ...atToken, ...effect })
    await play.signIn()
    const { step } = await tokenResponse()
    expect(step).toMatchObject({ status: 200, outcome: 'changed', changes })
    const log = await read(RequestList, 'requests?route=/oauth/token&limit=1')
    expect(log.items[0]?.faultChanges).toEqual(changes)
  })

  test('is not marked when the rule found nothing to change', async () => {
    await call('POST', 'faults', { ...atToken, remove: ['gone'] })
    await play.signIn()
    expect((await play.flows())[0]).not.toHaveProperty('changed')
    expect((await tokenResponse()).step).toMatchObject({ outcome: 'ok' })
  })

  test('keeps the refusal of the Hub when the rule only delayed it', async () => {
    await call('POST', 'faults', { ...atToken, delay: '1ms' })
    await play.exchangeCode('unknown')
    const { outcome, explanation, steps } = await play.newest()
    expect({ outcome, explanation }).toMatchObject({
      outcome: 'refused',
      explanation: expect.stringMatching(/^invalid_grant: .*delayed by 1ms\.$/),
    })
    expect(steps.at(-1)).toMatchObject({ outcome: 'refused', error: 'invalid_grant' })
  })

  test('is refused by the app when the userinfo response is about another user', async () => {
    const rule = { match: { route: '/oauth/userinfo' }, times: 1, set: { sub: 'another' } }
    await call('POST', 'faults', rule)
    const { body } = await call<DemoItem>('POST', 'demos', { kind: 'sign-in' })
    expect(body).toMatchObject({
      outcome: 'refused',
      explanation: expect.stringContaining('its sub differs'),
    })
  })

  test.each(['sign-in', 'device'])('is none in an undisturbed demo of kind %s', async (kind) => {
    const { body } = await call<DemoItem>('POST', 'demos', { kind })
    expect(body.outcome).toBe('completed')
    const { idToken } = await tokenResponse()
    expect(idToken?.checks?.map(({ valid }) => valid)).not.toContain(false)
  })

  test.each(['8h', '-8h'])('is none after the clock was moved by %s', async (span) => {
    const { body: clock } = await call<{ now: string }>('GET', 'clock')
    const ms = Date.parse(clock.now) + (span === '8h' ? 1 : -1) * 8 * 3_600_000
    await call('POST', 'clock', { set: new Date(ms).toISOString() })
    const { body } = await call<DemoItem>('POST', 'demos', { kind: 'sign-in' })
    expect(body.outcome).toBe('completed')
    const { idToken } = await tokenResponse()
    expect(idToken?.checks?.map(({ valid }) => valid)).toEqual([true, true, true, true])
  })
})
