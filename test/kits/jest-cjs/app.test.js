const { sandboxMatchers, useSandbox } = require('hub-sandbox/testing')
const { startApp } = require('./app.js')

expect.extend(sandboxMatchers)
const hub = useSandbox()

let app
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('signs its users in', async () => {
  const login = await fetch(`${app.url}/login`, { redirect: 'manual' })
  const asked = new URL(login.headers.get('location')).searchParams
  // What alice would do in a browser.
  const { redirectTo } = await hub.sandbox.control('POST', 'authorize', {
    ...Object.fromEntries(asked),
    user: 'alice',
  })
  const page = await fetch(redirectTo)
  expect(await page.text()).toContain('Hello, alice')
  await expect(hub.sandbox).toHaveSignedIn('alice', { scope: 'openid profile' })
  await expect(hub.sandbox).toHaveUsedPkce()
})
