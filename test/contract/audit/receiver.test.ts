import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../server/index.ts'
import { createWebhooks, memoryStore } from '../../../server/receiver/index.ts'
import {
  createSignedReceiver,
  createTestReceiver,
  type ReceiverMistake,
  receiverMistakes,
  receiverSecret,
} from '../../helpers/receivers.ts'

type Report = Awaited<ReturnType<Sandbox['audit']['receiver']>>

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

const failed = ({ verdicts }: Report) =>
  verdicts.filter(({ outcome }) => outcome === 'failed').map(({ module }) => module)

const forgeries = [
  'secret/missing',
  'secret/wrong',
  'secret/prefix',
  'secret/same-length',
  'secret/empty',
  'secret/other-case',
  'secret/with-space',
  'secret/twice',
]
const badJson = [
  'body/not-json',
  'body/empty',
  'body/null',
  'body/array',
  'body/text',
  'body/deep',
  'body/proto',
]

/** Modules that each mistake fails, and no other. */
const modulesOf: Readonly<Record<ReceiverMistake, readonly string[]>> = {
  'no-secret': [...forgeries, 'secret/in-query', 'secret/no-leak'],
  'starts-with': ['secret/prefix', 'secret/empty', 'secret/twice'],
  'same-length': ['secret/same-length', 'secret/other-case', 'secret/no-leak'],
  trims: ['secret/with-space'],
  'ignores-case': ['secret/other-case'],
  'lists-secrets': ['secret/twice'],
  'secret-in-query': ['secret/in-query'],
  'echoes-secret': ['secret/no-leak'],
  'body-first': ['secret/no-leak'],
  'works-before-secret': forgeries,
  'fails-on-bad-json': [...badJson, 'body/invalid-utf8'],
  'accepts-bad-json': badJson,
  'fails-on-duplicate-keys': ['body/duplicate-keys'],
  'known-scopes-only': ['future/scope'],
  'strict-members': ['future/members'],
  'fails-on-unknown-values': ['future/version', 'future/repo-type', 'future/action'],
  'requires-optional': ['shape/optional'],
  'short-texts': ['shape/text'],
  'small-bodies': ['size/large', 'size/huge'],
  'no-dedupe': ['again/same', 'again/at-once', 'again/after-failure'],
  'remembers-late': ['again/at-once'],
  'refuses-duplicates': ['again/same', 'again/at-once', 'again/after-failure'],
  'newest-only': ['order/late'],
  'answers-get': ['http/get'],
}

const audit = (mistakes: readonly ReceiverMistake[]) => {
  const { receive, effects } = createTestReceiver(mistakes)
  const common = { path: '/hook', secret: receiverSecret, plan: 'full' as const, skip: ['time'] }
  return sandbox.audit.receiver({ receive, effects, ...common })
}

describe.concurrent('a receiver with one mistake fails exactly its modules', () => {
  test.each(receiverMistakes)(
    '%s',
    async (mistake) => {
      const report = await audit([mistake])
      expect(failed(report)).toEqual(modulesOf[mistake])
      expect(JSON.stringify(report)).not.toContain(receiverSecret)
    },
    60_000,
  )
})

test('a receiver without mistakes fails no module', async () => {
  const report = await audit([])
  expect(report.state).toBe('finished')
  expect(failed(report)).toEqual([])
  expect(report.verdicts.map(({ outcome }) => outcome)).not.toContain('inconclusive')
}, 60_000)

test('the receiver helper passes the full plan with the deduplication that its documentation recommends', async () => {
  let count = 0
  const secret = 'the secret of the helper'
  const log = { info() {}, warn() {}, error() {} }
  const webhooks = createWebhooks({ secret, dedupe: memoryStore(), autoStart: false, log })
  webhooks.endpoint('events', () => void count++)
  const report = await sandbox.audit.receiver({
    receive: webhooks.fetch,
    secret,
    effects: () => count,
    plan: 'full',
  })
  expect(failed(report)).toEqual([])
  expect(report.verdicts).toHaveLength(38)
  expect(report.verdicts.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([])
}, 60_000)

test('the core plan takes less than 20 seconds', async () => {
  const { receive, effects } = createTestReceiver()
  const began = performance.now()
  const report = await sandbox.audit.receiver({
    receive,
    effects,
    path: '/hook',
    secret: receiverSecret,
  })
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(report.verdicts.map(({ module }) => module)).toEqual([
    'secret/missing',
    'secret/wrong',
    'secret/prefix',
    'secret/same-length',
    'secret/empty',
    'body/not-json',
    'body/empty',
    'body/null',
    'future/scope',
    'future/members',
    'again/same',
    'again/at-once',
    'time/answer',
    'time/burst',
  ])
}, 60_000)

test('without effects, repeated work is inconclusive', async () => {
  const { receive } = createTestReceiver(['no-dedupe'])
  const report = await sandbox.audit.receiver({
    receive,
    path: '/hook',
    secret: receiverSecret,
    only: ['again'],
  })
  expect(report.verdicts.map(({ outcome }) => outcome)).toEqual(Array(3).fill('inconclusive'))
})

test('without a secret, the modules about it do not apply', async () => {
  const report = await sandbox.audit.receiver({
    receive: async () => new Response(),
    only: ['secret'],
  })
  expect(new Set(report.verdicts.map(({ outcome }) => outcome))).toEqual(
    new Set(['not-applicable']),
  )
})

test('a secret in the query is judged there', async () => {
  const receive = async (request: Request) => {
    const all = new URL(request.url).searchParams.getAll('secret')
    const isRight = all.length === 1 && all[0] === receiverSecret
    return new Response(null, { status: isRight ? 204 : 403 })
  }
  const report = await sandbox.audit.receiver({
    receive,
    secret: receiverSecret,
    secretIn: 'query',
    only: forgeries,
  })
  expect(failed(report)).toEqual([])
  expect(report.verdicts[0]?.outcome).toBe('passed')
  expect(JSON.stringify(report)).not.toContain(receiverSecret)
})

describe('a receiver of Standard Webhooks (Standard Webhooks, Verifying webhook authenticity)', () => {
  const secret = `whsec_${Buffer.from('a key of a standard receiver').toString('base64')}`
  const run = (mistakes: Parameters<typeof createSignedReceiver>[1]) =>
    sandbox.audit.receiver({
      receive: createSignedReceiver(secret, mistakes),
      secret,
      profile: 'standard-webhooks',
      plan: 'full',
      only: ['standard', 'secret/missing'],
    })

  test('that verifies everything fails no module', async () => {
    const report = await run([])
    expect(failed(report)).toEqual([])
    const outcomes = report.verdicts.map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'passed')).toHaveLength(7)
    expect(JSON.stringify(report)).not.toContain(secret)
  })

  test.each([
    ['no-check', ['standard/signature-wrong', 'standard/body-changed', 'standard/id-changed']],
    ['no-time', ['standard/old', 'standard/future']],
    ['first-only', ['standard/rotated', 'standard/other-version']],
  ] as const)('with the mistake %s fails exactly its modules', async (mistake, modules) => {
    expect(failed(await run([mistake]))).toEqual(modules)
  })
})

describe('a hostile receiver', () => {
  const quick = { only: ['body', 'size/large'] }

  test('that crashes fails the module after which it no longer responded', async () => {
    let count = 0
    const server = await listen((_request, response) => {
      count++
      if (count <= 3) {
        response.end()
        return
      }
      server.close()
      server.closeAllConnections()
    })
    const report = await sandbox.audit.receiver({ url: urlOf(server), ...quick })
    expect(report.state).toBe('broken')
    expect(report.problem).toContain('to a correct delivery after body/')
    expect(failed(report)).toHaveLength(
      report.verdicts.findIndex(({ outcome }) => outcome === 'not-reached'),
    )
    expect(report.verdicts.at(-1)?.outcome).toBe('not-reached')
  })

  test('that sends 200 MB is read no further than needed', async () => {
    const part = Buffer.alloc(1024 * 1024)
    const server = await listen((_request, response) => {
      let left = 200
      const more = (): void => {
        while (left-- > 0) {
          if (response.write(part)) continue
          response.once('drain', more)
          return
        }
        response.end()
      }
      response.on('error', () => undefined)
      more()
    })
    const began = performance.now()
    const report = await sandbox.audit.receiver({ url: urlOf(server), only: ['future/members'] })
    expect(report.verdicts[0]?.outcome).toBe('passed')
    expect(performance.now() - began).toBeLessThan(10_000)
    server.closeAllConnections()
  })

  test('that redirects to the sandbox is not followed', async () => {
    const server = await listen((_request, response) => {
      response.writeHead(307, { location: `${sandbox.url}/_sandbox/api/reset` }).end()
    })
    await expect(sandbox.audit.receiver({ url: urlOf(server), ...quick })).rejects.toThrow(
      'responded with 307 to a correct delivery',
    )
  })

  test('that hangs ends the audit at the deadline', async () => {
    const server = await listen(() => undefined)
    await expect(
      sandbox.audit.receiver({ url: urlOf(server), profile: 'ci', ...quick }),
    ).rejects.toThrow('gave no response: no response within')
  })

  test.each([
    ['is the sandbox itself', () => sandbox.url, 'belongs to this sandbox'],
    ['is a public address', () => 'http://93.184.216.34/hook', 'start with --allow-network'],
    ['does not listen', () => 'http://127.0.0.1:1/hook', 'ECONNREFUSED'],
    ['has no URL', () => 'localhost:8000', 'starts with http'],
  ])('that %s is refused', async (_title, url, message) => {
    await expect(sandbox.audit.receiver({ url: url(), ...quick })).rejects.toThrow(message)
  })

  test.each([
    [{ only: ['secret/mising'] }, 'did you mean "secret/missing"?'],
    [{ plan: 'oidf' as const }, 'use core or full'],
    [{ secret: 'ends with ' }, 'begins or ends with a space'],
    [{ event: 'repo.contents.update' }, 'did you mean "repo.content.update"?'],
  ])('invalid options are refused: %o', async (options, message) => {
    const receive = async () => new Response()
    await expect(sandbox.audit.receiver({ receive, ...options })).rejects.toThrow(message)
  })
})

test('the audit of a webhook counts for no quota and no suspension, and records no delivery', async () => {
  const server = await listen((request, response) => {
    const isRight = request.headers['x-webhook-secret'] === receiverSecret
    request.resume().on('end', () => response.writeHead(isRight ? 200 : 500).end())
  })
  const { id } = await sandbox.control<{ id: string }>('POST', 'webhooks', {
    owner: 'alice',
    url: urlOf(server),
    secret: receiverSecret,
    watched: [{ type: 'org', name: 'acme' }],
  })
  const report = await sandbox.audit.receiver({ webhookId: id, only: forgeries })
  expect(failed(report)).toEqual(forgeries)
  const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'webhooks')
  expect(items.find((webhook) => webhook.id === id)).toMatchObject({
    status: 'enabled',
    usage: { used: 0 },
    consecutiveFailures: 0,
  })
  const deliveries = await sandbox.control('GET', `deliveries?webhookId=${id}`)
  expect(deliveries).toMatchObject({ items: [] })
})

test('effects that cannot be read end the audit', async () => {
  const server = await listen((request, response) => {
    response.writeHead(request.method === 'GET' ? 404 : 200).end()
  })
  const effects = `${urlOf(server)}/count`
  await expect(
    sandbox.audit.receiver({ url: urlOf(server), effects, only: ['again'] }),
  ).rejects.toThrow('The effects could not be read: responded with 404')
})

async function listen(handler: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
