import { useSandbox } from 'hub-sandbox/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startApp } from './app.js'

const hub = useSandbox({}, { afterAll, beforeAll, beforeEach })
const { HF_ENDPOINT, BREAK_TEST, LAST_USER = 'alice' } = process.env

let app
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Begins a sign-in at the app and returns the URL that it sends the browser to. */
async function begin() {
  const login = await fetch(`${app.url}/login`, { redirect: 'manual' })
  return login.headers.get('location')
}

const users = ['alice', 'bob', 'carol', 'alice', 'bob', 'carol', 'alice', 'bob', 'carol', LAST_USER]

test.each(users.map((user, index) => [index + 1, user]))(
  '%i: %s signs in',
  async (number, user) => {
    // Tells the requests of this test from those of the others.
    await fetch(`${HF_ENDPOINT}/api/models?search=test-${number}`)
    const decision = number === 7 ? 'deny' : 'approve'
    const back = new URL(await hub.sandbox.authorize(await begin(), { user, decision }))
    if (number === 4 && BREAK_TEST) {
      // The app then sends the code verifier of another sign-in.
      const other = new URL(await begin())
      back.searchParams.set('state', other.searchParams.get('state'))
    }
    const page = await (await fetch(back)).text()
    expect(page).toContain(decision === 'deny' ? 'You have not signed in' : `Hello, ${user}`)
  },
)
