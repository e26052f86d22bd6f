import { sandboxMatchers, useSandbox } from 'hub-sandbox/testing'
import { startApp } from './app.js'

expect.extend(sandboxMatchers)
const hub = useSandbox()

let app
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('signs its users in', async () => {
  const login = await fetch(`${app.url}/login`, { redirect: 'manual' })
  // What alice would do in a browser.
  const back = await hub.sandbox.authorize(login.headers.get('location'), { user: 'alice' })
  const [cookie] = login.headers.get('set-cookie').split(';')
  const page = await fetch(back, { headers: { cookie } })
  expect(await page.text()).toContain('Hello, alice')
  await expect(hub.sandbox).toHaveSignedIn('alice', { scope: 'openid profile' })
  await expect(hub.sandbox).toHaveUsedPkce()
})
