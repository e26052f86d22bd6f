import { connectSandbox } from 'hub-sandbox'
import { assertSignedIn } from 'hub-sandbox/testing'

/** What specs ask of the sandbox by `cy.task`: they run in a browser, and these in Node. */
export function hubTasks() {
  let connected
  const hub = () => (connected ??= connectSandbox())
  return {
    /** Back to the fixtures. */
    async resetHub() {
      await (await hub()).reset()
      return null
    },
    /** The cookie of a browser whose user has signed in at the hub. */
    async hubSession(user) {
      return (await hub()).control('POST', 'sessions', { user })
    },
    async assertSignedIn({ user, scope }) {
      await assertSignedIn(await hub(), user, { scope })
      return null
    },
  }
}
