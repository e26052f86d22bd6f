import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { callerAt } from '../helpers/cast.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'
import { commitFilesByClient } from '../helpers/xet-files.ts'

const accessToken = 'hf_sandbox_alice'
const sandbox = sharedSandbox()
const alice = callerAt(sandbox, accessToken)
/** Another one for each test: the JavaScript client keeps its Xet tokens by the name of the repo. */
let tests = 0
let name = ''
let bucket = ''
beforeEach(async () => {
  tests += 1
  name = `alice/followed-${tests}`
  bucket = `/api/buckets/${name}`
  await alice.post(bucket, {})
})

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

const ask = (query = '', token = accessToken) =>
  fetch(`${sandbox.url}${bucket}/events${query}`, { headers: { authorization: `Bearer ${token}` } })

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

const batch = (...operations: object[]) => alice.postLines(`${bucket}/batch`, operations)
const add = (path: string) => ({ type: 'addFile', path, xetHash: '0'.repeat(64) })
const updatedAt = async () => (await alice.get<{ updatedAt: string }>(bucket)).body.updatedAt
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
    await commitFilesByClient(sandbox.url, { type: 'bucket', name }, { 'a/b.txt': 'hello' })
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
    const { access_token: token } = await sandbox.tokens.mint({
      user: 'alice',
      scope: 'read-repos',
    })
    const next = await follow('', token)
    expect(await next()).toMatchObject({ name: 'ready' })
    await sandbox.tokens.revoke(token)
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
    await alice.post(bucket, {})
    const again = await follow(`?cursor=${ready.data.cursor}`)
    expect(await again()).toMatchObject({ name: 'reset' })
  })

  test('is for those who may read the bucket, and ends with the right and the bucket', async () => {
    const next = await follow('', 'hf_sandbox_bob')
    await next()
    await alice.put(`${bucket}/settings`, { private: true })
    await batch(add('secret'))
    expect(await next()).toBe('end')
    expect((await ask('', 'hf_sandbox_bob')).status).toBe(404)
    const own = await follow()
    await own()
    await alice.delete(bucket)
    expect(await own()).toBe('end')
  })
})
