import { expect, test } from 'vitest'
import { controlWorld, publicClient } from '../helpers/control.ts'

const world = controlWorld()

interface Kinds {
  items: { event: string; kinds: { kind: string }[] }[]
}

// A fork holds the same records as its origin, and a snapshot those that were there when it was taken.
test('no record is changed in place by any operation', async () => {
  const { call, hub } = world
  const failed: string[] = []
  const act = async (method: string, path: string, body?: unknown) => {
    freezeAll()
    const answer = await call(method, path, body)
    if (answer.status >= 500) failed.push(`${method} ${path} ${JSON.stringify(answer.body)}`)
    return answer
  }

  await act('POST', 'webhooks', {
    url: 'http://127.0.0.1:1/',
    watched: [{ type: 'org', name: 'acme' }],
    domains: ['repo', 'discussions'],
  })
  const { body } = await act('GET', 'events')
  for (const { event, kinds } of (body as unknown as Kinds).items) {
    for (const kind of kinds.length === 0 ? [undefined] : kinds.map((each) => each.kind)) {
      const repo = repoFor(event, kind)
      if (kind === 'files') await act('POST', 'events', { event: 'repo.create', repo })
      const { status } = await act('POST', 'events', {
        event,
        repo,
        ...(kind === undefined ? {} : { kind }),
      })
      if (status !== 202) failed.push(`${event} ${kind}: ${status}`)
    }
    if (event === 'repo.delete') world.sandbox.deps.reset()
  }

  for (const [method, path, change] of [
    ['PATCH', 'users/alice', { fullname: 'Alice', email: 'alice@new.example' }],
    ['PATCH', 'organizations/acme', { members: [{ user: 'alice', role: 'admin' }] }],
    ['PATCH', `apps/${publicClient}`, { scopes: ['openid'], name: 'Renamed' }],
    ['POST', `apps/${publicClient}/secret`, {}],
    ['POST', 'tokens', { user: 'bob', role: 'write' }],
    ['POST', 'keys/rotate', {}],
    ['POST', 'clock', { advance: '9h' }],
    ['POST', 'sessions', { user: 'alice' }],
  ] as const) {
    const { status, body: told } = await act(method, path, change)
    expect({ path, status, told }).toMatchObject({ path, status: expect.toSatisfy(isSuccess) })
  }
  freezeAll()
  const code = await hub('POST', '/oauth/device', { form: { client_id: publicClient } })
  const { user_code: userCode } = code.body as { user_code: string }
  await act('POST', `device/${userCode}`, { user: 'alice', decision: 'approve' })
  await act('DELETE', 'users/bob')
  await act('POST', 'reset', {})
  expect(failed).toEqual([])
})

function repoFor(event: string, kind: string | undefined): string {
  if (event === 'repo.create') return 'datasets/acme/made'
  return kind === 'files' ? 'buckets/acme/data' : 'datasets/acme/corpus'
}

const isSuccess = (status: number) => status >= 200 && status < 300

function freezeAll(): void {
  for (const collection of Object.values(world.sandbox.deps.state)) {
    for (const record of collection.values()) freeze(record)
  }
}

/** A change in place then throws, and whoever asked for it is answered 500. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (ArrayBuffer.isView(value) || Object.isFrozen(value)) return
  Object.freeze(value)
  Object.values(value).forEach(freeze)
}
