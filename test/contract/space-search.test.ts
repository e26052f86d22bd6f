import { expect, test } from 'vitest'
import { callerAt } from '../helpers/cast.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const space = (name: string, title: string, sdk?: 'docker' | 'static') => ({
  type: 'space' as const,
  name: `alice/${name}`,
  ...(sdk !== undefined && { sdk }),
  files: { 'README.md': `---\ntitle: ${title}\n${sdk === undefined ? '' : `sdk: ${sdk}\n`}---\n` },
})

async function start() {
  const sandbox = await startTestSandbox({
    fixtures: {
      users: [
        { username: 'alice', isPro: true, tokens: [{ token: 'hf_sandbox_alice', role: 'write' }] },
        { username: 'bob', tokens: [{ token: 'hf_sandbox_bob', role: 'read' }] },
      ],
      apps: [{ name: 'App', redirectUris: ['http://localhost/'] }],
      repos: [
        space('one', 'Generate an image'),
        space('two', 'Image viewer', 'docker'),
        { ...space('three', 'Secret image'), private: true },
        space('four', 'Translate texts'),
        space('page', 'Page', 'static'),
      ],
    },
  })
  const alice = callerAt(sandbox, 'hf_sandbox_alice')
  const bob = callerAt(sandbox, 'hf_sandbox_bob')
  const search = async (query: string, user = alice) =>
    (await user.get<{ id: string }[]>(`/api/spaces/semantic-search?${query}`)).body.map(
      ({ id }) => id,
    )
  return { sandbox, alice, bob, nobody: callerAt(sandbox), search }
}

test('the search finds visible, running Spaces by their words, the best first', async () => {
  const { alice, bob, nobody, search } = await start()
  expect(await search('q=generate%20image')).toEqual(
    expect.arrayContaining(['alice/one', 'alice/two', 'alice/three']),
  )
  expect((await search('q=generate%20image'))[0]).toBe('alice/one')
  expect(await search('q=secret%20image', bob)).not.toContain('alice/three')
  expect(await search('q=image&sdk=docker', nobody)).toEqual(['alice/two'])
  expect(await search('q=image&filter=none')).toEqual([])
  await alice.post('/api/spaces/alice/one/pause')
  expect(await search('q=generate')).not.toContain('alice/one')
  expect(await search('q=generate&includeNonRunning=true')).toContain('alice/one')
  expect((await alice.get('/api/spaces/semantic-search')).status).toBe(400)
})

test('the logs of a Space are events that say that nothing runs, for writers only', async () => {
  const { alice, bob } = await start()
  const build = await alice.get<string>('/api/spaces/alice/two/logs/build')
  expect(build.headers['content-type']).toMatch(/^text\/event-stream/)
  const events = build.body.split('\n\n').filter((event) => event !== '')
  expect(events.map((event) => JSON.parse(event.slice('data: '.length)).data)).toEqual([
    expect.stringMatching(/^===== Build Queued at .* \/ Commit SHA: [0-9a-f]{7} =====\n$/),
    'Not built: hub-sandbox builds no Spaces.\n',
  ])
  const last = await alice.get<string>('/api/spaces/alice/two/logs/build?tail=1')
  expect(last.body).toContain('Not built')
  expect(last.body).not.toContain('Build Queued')
  expect((await alice.get('/api/spaces/alice/two/logs/build?tail=-1')).status).toBe(400)
  expect((await alice.get('/api/spaces/alice/two/logs/run')).body).toContain('Application Startup')
  await alice.post('/api/spaces/alice/two/pause')
  expect((await alice.get('/api/spaces/alice/two/logs/run')).body).toBe('')
  const statuses = [
    await alice.get('/api/spaces/alice/page/logs/run'),
    await alice.get('/api/spaces/alice/two/logs/other'),
    await bob.get('/api/spaces/alice/two/logs/run'),
    await bob.get('/api/spaces/alice/three/logs/run'),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([400, 400, 403, 404])
})

test('the ZeroGPU quota follows from the plan, and needs read-billing', async () => {
  const { sandbox, alice, bob, nobody } = await start()
  const quota = async (user = alice) => {
    const { status, body } = await user.get('/api/spaces/zero-gpu/quota')
    return status === 200 ? body : status
  }
  expect(await quota()).toEqual({ base: 2400, current: 2400, resetsAt: null, overquotaUsed: 0 })
  expect(await quota(bob)).toMatchObject({ base: 300 })
  expect(await quota(nobody)).toBe(401)
  const wanted = { user: 'alice', scope: 'openid' }
  const minted = await nobody.post<{ access_token: string }>('/_sandbox/api/tokens', wanted)
  expect(await quota(callerAt(sandbox, minted.body.access_token))).toBe(403)
})
