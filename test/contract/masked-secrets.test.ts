import { describe, expect, test } from 'vitest'
import { defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'

const authorization = 'Bearer hf_sandbox_alice'
const values = ['plainly-a-value-1', 'plainly-a-value-2', 'pass%20word-of-db', 'plainly-a-value-4']

describe('secrets of a job', () => {
  test('are masked in the request log, HAR and searches, whatever their names', async () => {
    const sandbox = await startTestSandbox()
    const [first, second, password, secret] = values
    const response = await fetch(`${sandbox.url}/api/jobs/alice`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        dockerImage: 'python:3.12',
        flavor: 'cpu-basic',
        command: ['python', 'job.py'],
        environment: {
          ANYTHING: first,
          API_KEY: second,
          DATABASE_URL: `postgres://db:${password}@localhost/x`,
        },
        secrets: { ALSO: secret },
      }),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.anything()])
    const { id } = (await sandbox.requests())[0] ?? {}
    const read = (path: string) =>
      fetch(`${sandbox.url}/_sandbox/api/${path}`).then((answer) => answer.text())
    const doors = await Promise.all([
      read('requests'),
      read(`requests/${id}`),
      read('requests.har'),
      read('search?q=plainly'),
    ])
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
    const registered = await fetch(`${sandbox.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'With a password',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'none',
      }),
    })
    const { client_id: clientId } = (await registered.json()) as { client_id: string }
    await sandbox.signIn({ user: 'alice', clientId, scope: 'openid' })
    const { items } = await sandbox.control<{ items: { id: string }[] }>('GET', 'flows')
    const tests = await Promise.all(
      items.map(async ({ id }) => {
        const response = await fetch(`${sandbox.url}/_sandbox/api/flows/${id}/test`)
        return response.text()
      }),
    )
    expect(tests.join()).toContain('someone:sandbox_test_secret@localhost')
    expect(tests.join()).not.toContain('hush-hush-word')
  })
})
