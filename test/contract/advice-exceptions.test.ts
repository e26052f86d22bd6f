import { describe, expect, test } from 'vitest'
import type { Advice, AdviceIgnoreItem } from '../../server/contract/control-advice.ts'
import { reportFormats } from '../../server/contract/words/advice-words.ts'
import {
  adviceWorld,
  appSecret,
  challengeOf,
  fresh,
  receive,
  webhookSecret,
} from '../helpers/advice.ts'
import { expectNotFound, publicClient, secretClient } from '../helpers/control.ts'

const {
  call,
  hub,
  advice,
  found,
  signIn,
  signInPlainly,
  authorize,
  redeem,
  whoami,
  deliver,
  trigger,
  wait,
} = adviceWorld()

const ignore = (body: object) => call<AdviceIgnoreItem>('POST', 'advice/ignores', body)
const rule = 'sign-in/no-code-binding'
const reason = 'an old app'

describe('an ignore', () => {
  test('marks the findings of a rule, with its reason', async () => {
    await signInPlainly({ state: fresh() })
    const { status, body } = await ignore({ rule, reason })
    expect(status).toBe(201)
    expect(body).toMatchObject({ rule, reason, source: 'control', findings: 1 })
    expect((await advice()).items).toMatchObject([{ rule, ignored: { id: body.id, reason } }])
  })

  test('of another app marks nothing and says so', async () => {
    await signInPlainly({ state: fresh() })
    await ignore({ rule, app: publicClient, reason })
    const { items, ignores } = await advice()
    expect(items[0]?.ignored).toBeUndefined()
    expect(ignores).toMatchObject([{ app: publicClient, findings: 0 }])
    await ignore({ rule, app: 'Secret app', reason })
    expect((await advice()).items[0]?.ignored?.reason).toBe(reason)
  })

  test('can be deleted', async () => {
    await signInPlainly({ state: fresh() })
    const { body } = await ignore({ rule, reason })
    expect((await call('DELETE', `advice/ignores/${body.id}`)).status).toBe(200)
    expect((await advice()).items[0]?.ignored).toBeUndefined()
    expectNotFound(await call('DELETE', `advice/ignores/${body.id}`))
  })

  test('needs a reason and a known rule, and ends with a reset', async () => {
    expect((await ignore({ rule })).status).toBe(400)
    expect((await ignore({ rule, reason: '  ' })).status).toBe(400)
    expectNotFound(await ignore({ rule: 'sign-in/no-code', reason }))
    await ignore({ rule, reason })
    await call('POST', 'reset')
    expect((await advice()).ignores).toEqual([])
  })
})

describe('a pause', () => {
  test('leaves out what happens in it, and nothing else', async () => {
    const { body } = await call<{ id: string }>('POST', 'advice/pauses')
    await signInPlainly({ state: fresh() })
    await hub('GET', '/api/models?access_token=x')
    await deliver(await receive((_request, response) => response.end()), {})
    expect(await found()).toEqual([])
    // An authorization, a token request, a request to the API and a delivery.
    expect((await advice()).paused).toBe(4)
    await call('DELETE', `advice/pauses/${body.id}`)
    expect(await found()).toEqual([])
    await hub('GET', '/api/datasets?access_token=x')
    expect(await found()).toEqual(['error token/secret-in-url'])
  })
})

test('a delivery in a pause is left out although the clock was moved for it', async () => {
  const { now } = (await call<{ now: string }>('GET', 'clock')).body
  const { body } = await call<{ id: string }>('POST', 'advice/pauses')
  await wait('9h')
  await deliver(await receive((_request, response) => response.end()), {})
  await call('POST', 'clock', { set: now })
  await call('DELETE', `advice/pauses/${body.id}`)
  expect(await found()).toEqual([])
  await trigger()
  expect(await found()).toEqual(['warning webhook/no-secret'])
})

test('the checks of one app judge its requests alone', async () => {
  await signIn()
  await whoami('hf_sandbox_alice')
  const judgedOf = async (clientId: string) => {
    const { body } = await call<Advice>('GET', `advice?clientId=${clientId}`)
    return body.rules.filter(({ judged }) => judged > 0).length
  }
  expect(await judgedOf(secretClient)).toBeGreaterThan(0)
  expect(await judgedOf(publicClient)).toBe(0)
})

test('no format of a report holds a secret of the run', async () => {
  const verifier = fresh()
  const state = `state-with-${verifier}`
  const code = await authorize({ ...challengeOf(verifier), state })
  const { body: tokens } = await redeem(code, { code_verifier: verifier })
  await redeem(code, { code_verifier: verifier })
  await hub('GET', `/api/models?token=${tokens.access_token}&x=${tokens.refresh_token}`)
  await hub('GET', '/api/models', { headers: { referer: `http://localhost/?code=${code}` } })
  await whoami(tokens.id_token)
  const real = `hf_${'aB3dE5fG7h'.repeat(4).slice(0, 34)}`
  await whoami(real)
  await deliver(await receive((request, response) => response.end(JSON.stringify(request.headers))))
  await deliver(`${await receive((_request, response) => response.end())}?secret=in-the-url-1`, {})
  expect((await found()).length).toBeGreaterThan(6)
  const secrets = [
    ...Object.values(tokens).filter((value) => String(value).length > 20),
    code,
    verifier,
    appSecret,
    webhookSecret,
    'in-the-url-1',
    real,
  ]
  for (const format of reportFormats) {
    const { body } = await call<{ text: string; filename: string }>(
      'GET',
      `advice/report?format=${format}`,
    )
    expect(body.filename).toMatch(/^hub-sandbox-checks\./)
    const held = secrets.filter((secret) => body.text.includes(String(secret)))
    expect([format, held]).toEqual([format, []])
  }
})
