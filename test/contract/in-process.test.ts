import { describe, expect, test, vi } from 'vitest'
import { type SandboxOptions, startSandbox } from '../../server/index.ts'
import { spareKey } from '../../server/app/spare-key.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

describe('startSandbox', () => {
  test('repeats itself with a seed', async () => {
    const tokens = []
    for (let run = 0; run < 2; run++) {
      const sandbox = await startTestSandbox({ seed: 7, baseUrl: 'http://localhost:7421' })
      await sandbox.clock.freeze()
      await sandbox.clock.set('2026-01-01T00:00:00Z')
      const { keys } = sandbox
      tokens.push([
        (await sandbox.signIn({ scope: 'profile' })).access_token,
        (await keys.list())[0]?.jwk['n'],
      ])
    }
    expect(tokens[0]).toEqual(tokens[1])
  })

  test('generates the signing key when called, and none for a seed', async () => {
    const prepare = vi.spyOn(spareKey, 'prepare')
    const starting = startTestSandbox()
    expect(prepare).toHaveBeenCalledTimes(1)
    await starting
    await startTestSandbox({ seed: 7 })
    expect(prepare).toHaveBeenCalledTimes(1)
    prepare.mockRestore()
  })

  test.each([
    ['hub.json', '"hub.json"'],
    [null, 'null'],
    [[], '[]'],
  ])('refuses %j as options', async (options, shown) => {
    await expect(startSandbox(options as SandboxOptions)).rejects.toThrow(
      `startSandbox() takes an object such as { fixtures: 'hub.json' }, not ${shown}`,
    )
  })

  test('leaves out unknown scopes of the fixtures and reports them', async () => {
    const apps = [
      { name: 'Notes', scopes: ['openid', 'read-mcp', 'offline_access'] },
      { name: 'Typo', scopes: ['profile', 'offline_access'] },
      { name: 'Nothing', scopes: [] },
    ]
    const sandbox = await startTestSandbox({ fixtures: { apps } })
    expect(sandbox.fixtures.apps.map(({ scopes }) => scopes)).toEqual([
      ['openid', 'read-mcp'],
      ['profile'],
      [],
    ])
    expect(sandbox.notices).toEqual([
      'apps[0].scopes: Unknown scope offline_access: left out.',
      'apps[1].scopes: Unknown scope offline_access: left out.',
    ])
  })

  test('releases everything on close, which can be repeated', async () => {
    const sandbox = await startSandbox()
    await sandbox.close()
    await sandbox.close()
    await expect(fetch(`${sandbox.url}/_sandbox/health`)).rejects.toThrow('fetch failed')
  })

  test('close responds to requests held by a barrier or delayed by a fault', async () => {
    const sandbox = await startTestSandbox()
    await sandbox.barriers.add({ match: { route: '/held' }, count: 1 })
    await sandbox.faults.add({ match: { route: '/delayed' }, delay: '20d', status: 503 })
    const answers = ['/held', '/delayed'].map((path) => fetch(`${sandbox.url}${path}`))
    await vi.waitFor(async () => {
      expect(await sandbox.barriers.list()).toMatchObject([{ held: [expect.any(String)] }])
      expect(await sandbox.faults.list()).toMatchObject([{ hits: 1 }])
    }, 30_000)
    await sandbox.close()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([404, 503])
  })

  // Those of happy-dom are no EventTarget of Node's.
  test('starts and delays if a test environment has the signals of a browser', async () => {
    class ForeignController {
      signal = Object.assign(Object.create(null) as object, {
        aborted: false,
        addEventListener: () => {},
        removeEventListener: () => {},
      })
      abort(): void {
        this.signal.aborted = true
      }
    }
    vi.stubGlobal('AbortController', ForeignController)
    const sandbox = await startTestSandbox()
    await sandbox.faults.add({ match: { route: '/delayed' }, delay: '10ms', status: 503 })
    const { access_token: token } = await sandbox.signIn({ user: 'alice' })
    vi.unstubAllGlobals()
    expect(token).toMatch(/^hf_oauth_/)
    expect((await fetch(`${sandbox.url}/delayed`)).status).toBe(503)
  })
})
