import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { assertSignedIn, assertUsedPkce, useSandbox } from 'hub-sandbox/testing'
import { startApp } from './app.js'

const hub = useSandbox({}, { after, before, beforeEach })

let app
before(async () => {
  app = await startApp()
})
after(() => app.close())

test('signs its users in', async () => {
  const login = await fetch(`${app.url}/login`, { redirect: 'manual' })
  const asked = new URL(login.headers.get('location')).searchParams
  // What alice would do in a browser.
  const { redirectTo } = await hub.sandbox.control('POST', 'authorize', {
    ...Object.fromEntries(asked),
    user: 'alice',
  })
  const page = await fetch(redirectTo)
  assert.match(await page.text(), /Hello, alice/)
  await assertSignedIn(hub.sandbox, 'alice', { scope: 'openid profile' })
  await assertUsedPkce(hub.sandbox)
})
