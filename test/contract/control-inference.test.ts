import { describe, expect, test } from 'vitest'
import {
  InferenceEndpointItem,
  InferenceEndpointList,
} from '../../server/contract/control-inference.ts'
import { RequestList } from '../../server/contract/control-requests.ts'
import {
  controlFixtures,
  controlWorld,
  expectInvalid,
  expectNotFound,
  expectShape,
} from '../helpers/control.ts'

const world = controlWorld({
  fixtures: {
    ...controlFixtures,
    users: [
      { username: 'alice', canPay: true, tokens: [{ token: 'hf_sandbox_alice' }] },
      { username: 'bob' },
    ],
    inference: {
      rules: [
        { lastMessage: 'weather', reply: 'Sunny' },
        { lastMessage: 'quota', error: { status: 429, message: 'Too many requests' } },
      ],
    },
  },
})
const { call, hub, read } = world

const make = (body: object = {}) =>
  call<InferenceEndpointItem>('POST', 'inference-endpoints', {
    namespace: 'alice',
    name: 'chat',
    repository: 'acme/tagger',
    ...body,
  })

describe('inference endpoints', () => {
  test('an endpoint starts, pauses, resumes, scales to zero and is deleted', async () => {
    const made = await make({ scaling: { scaleToZeroTimeout: 15 } })
    expect(made.status).toBe(201)
    expectShape(InferenceEndpointItem, made.body)
    expect(made.body).toMatchObject({ namespace: 'alice', state: 'pending', targetReplica: 1 })
    const { id } = made.body
    const path = `inference-endpoints/${id}`
    const state = () => read(InferenceEndpointItem, path)
    const move = async (to: string) =>
      (await call<InferenceEndpointItem>('POST', `${path}/${to}`)).body.state
    /** Moves the clock to the time at which the sandbox says that the state changes. */
    const waitForChange = async () => {
      const { changesAt = '' } = await state()
      await call('POST', 'clock', { set: changesAt })
      return (await state()).state
    }
    await call('POST', 'clock', { frozen: true })
    expect(await waitForChange()).toBe('initializing')
    expect(await waitForChange()).toBe('running')
    expect((await state()).url).toContain(`/inference-endpoints/${id}`)
    expect(await waitForChange()).toBe('scaledToZero')
    expect((await state()).changesAt).toBeUndefined()
    expect(await move('resume')).toBe('pending')
    expect(await move('pause')).toBe('paused')
    expectInvalid(await call('POST', `${path}/scale-to-zero`))
    expect(await move('resume')).toBe('pending')
    expect(await move('scale-to-zero')).toBe('scaledToZero')
    const list = await read(InferenceEndpointList, 'inference-endpoints?namespace=ALICE')
    expect(list.items.map((one) => one.id)).toEqual([id])
    expect((await call('DELETE', path)).status).toBe(200)
    expectNotFound(await call('GET', path))
  })

  test('a request delays the time at which an endpoint scales to zero', async () => {
    const { id } = (await make({ type: 'public', scaling: { scaleToZeroTimeout: 10 } })).body
    const state = () => read(InferenceEndpointItem, `inference-endpoints/${id}`)
    await call('POST', 'clock', { advance: '5m' })
    const before = await state()
    const answer = await hub('POST', `/inference-endpoints/${id}/v1/chat/completions`, {
      json: { model: 'any', messages: [{ role: 'user', content: 'hello' }] },
    })
    expect(answer.status).toBe(200)
    const after = await state()
    expect(Date.parse(after.changesAt ?? '')).toBeGreaterThan(Date.parse(before.changesAt ?? ''))
    expect(after.lastRequestAt).toBeDefined()
  })

  test('mistakes are named at their fields', async () => {
    expectInvalid(await make({ namespace: 'nowhere' }), ['namespace'])
    expectInvalid(await make({ name: 'Not a name' }), ['name'])
    await make()
    expect((await make()).status).toBe(409)
  })

  test('each change is a fact, so that a watching page knows of it', async () => {
    const facts: string[] = []
    world.sandbox.deps.bus.on('endpoint.changed', ({ data }) => facts.push(data.endpointId))
    const { id } = (await make()).body
    await call('POST', `inference-endpoints/${id}/pause`)
    await call('DELETE', `inference-endpoints/${id}`)
    expect(facts).toEqual([id, id, id])
  })
})

describe('the inference log', () => {
  const headers = { authorization: 'Bearer hf_sandbox_alice' }
  const chat = (content: string, more: object = {}) =>
    hub('POST', '/v1/chat/completions', {
      json: { model: 'acme/tagger', messages: [{ role: 'user', content }], ...more },
      headers,
    })
  const logged = async (query: string) =>
    (await read(RequestList, `requests?q=${encodeURIComponent(query)}`)).items

  test('names model, rule and streaming of each request', async () => {
    await chat('hello')
    await chat('how is the weather?', { stream: true })
    await chat('my quota')
    await hub('POST', '/v1/embeddings', { json: { model: 'acme/embed', input: 'x' }, headers })
    await hub('GET', '/v1/models')
    await hub('GET', '/api/models')
    const items = await logged('kind:inference')
    expect(items.map(({ status, inference }) => [status, inference])).toEqual([
      [200, undefined],
      [200, { model: 'acme/embed', streamed: false }],
      [429, { model: 'acme/tagger', streamed: false, rule: 2 }],
      [200, { model: 'acme/tagger', streamed: true, rule: 1 }],
      [200, { model: 'acme/tagger', streamed: false, rule: 0 }],
    ])
    expect((await logged('rule:0')).map(({ id }) => id)).toEqual([items[4]?.id])
    expect((await logged('rule:>0')).map(({ id }) => id)).toEqual([items[2]?.id, items[3]?.id])
    expect(await logged('model:embed')).toHaveLength(1)
  })

  test('a request without a token is logged without a model', async () => {
    await hub('POST', '/v1/chat/completions', { json: { model: 'x', messages: [] } })
    const [item] = await logged('kind:inference')
    expect(item).toMatchObject({ status: 401 })
    expect(item?.inference).toBeUndefined()
  })

  test('a very long name of a model is shortened', async () => {
    const path = `/hf-inference/models/acme/${'m'.repeat(5000)}/v1/chat/completions`
    const messages = [{ role: 'user', content: 'hello' }]
    await hub('POST', path, { json: { model: 'x', messages }, headers })
    const [item] = await logged('kind:inference')
    expect(item?.inference?.model.length).toBeLessThan(400)
  })
})
