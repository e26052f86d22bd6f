import type { RequestListener, ServerResponse } from 'node:http'
import { webhookAt, serve, openServer } from '../../helpers/json-receiver.ts'
import { describe, expect, test } from 'vitest'
import { type Sandbox } from '../../../server/index.ts'
import { receiverModules } from '../../../server/lab/audit/receiver/receiver-catalog.ts'
import { createWebhooks, memoryStore } from '../../../server/receiver/index.ts'
import {
  createSignedReceiver,
  createTestReceiver,
  receiverSecret,
} from '../../helpers/receivers.ts'
import {
  forgeries,
  type ReceiverMistake,
  receiverMistakes,
  type SignedMistake,
  signedMistakes,
} from '../../helpers/receiver-mistakes.ts'
import { sharedSandbox } from '../../helpers/sandbox.ts'

type Report = Awaited<ReturnType<Sandbox['audit']['receiver']>>

const sandbox = sharedSandbox({}, { keepsState: true })

const failed = ({ verdicts }: Report) =>
  verdicts.filter(({ outcome }) => outcome === 'failed').map(({ module }) => module)

const audit = (mistakes: readonly ReceiverMistake[]) => {
  const { receive, effects } = createTestReceiver(mistakes)
  const common = { path: '/hook', secret: receiverSecret, plan: 'full' as const, skip: ['time'] }
  return sandbox.audit.receiver({ receive, effects, ...common })
}

describe.concurrent('a receiver with one mistake fails exactly its modules', () => {
  test.each(Object.keys(receiverMistakes) as ReceiverMistake[])(
    '%s',
    async (mistake) => {
      const report = await audit([mistake])
      expect(failed(report)).toEqual(receiverMistakes[mistake])
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

const log = { info() {}, warn() {}, error() {} }

/** The receiver helper with the deduplication that its documentation recommends. */
function recommendedHelper(secret: string) {
  let count = 0
  const webhooks = createWebhooks({ secret, dedupe: memoryStore(), autoStart: false, log })
  webhooks.endpoint('events', () => void count++)
  return { webhooks, receive: webhooks.fetch, effects: () => count }
}

describe('the receiver helper as its documentation recommends it passes the full plan', () => {
  const secret = 'the secret of the helper'
  const expectAllPassed = (report: Report) => {
    expect(failed(report)).toEqual([])
    const judged = receiverModules.filter(({ id }) => !id.startsWith('standard/'))
    expect(report.verdicts.map(({ module }) => module)).toEqual(judged.map(({ id }) => id))
    const outcomes = new Set(report.verdicts.map(({ outcome }) => outcome))
    // Some values the Hub's own Python helper refuses, too.
    expect([...outcomes].toSorted()).toEqual(['passed', 'tolerated'])
  }

  test('as a function of the Fetch standard', async () => {
    const { receive, effects } = recommendedHelper(secret)
    expectAllPassed(await sandbox.audit.receiver({ receive, secret, effects, plan: 'full' }))
  }, 60_000)

  test("on Node's http", async () => {
    const { webhooks, effects } = recommendedHelper(secret)
    const serve = webhooks.node()
    const server = await hookOf((request, response) => {
      if (request.url === '/count') response.end(String(effects()))
      else serve(request, response)
    })
    const { origin } = new URL(server)
    const url = `${origin}/webhooks/events`
    const count = `${origin}/count`
    expectAllPassed(await sandbox.audit.receiver({ url, secret, effects: count, plan: 'full' }))
  }, 60_000)
})

/** Compares the beginning of the secret, responds with 200 to whom it refuses, and trusts the body. */
function naiveReceiver() {
  let count = 0
  const react = (secret: string | null, body: string) => {
    if (!receiverSecret.startsWith(secret ?? '')) return 200
    try {
      if (JSON.parse(body).event.scope !== undefined) count++
      return 200
    } catch {
      return 500
    }
  }
  return { react, effects: () => count }
}

/** It responds with 200 to forged secrets, fails on bodies that are not payloads, and works for each copy. */
const ofNaive = [
  ...forgeries,
  'secret/in-query',
  'body/not-json',
  'body/empty',
  'body/null',
  'body/array',
  'body/text',
  'body/deep',
  'body/proto',
  'again/same',
  'again/at-once',
  'again/after-failure',
  'http/get',
]

describe('a naive receiver fails exactly the modules about its mistakes', () => {
  const common = { secret: receiverSecret, plan: 'full' as const, skip: ['time'] }

  test('as a function of the Fetch standard', async () => {
    const { react, effects } = naiveReceiver()
    const receive = async (request: Request) =>
      new Response(null, {
        status: react(request.headers.get('x-webhook-secret'), await request.text()),
      })
    const report = await sandbox.audit.receiver({ receive, effects, ...common })
    expect(failed(report)).toEqual(ofNaive)
  }, 60_000)

  test("on Node's http", async () => {
    const { react, effects } = naiveReceiver()
    const server = await hookOf((request, response) => {
      if (request.url === '/count') {
        response.end(String(effects()))
        return
      }
      const secret = request.headers['x-webhook-secret']
      let body = ''
      request.on('data', (part: Buffer) => (body += String(part)))
      request.on('end', () => {
        response.writeHead(react(typeof secret === 'string' ? secret : null, body)).end()
      })
    })
    const url = server
    const count = new URL('/count', url).href
    expect(failed(await sandbox.audit.receiver({ url, effects: count, ...common }))).toEqual(
      ofNaive,
    )
  }, 60_000)
})

test('the core plan takes less than 20 seconds', async () => {
  const { receive, effects } = createTestReceiver()
  const report = await sandbox.audit.receiver({
    receive,
    effects,
    path: '/hook',
    secret: receiverSecret,
  })
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
    only: [...forgeries],
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

  test.each(Object.entries(signedMistakes))(
    'with the mistake %s fails exactly its modules',
    async (mistake, modules) => {
      expect(failed(await run([mistake as SignedMistake]))).toEqual(modules)
    },
  )

  test('that compares the secret and no signature fails the modules about forgeries', async () => {
    const report = await sandbox.audit.receiver({
      receive: recommendedHelper(secret).receive,
      secret,
      profile: 'standard-webhooks',
      only: ['standard'],
    })
    expect(failed(report)).toEqual([...signedMistakes['no-check'], ...signedMistakes['no-time']])
  })
})

describe('a hostile receiver', () => {
  const quick = { only: ['body', 'size/large'] }

  test('that crashes fails the module after which it no longer responded', async () => {
    let count = 0
    const server = await openServer((_request, response) => {
      count++
      if (count <= 3) {
        response.end()
        return
      }
      void server.close()
    })
    const report = await sandbox.audit.receiver({ url: server.origin, ...quick })
    expect(report.state).toBe('broken')
    expect(report.problem).toContain('to a correct delivery after body/')
    expect(failed(report)).toHaveLength(
      report.verdicts.findIndex(({ outcome }) => outcome === 'not-reached'),
    )
    expect(report.verdicts.at(-1)?.outcome).toBe('not-reached')
  })

  test('that sends 200 MB is read no further than needed', async () => {
    const part = Buffer.alloc(1024 * 1024)
    const server = await hookOf((_request, response) => {
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
    const report = await sandbox.audit.receiver({ url: server, only: ['future/members'] })
    expect(report.verdicts[0]?.outcome).toBe('passed')
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('that redirects to the sandbox is not followed', async () => {
    const server = await hookOf((_request, response) => {
      response.writeHead(307, { location: `${sandbox.url}/_sandbox/api/reset` }).end()
    })
    await expect(sandbox.audit.receiver({ url: server, ...quick })).rejects.toThrow(
      'responded with 307 to a correct delivery',
    )
  })

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['hangs', () => undefined, 'no response within'],
    [
      'never ends its response',
      (response) => void response.write(' '),
      'but the response was not complete within',
    ],
    [
      'sends a byte a second',
      (response) => {
        response.write(' ')
        const timer = setInterval(() => response.write(' '), 1000)
        response.once('close', () => clearInterval(timer))
      },
      'was not complete within',
    ],
  ])('that %s ends the audit at the deadline', async (_title, respond, problem) => {
    const server = await hookOf((_request, response) => respond(response))
    await expect(sandbox.audit.receiver({ url: server, profile: 'ci', ...quick })).rejects.toThrow(
      problem,
    )
  })

  test.each([
    ['is the sandbox itself', () => sandbox.url, 'belongs to this sandbox'],
    ['is a public address', () => 'http://93.184.216.34/hook', 'start with --allow-network'],
    [
      'does not listen',
      () => 'http://127.0.0.1:1/hook',
      'ECONNREFUSED 127.0.0.1:1. Nothing listens on this host and port. Start the receiver',
    ],
    ['has no URL', () => 'localhost:8000', 'starts with http'],
  ])('that %s is refused', async (_title, url, message) => {
    await expect(sandbox.audit.receiver({ url: url(), ...quick })).rejects.toThrow(message)
  })

  test.each([
    [{ only: ['secret/mising'] }, 'did you mean "secret/missing"?'],
    [{ plan: 'oidf' as const }, 'use core or full'],
    [{ plan: 'oidf' as const, skip: ['secrets'] }, 'There are 2 mistakes'],
    [{ secret: 'ends with ' }, 'begins or ends with a space'],
    [{ event: 'repo.contents.update' }, 'did you mean "repo.content.update"?'],
    [{ effects: 'localhost:8000/count' }, 'use one that starts with http:// or https://'],
    [{ effects: 'http://8.8.8.8/count' }, 'public address'],
  ])('invalid options are refused: %o', async (options, message) => {
    const receive = async () => new Response()
    await expect(sandbox.audit.receiver({ receive, ...options })).rejects.toThrow(message)
  })
})

test('the audit of a webhook counts for no quota and no suspension, and is not among the deliveries', async () => {
  const server = await hookOf((request, response) => {
    const isRight = request.headers['x-webhook-secret'] === receiverSecret
    request.resume().on('end', () => response.writeHead(isRight ? 200 : 500).end())
  })
  const { id } = await sandbox.control<{ id: string }>(
    'POST',
    'webhooks',
    webhookAt(server, { secret: receiverSecret }),
  )
  const report = await sandbox.audit.receiver({ webhookId: id, only: [...forgeries] })
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
  const server = await hookOf((request, response) => {
    response.writeHead(request.method === 'GET' ? 404 : 200).end()
  })
  const effects = `${server}/count`
  await expect(sandbox.audit.receiver({ url: server, effects, only: ['again'] })).rejects.toThrow(
    'The effects could not be read: responded with 404',
  )
})

const hookOf = async (listener: RequestListener) => `${await serve(listener)}/hook`
