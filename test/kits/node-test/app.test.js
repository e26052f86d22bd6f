import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { assertSignedIn, useSandbox } from 'hub-sandbox/testing'
import { startApp } from './app.js'

const hub = useSandbox({ perTest: 'reset' }, { after, before, beforeEach })

let app
before(async () => {
  app = await startApp()
})
after(() => app.close())

/** Does what a user does in a browser, and returns the app's last page. */
async function signIn(choice) {
  const login = await fetch(`${app.url}/login`, { redirect: 'manual' })
  const back = await hub.sandbox.authorize(login.headers.get('location'), choice)
  const cookie = login.headers.getSetCookie().map((line) => line.split(';')[0])
  return fetch(back, { headers: { cookie: cookie.join('; ') } })
}

test('alice signs in', async () => {
  const page = await signIn({ user: 'alice' })
  assert.match(await page.text(), /Hello, alice/)
  await assertSignedIn(hub.sandbox, 'alice', { scope: 'openid profile' })
})

test('bob denies the request', async () => {
  const page = await signIn({ user: 'bob', decision: 'deny' })
  assert.match(await page.text(), /You have not signed in/)
})

test('the app survives a failing token endpoint', async () => {
  await hub.sandbox.faults.add({ match: { route: '/oauth/token' }, times: 1, status: 503 })
  const page = await signIn({ user: 'alice' })
  assert.equal(page.status, 502)
})
