import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../server/index.ts'
import { defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'
import { callerAt } from '../helpers/cast.ts'

/** Returns the response of the control API at a path, unchecked. */
const fetchText = async ({ url }: Sandbox, path: string) =>
  (await fetch(`${url}/_sandbox/api/${path}`)).text()

const values = ['plainly-a-value-1', 'plainly-a-value-2', 'pass%20word-of-db', 'plainly-a-value-4']

describe('secrets of a job', () => {
  test('are masked in the request log, HAR and searches, whatever their names', async () => {
    const sandbox = await startTestSandbox()
    const [first, second, password, secret] = values
    const response = await callerAt(sandbox, 'hf_sandbox_alice').post('/api/jobs/alice', {
      dockerImage: 'python:3.12',
      flavor: 'cpu-basic',
      command: ['python', 'job.py'],
      environment: {
        ANYTHING: first,
        API_KEY: second,
        DATABASE_URL: `postgres://db:${password}@localhost/x`,
      },
      secrets: { ALSO: secret },
    })
    expect(response.status).toBe(200)
    const { id } = (await sandbox.requests())[0] ?? {}
    const paths = ['requests', `requests/${id}`, 'requests.har', 'search?q=plainly']
    const doors = await Promise.all(paths.map((path) => fetchText(sandbox, path)))
    expect(doors[1]).toContain('ANYTHING')
    expect(doors[2]).toContain('job.py')
    for (const text of doors) {
      for (const value of values) expect(text).not.toContain(value)
    }
  })
})

describe('the password of a redirect URI', () => {
  test('is in no exported test, which signs in without it', async () => {
    const redirectUri = 'http://someone:hush-hush-word@localhost:3000/callback'
    const { apps = [] } = await defaultFixtures({})
    const [app, ...others] = apps
    if (app?.clientId === undefined) throw new Error('the default fixtures have no app')
    const { clientId } = app
    const sandbox = await startTestSandbox({
      fixtures: await defaultFixtures({
        apps: [{ ...app, redirectUris: [redirectUri] }, ...others],
      }),
    })
    await sandbox.signIn({ user: 'alice', clientId, scope: 'openid profile' })
    const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'flows')
    const exported = await fetch(`${sandbox.url}/_sandbox/api/flows/${items[0]?.id}/test`)
    const text = await exported.text()
    expect(exported.status).toBe(200)
    expect(text).not.toContain('hush-hush-word')
    expect(text.match(/someone:sandbox_test_secret@localhost/g)?.length).toBeGreaterThan(1)
  })

  test('is in no exported test of a registration', async () => {
    const redirectUri = 'http://someone:hush-hush-word@localhost:3000/callback'
    const sandbox = await startTestSandbox()
    const registered = await callerAt(sandbox).post<{ client_id: string }>('/oauth/register', {
      client_name: 'With a password',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    })
    const clientId = registered.body.client_id
    await sandbox.signIn({ user: 'alice', clientId, scope: 'openid' })
    const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'flows')
    const tests = await Promise.all(items.map(({ id }) => fetchText(sandbox, `flows/${id}/test`)))
    expect(tests.join()).toContain('someone:sandbox_test_secret@localhost')
    expect(tests.join()).not.toContain('hush-hush-word')
  })
})
