import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { againstDrift, type AgainstDrift, type Side } from '../../server/lab/drift/against-drift.ts'
import { keyOf } from '../../server/lab/drift/difference.ts'
import { readingSteps } from '../../server/lab/drift/reading-steps.ts'
import { createSend } from '../../server/lab/drift/send-calls.ts'
import type { Send } from '../../server/lab/drift/tour.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { sharedSandbox, startTestSandbox } from '../helpers/sandbox.ts'

const sandbox = sharedSandbox({}, { keepsState: true })
const other = sharedSandbox({}, { keepsState: true })

type Response = Awaited<ReturnType<Send>>

function sideOf(origin: string): Side {
  const deps = { fetch, wait: async () => {}, now: () => 0 }
  return {
    send: createSend({ origin, tokens: { owner: 'hf_sandbox_alice' } }, deps),
    names: new Map(),
  }
}

/** Changes the JSON of a response. */
const changed = (change: (body: never) => unknown) => (response: Response) => ({
  ...response,
  text: JSON.stringify(change(JSON.parse(response.text) as never)),
})

/** Changes a header of a response; null removes it. */
const withHeader = (name: string, value: string | null) => (response: Response) => {
  const headers = new Headers(response.headers)
  if (value === null) headers.delete(name)
  else headers.set(name, value)
  return { ...response, headers }
}

const without = (name: string) =>
  changed((body: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)),
  )

/** Ways in which a Hub differs from the sandbox: the call, the change, and the difference that must be found. */
const ways: readonly [call: string, change: (response: Response) => Response, found: string][] = [
  ['GET /api/whoami-v2', without('isPro'), 'extra member isPro'],
  [
    'GET /api/models?limit=1&full=true',
    changed((list: object[]) => list.map((one) => ({ ...one, trend: 1 }))),
    'missing member [].trend',
  ],
  ['GET /api/models/{model}', changed((body: object) => ({ ...body, likes: '5' })), 'type likes'],
  [
    'GET /api/models/{model}/refs',
    changed((body: object) => ({ ...body, branches: {} })),
    'type branches',
  ],
  [
    'GET /api/datasets/{dataset}',
    changed((body: object) => ({ ...body, lastModified: null })),
    'type lastModified',
  ],
  [
    'GET /api/models/{model}/revision/no-such-branch',
    (response) => ({ ...response, status: 400 }),
    'status',
  ],
  [
    'GET /api/models/no-such-owner-0/no-such-repo-0',
    (response) => ({ ...response, status: 401 }),
    'status',
  ],
  ['GET /api/models?limit=0', (response) => ({ ...response, status: 200 }), 'status'],
  [
    'HEAD /{model}/resolve/main/{modelFile}',
    withHeader('etag', 'W/"4f5a9c0000000000000000000000000000000000"'),
    'header etag',
  ],
  [
    'GET /{model}/resolve/main/{modelFile}',
    withHeader('x-repo-commit', null),
    'header x-repo-commit',
  ],
  [
    'GET /{model}/resolve/main/no-such-file',
    withHeader('x-error-code', 'FileNotFound'),
    'header x-error-code',
  ],
  [
    'HEAD /datasets/{dataset}/resolve/main/{datasetFile}',
    withHeader('content-length', null),
    'header content-length',
  ],
  [
    'GET /datasets/{dataset}/resolve/main/{datasetFile}',
    withHeader('location', 'https://cdn.example/a/b?signature=1'),
    'header location',
  ],
  [
    'GET /api/spaces/{space}/tree/main',
    withHeader('link', '<https://hub.example/api/spaces?cursor=x>; rel="next"'),
    'header link',
  ],
  ['GET /api/spaces/{space}/runtime', withHeader('ratelimit', null), 'header ratelimit'],
  [
    'GET /api/users/{user}/overview',
    withHeader('content-type', 'application/problem+json'),
    'header content-type',
  ],
  [
    'GET /{model}/raw/main/{modelFile}',
    withHeader('content-disposition', 'attachment'),
    'header content-disposition',
  ],
  [
    'GET /api/organizations/{organization}/members',
    changed((list: { user: string }[]) =>
      list.map(({ user: name, ...rest }) => ({ ...rest, name })),
    ),
    'missing member [].name',
  ],
  [
    'GET /api/models/{model}/tree/main?recursive=true&expand=true',
    changed((list: { lastCommit: object }[]) =>
      list.map((one) => ({ ...one, lastCommit: { ...one.lastCommit, date: 1 } })),
    ),
    'type [].lastCommit.date',
  ],
  [
    'GET /api/whoami-v2 without a token',
    changed((body: object) => ({ ...body, statusCode: 401 })),
    'missing member statusCode',
  ],
]

/** A Hub that differs from the sandbox in all of these ways. */
function differing({ send, names }: Side): Side {
  const fill = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name: string) => names.get(name) ?? '')
  return {
    names,
    send: async (sent) => {
      const call = `${sent.method} ${sent.path}${sent.as === 'nobody' ? ' without a token' : ''}`
      const way = ways.find(([of]) => fill(of) === call)
      const response = await send(sent)
      return way === undefined ? response : way[1](response)
    },
  }
}

const keys = ({ differences }: AgainstDrift) => differences.map(keyOf)

describe('a sandbox beside a Hub', () => {
  let found: AgainstDrift
  beforeAll(async () => {
    const hub = differing(sideOf(other.url))
    found = await againstDrift(readingSteps, { hub, here: sideOf(sandbox.url) })
  })

  test('that is the same shows no difference, and most calls are compared', async () => {
    const same = await againstDrift(readingSteps, {
      hub: sideOf(other.url),
      here: sideOf(sandbox.url),
    })
    expect(same.differences).toEqual([])
    expect(same.calls).toBeGreaterThan(100)
    expect(same.calls + new Set(same.left.map(({ call }) => call)).size).toBe(readingSteps.length)
  })

  test.each(ways)('%s', (call, _, difference) => {
    expect(keys(found)).toContain(`${call} ${difference}`)
  })

  test('shows these twenty differences', () => {
    expect(
      new Set(
        keys(found).map((key) =>
          key.replace(/ (?:extra member|missing member|type|status|header).*/, ''),
        ),
      ).size,
    ).toBe(20)
    const expected = new Set(ways.map(([call, , difference]) => `${call} ${difference}`))
    // A renamed member is missing by one name and extra by the other.
    expect(keys(found).filter((key) => !expected.has(key))).toEqual([
      'GET /api/organizations/{organization}/members extra member [].user',
    ])
  })

  test('is never changed by it', () => {
    const writing = readingSteps.filter(({ call }) => !/^(?:GET|HEAD) /.test(call))
    expect(writing.map(({ call }) => call.replace(/\{\w+\}/g, '{}'))).toEqual(
      expect.arrayContaining(['POST /api/models/{}/paths-info/main']),
    )
    const looksUp = /^POST (?:\S+\/paths-info(?:\/main)?|\/api\/quicksearch)$/
    expect(writing.filter(({ call }) => !looksUp.test(call))).toEqual([])
  })
})

const { folder, run } = commandLineWorld()
const options = { timeout: 120_000 }

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A host of its own. */
async function hostOf(handler: Handler): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const against = (url: string, ...args: string[]) =>
  run(['drift', '--against', url, '--rate', '1000', ...args]).ended

describe('drift --against', () => {
  test('says what it asks, then that nothing differs', options, async () => {
    const { url } = await startTestSandbox()
    const { code, stdout, stderr } = await against(url, '--token', 'hf_sandbox_alice')
    expect(stderr).toContain(`Asking ${url} with your token, at most 1000 calls a second`)
    expect(stderr).toContain('  GET /api/whoami-v2\n')
    expect(stderr).not.toContain('hf_sandbox_alice')
    expect(stdout).toMatch(/Compared with http\S+\. \d+ calls: 0 differences/)
    expect(code).toBe(0)
  })

  test(
    'tells a difference, and sends the token to the host that was named alone',
    options,
    async () => {
      const { url } = await startTestSandbox()
      const elsewhere: (string | undefined)[] = []
      const foreign = await hostOf(({ headers }, response) => {
        elsewhere.push(headers.authorization)
        response.end()
      })
      let tokens = 0
      const hub = await hostOf((request, response) => {
        const { authorization } = request.headers
        if (authorization === 'Bearer hf_sandbox_alice') tokens++
        if (request.url === '/api/agent-harnesses') {
          response.writeHead(302, { location: foreign }).end()
          return
        }
        void fetch(`${url}${request.url}`, {
          method: request.method ?? 'GET',
          redirect: 'manual',
          // What is passed on is no longer packed.
          headers: { 'accept-encoding': 'identity', ...(authorization && { authorization }) },
        }).then(async (answer) => {
          const body = Buffer.from(await answer.arrayBuffer())
          const headers = Object.fromEntries(answer.headers)
          response.writeHead(answer.status, { ...headers, 'content-length': body.length }).end(body)
        })
      })
      const { code, stdout } = await against(hub, '--token', 'hf_sandbox_alice')
      expect(stdout).toMatch(/^GET \/api\/agent-harnesses\n {2}status +Hub: 302; here: 200$/m)
      expect(code).toBe(1)
      expect(tokens).toBeGreaterThan(50)
      expect(elsewhere).toEqual([])
    },
  )

  test.each([
    [
      'a page',
      { 'content-type': 'text/html' },
      200,
      'is no Hub: GET /api/models?limit=1 responds with 200 and text/html',
    ],
    [
      'a refusal',
      { 'content-type': 'application/json' },
      503,
      'is no Hub: GET /api/models?limit=1 responds with 503',
    ],
    [
      'a 429 for an hour',
      { 'retry-after': '3600' },
      429,
      'refuses further calls (429): wait 3600 s',
    ],
  ] as const)(
    'refuses a host that responds with %s',
    options,
    async (_, headers, status, message) => {
      const url = await hostOf((request, response) => {
        response.writeHead(status, headers).end('<html>')
      })
      const { code, stdout, stderr } = await against(url)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).toContain(message)
    },
  )

  test.each([
    [['--against', 'huggingface.co'], '--against requires a URL'],
    [['--against', 'http://localhost:1', '--rate', '0'], '--rate requires a number'],
    [['--against', 'http://localhost:1', '--repo', 'one'], '--repo requires a repo such as'],
    [[], 'Pass --openapi with the OpenAPI document of the Hub, or --against'],
    [['--openapi', 'x.json', '--against', 'http://localhost:1'], '--openapi'],
  ])('refuses %j', options, async (args, message) => {
    const { code, stderr } = await run(['drift', ...args]).ended
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})

describe('drift --openapi', () => {
  interface Report {
    summary: string
    differences: { key: string; kind: string; hub: string; here: string; reason?: string }[]
  }

  /** The sandbox's own document, with one operation changed. */
  async function ownDocument(change: (document: Document) => void): Promise<string> {
    const document = (await (
      await fetch(`${sandbox.url}/_sandbox/openapi.json`)
    ).json()) as Document
    change(document)
    const file = join(folder(), 'hub.json')
    writeFileSync(file, JSON.stringify(document))
    return file
  }
  interface Document {
    paths: Record<string, Record<string, { parameters: { name: string; schema: object }[] }>>
  }
  const compared = async (file: string, ...args: string[]) =>
    run(['drift', '--openapi', file, ...args]).ended

  test('finds what a document says otherwise, in each format', options, async () => {
    const file = await ownDocument(({ paths }) => {
      paths['/api/invented'] = { get: { parameters: [] } }
      const list = paths['/api/collections']?.['get']?.parameters.find(
        ({ name }) => name === 'limit',
      )
      Object.assign(list?.schema ?? {}, { maximum: 7 })
    })
    const { code, stdout } = await compared(file, '--json')
    expect(code).toBe(1)
    const { differences } = JSON.parse(stdout) as Report
    expect(differences.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        'GET /api/invented missing operation',
        'GET /api/collections wider ?limit',
      ]),
    )
    // Its own requests differ in nothing else.
    const ofInputs = differences.filter(({ kind }) => /input|narrower|wider|default/.test(kind))
    expect(ofInputs).toHaveLength(1)

    const table = await compared(file, '--format', 'markdown')
    expect(table.stdout).toContain('| `GET /api/collections` | wider | `?limit` | at most 7 |')
    const explained = await compared(file, '--explain', 'GET /api/collections wider ?limit')
    expect(explained.stdout).toContain('The sandbox takes what the Hub refuses: it is kinder.')
    const mistyped = await compared(file, '--explain', 'GET /api/collections wider ?limits')
    expect(mistyped).toMatchObject({ code: 2, stderr: expect.stringContaining('?limit"?') })
  })

  test('writes a report whole, or says why not', options, async () => {
    const file = await ownDocument(() => {})
    const out = join(folder(), 'drift.md')
    await compared(file, '--out', out)
    expect(readFileSync(out, 'utf8')).toMatch(/^### The sandbox beside the Hub\n/)
    expect(await compared(file, '--out', join(out, 'x.md'))).toMatchObject({ code: 2, stdout: '' })
  })

  test('refuses what is no document', options, async () => {
    const file = join(folder(), 'page.html')
    writeFileSync(file, '<!doctype html>')
    for (const [source, message] of [
      [file, 'it is a page in HTML; an OpenAPI document in JSON is needed.'],
      [join(folder(), 'gone.json'), 'does not exist.'],
      [`${sandbox.url}/api/nothing`, 'the server responds with'],
    ] as const) {
      const { code, stderr } = await compared(source)
      expect(code).toBe(2)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).toContain(message)
    }
  })
})
