import { describe, expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import type { ChatResponse } from '../../server/contract/hub-inference.ts'
import { callerAt, castAt } from '../helpers/cast.ts'
import { payingFixtures, startTestSandbox } from '../helpers/sandbox.ts'

const model = 'acme/tagger'
const messages = [{ role: 'user', content: 'Hello there' }]

async function start(inference: FixturesFile['inference'] = {}) {
  const fixtures: FixturesFile = {
    ...payingFixtures,
    organizations: [
      ...payingFixtures.organizations,
      { name: 'poor', canPay: false, members: [{ user: 'alice', role: 'admin' }] },
    ],
    repos: [
      { type: 'model', name: 'acme/tagger' },
      { type: 'model', name: 'acme/secret', private: true },
    ],
    inference,
  }
  const sandbox = await startTestSandbox({ fixtures })
  const as = castAt(sandbox)
  const alice = as('alice')
  const chat = (body: object = {}, user = alice, headers = {}) =>
    user.post<ChatResponse>('/v1/chat/completions', { model, messages, ...body }, headers)
  const complete = async (body?: object) => (await chat(body)).body
  const appWith = async (scope: string) =>
    callerAt(sandbox, (await sandbox.tokens.mint({ user: 'alice', scope })).access_token)
  return { as, alice, chat, complete, appWith }
}

const task = '/hf-inference/models/acme/tagger/pipeline/feature-extraction'
interface Embeddings {
  data: { embedding: number[] }[]
}

const textOf = (answer: ChatResponse) => answer.choices[0]?.message.content

describe('chat completions', () => {
  test('a completion without a rule repeats the last message and names the sandbox', async () => {
    const { complete } = await start()
    const answer = await complete()
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant' }, finish_reason: 'stop' }],
    })
    expect(textOf(answer)).toBe('This is hub-sandbox, not a model. You wrote: Hello there')
    const { prompt_tokens: prompt, completion_tokens: completion, total_tokens } = answer.usage
    expect([prompt, total_tokens]).toEqual([2, prompt + completion])
  })

  test('the first matching rule decides by model, role and part of the last message', async () => {
    const { complete } = await start({
      rules: [
        { lastRole: 'tool', reply: 'by role' },
        { model: 'other/*', reply: 'by model' },
        { lastMessage: 'WEATHER in*paris', reply: 'by text' },
        { reply: 'the rest' },
      ],
    })
    const ask = async (content: string, more: object = {}) =>
      textOf(await complete({ messages: [{ role: 'user', content }], ...more }))
    expect(await ask('weather in rainy Paris?')).toBe('by text')
    expect(await ask('Paris weather')).toBe('the rest')
    expect(await ask('weather in Paris', { model: 'Other/one:fastest' })).toBe('by model')
    const answer = await complete({ messages: [...messages, { role: 'tool', content: '21' }] })
    expect(textOf(answer)).toBe('by role')
  })

  test('a completion has at most 16,384 tokens, and a stop text 200 characters', async () => {
    const { complete, chat } = await start({ rules: [{ reply: 'a '.repeat(20_000) }] })
    const answer = await complete()
    expect(textOf(answer)).toHaveLength(2 * 16_384 - 1)
    expect(answer.choices[0]?.finish_reason).toBe('length')
    expect(answer.usage.completion_tokens).toBe(16_384)
    expect((await complete({ stop: ['b', `a${' a'.repeat(5)}`] })).choices[0]).toMatchObject({
      message: { content: '' },
      finish_reason: 'stop',
    })
    expect((await chat({ stop: 'a'.repeat(200) })).status).toBe(200)
    // A search for such a text took seconds.
    const slow = `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}`
    expect((await chat({ stop: [slow] })).status).toBe(400)
  })

  test('text parts of a message are matched and images are ignored', async () => {
    const { complete } = await start({ rules: [{ lastMessage: 'a cat', reply: 'yes' }] })
    const content = [
      { type: 'image_url', image_url: { url: 'data:,' } },
      { type: 'text', text: 'Is this a cat?' },
    ]
    expect(textOf(await complete({ messages: [{ role: 'user', content }] }))).toBe('yes')
  })

  test('a rule with calls applies only to requests that offer the functions', async () => {
    const { complete } = await start({
      rules: [{ toolCalls: [{ name: 'weather', arguments: { city: 'Paris' } }] }],
    })
    const tools = [{ type: 'function', function: { name: 'weather', parameters: {} } }]
    expect((await complete({ tools })).choices).toEqual([
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: expect.stringMatching(/^call_/),
              type: 'function',
              function: { name: 'weather', arguments: '{"city":"Paris"}' },
            },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ])
    expect((await complete()).choices[0]?.finish_reason).toBe('stop')
    const refusing = await complete({ tools, tool_choice: 'none' })
    expect(refusing.choices[0]?.finish_reason).toBe('stop')
  })

  test('a completion ends at the limit of tokens and before a stop text', async () => {
    const { complete } = await start({ rules: [{ reply: 'one two three four' }] })
    expect((await complete({ max_tokens: 2 })).choices[0]).toMatchObject({
      message: { content: 'one two' },
      finish_reason: 'length',
    })
    expect((await complete({ max_tokens: 4 })).choices[0]?.finish_reason).toBe('stop')
    expect(textOf(await complete({ stop: ['', ' four', ' three'] }))).toBe('one two')
  })

  test('a stream has the parts of the text, and the usage only if asked', async () => {
    const { chat } = await start({ rules: [{ reply: 'one two three' }] })
    const read = async (body: object) => {
      const response = await chat({ stream: true, ...body })
      expect(response.headers['content-type']).toMatch(/^text\/event-stream/)
      const events = response.bytes
        .toString()
        .split('\n\n')
        .filter((event) => event !== '')
      expect(events.at(-1)).toBe('data: [DONE]')
      return events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)))
    }
    const plain = await read({})
    expect(plain.map(({ choices: [choice] }) => choice.delta.content ?? '').join('')).toBe(
      'one two three',
    )
    expect(plain.at(-1).choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' })
    expect(plain.every((chunk) => !('usage' in chunk))).toBe(true)
    const counted = await read({ stream_options: { include_usage: true } })
    expect(counted.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 3 } })
  })

  test('an error of a rule is the response, with its status', async () => {
    const error = { status: 503, message: 'Model acme/tagger is currently loading' }
    const { chat } = await start({ rules: [{ error }] })
    const response = await chat({ stream: true })
    expect([response.status, response.body]).toEqual([503, { error: error.message }])
  })

  test('ten thousand messages are counted', async () => {
    const { complete } = await start()
    const many = Array.from({ length: 10_000 }, () => ({ role: 'user', content: 'a b' }))
    expect((await complete({ messages: many })).usage.prompt_tokens).toBe(20_000)
  })

  test.each([
    ['an array', []],
    ['null', null],
    ['no messages', { model, messages: [] }],
    ['a message that is text', { model, messages: ['a'] }],
    ['an unknown role', { model, messages: [{ role: 'nobody', content: 'a' }] }],
    ['no model', { messages }],
    ['two choices', { model, messages, n: 2 }],
  ])('a body is refused: %s', async (_name, body) => {
    const { alice } = await start()
    const response = await alice.post('/v1/chat/completions', body)
    expect([response.status, response.body]).toEqual([400, { error: expect.any(String) }])
  })
})

describe('models', () => {
  test('any name is accepted unless the fixtures list the models', async () => {
    const open = await start({ rules: [{ model: 'big/one', reply: 'a' }] })
    expect((await open.chat({ model: 'any/name' })).status).toBe(200)
    const list = await open.as().get<{ data: { id: string }[] }>('/v1/models')
    expect(list.body.data.map(({ id }) => id)).toEqual(['big/one', 'acme/tagger'])
    const { chat, alice } = await start({ models: ['acme/tagger'] })
    expect((await chat({ model: 'ACME/tagger:together' })).status).toBe(200)
    const refused = await chat({ model: 'any/name' })
    const error = "The requested model 'any/name' does not exist"
    expect([refused.status, refused.body]).toEqual([400, { error }])
    const path = '/hf-inference/models/any/name/v1/chat/completions'
    const ofTask = await alice.post(path, { model, messages })
    expect(ofTask.status).toBe(400)
  })
})

describe('embeddings', () => {
  test('embeddings have length 1, and are close for common words', async () => {
    const { alice } = await start()
    const input = ['The quick fox', 'the quick hare', 'Unrelated words here', '']
    const { data } = (await alice.post<Embeddings>('/v1/embeddings', { model, input })).body
    const [first, second, third, empty] = data.map(({ embedding }) => embedding)
    const dot = (one: number[] = [], other: number[] = []) =>
      one.reduce((sum, number, index) => sum + number * (other[index] ?? 0), 0)
    expect([first?.length, empty?.length]).toEqual([384, 384])
    for (const vector of [first, second, third, empty]) expect(dot(vector, vector)).toBeCloseTo(1)
    expect(dot(first, second)).toBeGreaterThan(dot(first, third) + 0.3)
    expect((await alice.post(task, { inputs: 'The quick fox' })).body).toEqual(first)
  })

  test('a repeated word counts each time', async () => {
    const { alice } = await start()
    const input = ['a b', 'a a a a a a b']
    const { data } = (await alice.post<Embeddings>('/v1/embeddings', { model, input })).body
    expect(data[0]?.embedding).not.toEqual(data[1]?.embedding)
  })

  test('texts of more than 8,192 tokens, and more than 256 texts, are refused', async () => {
    const { alice } = await start()
    const ask = (input: string[]) => alice.post('/v1/embeddings', { model, input })
    expect((await ask(['x ', 'a '.repeat(8191)])).status).toBe(200)
    expect(await ask(['x', 'a '.repeat(8193)])).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('text 2 has more than 8192 tokens, the limit') },
    })
    expect((await ask(Array.from({ length: 256 }, () => 'x'))).status).toBe(200)
    expect((await ask(Array.from({ length: 257 }, () => 'x'))).status).toBe(400)
    expect((await alice.post(task, { inputs: 'a '.repeat(8193) })).status).toBe(400)
  })

  test('base64 holds the same numbers, and dimensions limits them', async () => {
    const { alice } = await start()
    const ask = async <T>(more: object) => {
      const body = { model, input: 'a b', dimensions: 8, ...more }
      const answer = await alice.post<{ data: { embedding: T }[] }>('/v1/embeddings', body)
      return answer.body.data[0]!.embedding
    }
    const numbers = await ask<number[]>({})
    const bytes = Buffer.from(await ask<string>({ encoding_format: 'base64' }), 'base64')
    expect(numbers.length).toBe(8)
    expect(numbers.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(
      numbers.map(Math.fround),
    )
  })
})

describe('access to inference', () => {
  test('a call needs a token, and an app the scope inference-api', async () => {
    const { as, chat, appWith } = await start()
    expect((await chat({}, as())).status).toBe(401)
    const refused = await chat({}, await appWith('openid profile'))
    expect(refused.status).toBe(403)
    expect(refused.headers['www-authenticate']).toContain('scope="inference-api"')
    expect((await chat({}, await appWith('inference-api'))).status).toBe(200)
    expect((await chat({}, as('carol'))).status).toBe(200)
  })

  test('X-HF-Bill-To needs a paying organization of the caller', async () => {
    const { as, alice, chat, appWith } = await start()
    const bill = async (to: string, user = alice) =>
      (await chat({}, user, { 'X-HF-Bill-To': to })).status
    expect(await bill('acme')).toBe(200)
    expect(await bill('acme', as('carol'))).toBe(200)
    expect(await bill('acme', as('dave'))).toBe(403)
    expect(await bill('poor')).toBe(403)
    expect(await bill('nobody')).toBe(403)
    expect(await bill('carol')).toBe(403)
    // The user did not grant the organization to the app.
    expect(await bill('acme', await appWith('inference-api'))).toBe(403)
  })
})
