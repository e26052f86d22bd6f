import { expect, test } from 'vitest'
import { createRateLimits } from '../../../server/hub/access/rate-limits.ts'
import { anonymous } from '../../../server/hub/access/principal.ts'
import { createTestDeps } from '../../helpers/deps.ts'

test('the last request of the quota is answered, the one after it is not', async () => {
  const { deps, clock } = await createTestDeps()
  const limits = createRateLimits(deps)
  const count = () => limits.count('pages', anonymous, '127.0.0.1')
  for (let request = 1; request < 100; request += 1) count()
  expect(count()).toMatchObject({ quota: 100, remaining: 0, exceeded: false })
  expect(count()).toMatchObject({ quota: 100, remaining: 0, exceeded: true })
  clock.advance(300_000)
  expect(count()).toMatchObject({ remaining: 99, exceeded: false })
})

test('a clock that is set back begins another window', async () => {
  const { deps, clock } = await createTestDeps()
  const limits = createRateLimits(deps)
  const count = () => limits.count('pages', anonymous, '127.0.0.1')
  clock.advance(3_600_000)
  count()
  clock.advance(-3_600_000)
  expect(count()).toMatchObject({ remaining: 99, resetSeconds: 300 })
})

test.each([
  ['free', 200],
  ['academia', 400],
  ['team', 400],
  ['plus', 600],
  ['enterprise', 600],
] as const)('a member of an organization on the plan %s may open %i pages', async (plan, quota) => {
  const { deps, users, organization } = await createTestDeps()
  organization('planned', [[users.carol, 'read']], { plan })
  const principal = { kind: 'session', user: users.carol } as const
  expect(createRateLimits(deps).count('pages', principal, '127.0.0.1').quota).toBe(quota)
})
