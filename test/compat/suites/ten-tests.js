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

/** Begins a sign-in at the app in a browser of its own. */
async function begin() {
  const { headers } = await fetch(`${app.url}/login`, { redirect: 'manual' })
  const [cookie] = headers.get('set-cookie').split(';')
  return { location: headers.get('location'), cookie }
}

const users = ['alice', 'bob', 'carol', 'alice', 'bob', 'carol', 'alice', 'bob', 'carol', LAST_USER]

test.each(users.map((user, index) => [index + 1, user]))(
  '%i: %s signs in',
  async (number, user) => {
    // Tells the requests of this test from those of the others.
    await fetch(`${HF_ENDPOINT}/api/models?search=test-${number}`)
    const decision = number === 7 ? 'deny' : 'approve'
    let { location, cookie } = await begin()
    const back = new URL(await hub.sandbox.authorize(location, { user, decision }))
    if (number === 4 && BREAK_TEST) {
      // The app then sends the code verifier of another sign-in.
      ;({ location, cookie } = await begin())
      back.searchParams.set('state', new URL(location).searchParams.get('state'))
    }
    const page = await (await fetch(back, { headers: { cookie } })).text()
    expect(page).toContain(decision === 'deny' ? 'You have not signed in' : `Hello, ${user}`)
  },
)
