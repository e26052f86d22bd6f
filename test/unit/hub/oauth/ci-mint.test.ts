import { expect, test } from 'vitest'
import { mintCiToken } from '../../../../server/hub/oauth/ci/mint.ts'
import { createTestDeps } from '../../../helpers/deps.ts'

test('the drill replay keeps the latest 1,000 ID tokens, each with a time that can be stored', async () => {
  const { deps, state } = await createTestDeps()
  const exps = ['soon', null, 1e308, -1e308, ...Array.from({ length: 1000 }, () => 1e308)]
  for (const exp of exps) {
    await mintCiToken(deps, { provider: 'github', claims: { exp }, drill: 'replay' })
  }
  const times = [...state.exchangedIdTokens.values()].map(({ expiresAt }) => expiresAt)
  expect(times).toHaveLength(1000)
  expect(times.filter((time) => Number.isNaN(new Date(time).getTime()))).toEqual([])
})
