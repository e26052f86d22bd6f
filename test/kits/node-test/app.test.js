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
  // What alice would do in a browser.
  const back = await hub.sandbox.authorize(login.headers.get('location'), { user: 'alice' })
  const page = await fetch(back)
  assert.match(await page.text(), /Hello, alice/)
  await assertSignedIn(hub.sandbox, 'alice', { scope: 'openid profile' })
  await assertUsedPkce(hub.sandbox)
})
