import { beforeEach, expect, test } from 'vitest'
import { adviceWorld, fresh } from '../helpers/advice.ts'
import { controlFixtures } from '../helpers/control.ts'

/** The log holds the longest of the runs below, so that each further request drops one of them. */
const requests = 24
const { world, call, hub, found, judged, signIn, refresh, whoami, startDevice, wait } = adviceWorld(
  {
    fixtures: { ...controlFixtures, config: { caps: { requests } } },
  },
)
beforeEach(() => world.sandbox.deps.requests.clear())

/** Programs without a mistake, with a rule that judges each. */
const runs: Readonly<Record<string, { rule: string; run: () => Promise<unknown> }>> = {
  'signs in, refreshes and calls the Hub': {
    rule: 'token/refresh-race',
    async run() {
      let tokens = await signIn()
      await whoami(tokens.access_token)
      for (let day = 0; day < 3; day++) {
        await wait('9h')
        expect((await whoami(tokens.access_token)).status).toBe(401)
        tokens = (await refresh(tokens.refresh_token)).body
        await whoami(tokens.access_token, '/oauth/userinfo')
      }
    },
  },
  'signs users in one after the other': {
    rule: 'sign-in/no-code-binding',
    async run() {
      for (let user = 0; user < 8; user++) await whoami((await signIn()).access_token)
    },
  },
  'polls for a device as it is told': {
    rule: 'device/too-fast',
    async run() {
      const { poll, userCode } = await startDevice()
      for (let times = 0; times < 8; times++) {
        await wait('6s')
        await poll()
      }
      await call('POST', `device/${userCode}`, { user: 'alice', decision: 'approve' })
      await wait('6s')
      expect((await poll()).status).toBe(200)
    },
  },
  'is refused once and goes on': {
    rule: 'token/refresh-after-refusal',
    async run() {
      const { refresh_token: token } = await signIn()
      await refresh('unknown')
      await refresh(token)
    },
  },
}

test.each(Object.entries(runs))(
  'a program that %s has no finding wherever the log is cut',
  { timeout: 60_000 },
  async (_title, { rule, run }) => {
    await run()
    expect(await judged(rule)).toBeGreaterThan(0)
    expect(world.sandbox.deps.requests.values().length).toBeLessThanOrEqual(requests)
    const [first] = world.sandbox.deps.requests.values()
    for (let sent = 0; sent <= requests; sent++) {
      expect([sent, ...(await found())]).toEqual([sent])
      // The log drops from sign-ins and from other requests.
      await refresh(fresh())
      await hub('GET', '/api/models?limit=1')
    }
    expect(world.sandbox.deps.requests.get(first?.id ?? '')).toBeUndefined()
  },
)
