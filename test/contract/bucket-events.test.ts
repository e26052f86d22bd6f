import { commit, createRepo } from '@huggingface/hub'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'

const accessToken = 'hf_sandbox_alice'
let sandbox: Sandbox
/** Another one for each test: the JavaScript client keeps its Xet tokens by the name of the repo. */
let tests = 0
let name = ''
beforeAll(async () => {
  sandbox = await startSandbox()
})
beforeEach(async () => {
  tests += 1
  name = `alice/followed-${tests}`
  await sandbox.reset()
  await createRepo({ repo: { type: 'bucket', name }, accessToken, hubUrl: sandbox.url })
})
afterAll(() => sandbox.close())

interface Change {
  path: string
  op: string
  size?: number
  xetHash?: string
  uploadedAt?: string
}
interface Event {
  name: string
  data: { cursor?: string; reason?: string; changes?: Change[] }
}

const as = (token = accessToken) => ({ authorization: `Bearer ${token}` })
const ask = (query = '', token = accessToken) =>
  fetch(`${sandbox.url}/api/buckets/${name}/events${query}`, { headers: as(token) })

async function* eventsIn(response: Response): AsyncGenerator<Event> {
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes as Uint8Array).toString()
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event, data = '{}'] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      if (event !== undefined) yield { name: event, data: JSON.parse(data) as Event['data'] }
    }
  }
}

/** Follows the bucket until the test ends. */
async function follow(query = '', token = accessToken) {
  const response = await ask(query, token)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = eventsIn(response)
  onTestFinished(async () => {
    await events.return(undefined)
  })
  return async (): Promise<Event | 'end'> => {
    const { value, done } = await events.next()
    return done === true ? 'end' : value
  }
}

const batch = (...operations: object[]) =>
  fetch(`${sandbox.url}/api/buckets/${name}/batch`, {
    method: 'POST',
    headers: { ...as(), 'content-type': 'application/x-ndjson' },
    body: operations.map((operation) => JSON.stringify(operation)).join('\n'),
  })
const add = (path: string) => ({ type: 'addFile', path, xetHash: '0'.repeat(64) })
const updatedAt = async () =>
  (
    (await (await fetch(`${sandbox.url}/api/buckets/${name}`, { headers: as() })).json()) as {
      updatedAt: string
    }
  ).updatedAt
const added = (path: string) => ({
  path,
  op: 'add',
  size: 0,
  xetHash: '0'.repeat(64),
  uploadedAt: expect.any(String) as string,
})
const cursor = expect.any(String) as string

describe('the feed of a bucket', () => {
  test('begins with ready, then reports what is added, overwritten and deleted', async () => {
    const next = await follow()
    expect(await next()).toEqual({ name: 'ready', data: { cursor } })
    const content = new Blob(['hello'])
    await commit({
      repo: { type: 'bucket', name },
      accessToken,
      hubUrl: sandbox.url,
      title: '',
      operations: [{ operation: 'addOrUpdate', path: 'a/b.txt', content }],
    })
    expect(await next()).toMatchObject({
      name: 'changes',
      data: { cursor, changes: [{ path: 'a/b.txt', op: 'add', size: 5 }] },
    })
    await batch(add('c'), { type: 'deleteFile', path: 'a/b.txt' })
    expect(await next()).toEqual({
      name: 'changes',
      data: { cursor, changes: [added('c'), { path: 'a/b.txt', op: 'delete' }] },
    })
  })

  test('goes on behind a cursor, and from a time on', async () => {
    const start = await updatedAt()
    const first = await follow()
    const ready = await first()
    await batch(add('a'))
    const change = await first()
    await batch(add('b'))
    const cursorOf = (event: Event | 'end') => (event === 'end' ? '' : (event.data.cursor ?? ''))
    const pathsOf = async (query: string) => {
      const next = await follow(query)
      const paths: string[] = []
      for (let event = await next(); event !== 'end'; event = await next()) {
        if (event.name === 'ready') return paths
        paths.push(...(event.data.changes ?? []).map(({ path }) => path))
      }
      return 'ended'
    }
    expect(await pathsOf(`?cursor=${cursorOf(ready)}`)).toEqual(['a', 'b'])
    expect(await pathsOf(`?cursor=${cursorOf(change)}`)).toEqual(['b'])
    expect(await pathsOf(`?since=${start}`)).toEqual(['a', 'b'])
    expect(await pathsOf('')).toEqual([])
  })

  test('ends with the token of its reader', async () => {
    const tokens = `${sandbox.url}/_sandbox/api/tokens`
    const made = await fetch(tokens, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'alice', scope: 'read-repos' }),
    })
    const { access_token: token } = (await made.json()) as { access_token: string }
    const listed = (await (await fetch(tokens)).json()) as {
      items: { id: string; token: string }[]
    }
    const id = listed.items.find((item) => item.token === token)?.id
    const next = await follow('', token)
    expect(await next()).toMatchObject({ name: 'ready' })
    await fetch(`${tokens}/${id}`, { method: 'DELETE' })
    await batch(add('secret'))
    expect(await next()).toBe('end')
  })

  test.each(['cursor=none', 'since=yesterday'])('refuses %s', async (query) => {
    const answer = await ask(`?${query}`)
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/Invalid (cursor|time)/),
    ])
  })

  test('tells a client that has missed changes to list the files, once', async () => {
    const old = await follow('?since=2001-01-01T00:00:00.000Z')
    expect(await old()).toMatchObject({ name: 'reset' })
    expect(await old()).toBe('end')
    const again = await follow(`?since=${await updatedAt()}`)
    expect(await again()).toMatchObject({ name: 'ready' })
  })

  test('tells all clients at a reset of the sandbox, whose cursors are then unknown', async () => {
    const next = await follow()
    const ready = (await next()) as Event
    await sandbox.reset()
    expect(await next()).toMatchObject({ name: 'reset' })
    expect(await next()).toBe('end')
    await createRepo({ repo: { type: 'bucket', name }, accessToken, hubUrl: sandbox.url })
    const again = await follow(`?cursor=${ready.data.cursor}`)
    expect(await again()).toMatchObject({ name: 'reset' })
  })

  test('is for those who may read the bucket, and ends with the right and the bucket', async () => {
    const next = await follow('', 'hf_sandbox_bob')
    await next()
    await fetch(`${sandbox.url}/api/buckets/${name}/settings`, {
      method: 'PUT',
      headers: { ...as(), 'content-type': 'application/json' },
      body: '{"private":true}',
    })
    await batch(add('secret'))
    expect(await next()).toBe('end')
    expect((await ask('', 'hf_sandbox_bob')).status).toBe(404)
    const own = await follow()
    await own()
    await fetch(`${sandbox.url}/api/buckets/${name}`, { method: 'DELETE', headers: as() })
    expect(await own()).toBe('end')
  })
})
