import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'

const readme = (title: string, more = '') => ({
  'README.md': `---\ntitle: ${title}\n${more}---\n`,
})

async function start() {
  const sandbox = await startSandbox({
    fixtures: {
      users: [
        { username: 'alice', isPro: true, tokens: [{ token: 'hf_sandbox_alice', role: 'write' }] },
        { username: 'bob', tokens: [{ token: 'hf_sandbox_bob', role: 'read' }] },
      ],
      apps: [{ name: 'App', redirectUris: ['http://localhost/'] }],
      repos: [
        { type: 'space', name: 'alice/one', files: readme('Generate an image') },
        {
          type: 'space',
          name: 'alice/two',
          sdk: 'docker',
          files: readme('Image viewer', 'sdk: docker\n'),
        },
        { type: 'space', name: 'alice/three', private: true, files: readme('Secret image') },
        { type: 'space', name: 'alice/four', files: readme('Translate texts') },
        {
          type: 'space',
          name: 'alice/page',
          sdk: 'static',
          files: readme('Page', 'sdk: static\n'),
        },
      ],
    },
  })
  onTestFinished(() => sandbox.close())
  const ask = (path: string, token = 'hf_sandbox_alice', method = 'GET', body?: object) =>
    fetch(`${sandbox.url}${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const search = async (query: string, token?: string) => {
    const response = await ask(`/api/spaces/semantic-search?${query}`, token)
    return ((await response.json()) as { id: string }[]).map(({ id }) => id)
  }
  return { ask, search }
}

test('the search finds visible, running Spaces by their words, the best first', async () => {
  const { ask, search } = await start()
  expect(await search('q=generate%20image')).toEqual(
    expect.arrayContaining(['alice/one', 'alice/two', 'alice/three']),
  )
  expect((await search('q=generate%20image'))[0]).toBe('alice/one')
  expect(await search('q=secret%20image', 'hf_sandbox_bob')).not.toContain('alice/three')
  expect(await search('q=image&sdk=docker', '')).toEqual(['alice/two'])
  expect(await search('q=image&filter=none')).toEqual([])
  await ask('/api/spaces/alice/one/pause', undefined, 'POST')
  expect(await search('q=generate')).not.toContain('alice/one')
  expect(await search('q=generate&includeNonRunning=true')).toContain('alice/one')
  expect((await ask('/api/spaces/semantic-search')).status).toBe(400)
})

test('the logs of a Space are events that say that nothing runs, for writers only', async () => {
  const { ask } = await start()
  const build = await ask('/api/spaces/alice/two/logs/build')
  expect(build.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const events = (await build.text()).split('\n\n').filter((event) => event !== '')
  expect(events.map((event) => JSON.parse(event.slice('data: '.length)).data)).toEqual([
    expect.stringMatching(/^===== Build Queued at .* \/ Commit SHA: [0-9a-f]{7} =====\n$/),
    'Not built: hub-sandbox builds no Spaces.\n',
  ])
  expect(await (await ask('/api/spaces/alice/two/logs/run')).text()).toContain(
    'Application Startup',
  )
  await ask('/api/spaces/alice/two/pause', undefined, 'POST')
  expect(await (await ask('/api/spaces/alice/two/logs/run')).text()).toBe('')
  const statuses = [
    await ask('/api/spaces/alice/page/logs/run'),
    await ask('/api/spaces/alice/two/logs/other'),
    await ask('/api/spaces/alice/two/logs/run', 'hf_sandbox_bob'),
    await ask('/api/spaces/alice/three/logs/run', 'hf_sandbox_bob'),
  ]
  expect(statuses.map(({ status }) => status)).toEqual([400, 400, 403, 404])
})

test('the ZeroGPU quota follows from the plan, and needs read-billing', async () => {
  const { ask } = await start()
  const quota = async (token?: string) => {
    const response = await ask('/api/spaces/zero-gpu/quota', token)
    return response.status === 200 ? await response.json() : response.status
  }
  expect(await quota()).toEqual({ base: 2400, current: 2400, overquotaUsed: 0 })
  expect(await quota('hf_sandbox_bob')).toMatchObject({ base: 300 })
  expect(await quota('')).toBe(401)
  const minted = await ask('/_sandbox/api/tokens', '', 'POST', { user: 'alice', scope: 'openid' })
  const { access_token: token } = (await minted.json()) as { access_token: string }
  expect(await quota(token)).toBe(403)
})
