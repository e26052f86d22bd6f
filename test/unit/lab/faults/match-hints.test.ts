import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../../../server/contract/control-faults.ts'
import { matchHints } from '../../../../server/lab/faults/match-hints.ts'
import { createDomain, populate } from '../../../helpers/deps.ts'

const { deps, state } = await createDomain()
populate(deps)

const routes = [
  '/oauth/token',
  '/api/repos/:type/:name',
  '/_sandbox/api/faults',
  '/:account',
  '/:account/:repo',
].map((url) => ({
  method: 'POST',
  url,
  schema: {},
}))
const hintsOf = (match: FaultMatch) => matchHints({ state, routes }, match)

describe('what a rule names that is not there', () => {
  test.each<[FaultMatch, string]>([
    [{ route: '/oauth/tokne' }, 'Unknown path /oauth/tokne (did you mean "/oauth/token"?).'],
    [{ route: '/api/repo/*/*' }, '(did you mean "/api/repos/*/*"?)'],
    [{ route: '/_sandbox/api/faults' }, 'Rules do not apply to the sandbox'],
    [{ route: '/oauth/tokens/' }, '(did you mean "/oauth/token"?)'],
    [{ route: '/api/repo/{type}/{name}' }, 'Unknown path /api/repo/{type}/{name} (did you mean'],
    [{ clientId: 'nobody' }, 'There is no app nobody.'],
    [{ webhookId: 'none' }, 'There is no webhook none.'],
  ])('%j is told', (match, hint) => {
    expect(hintsOf(match)).toEqual([expect.stringContaining(hint)])
  })

  test.each<FaultMatch>([
    {},
    { route: '/oauth/token' },
    { route: '/oauth/*' },
    { route: '*' },
    { route: '/api/repos/model/tiny' },
    { route: '/api/repos/model/*' },
    { route: '/api/repos/{type}/{name}' },
    { route: '/{account}/{repo}' },
    { route: '/alice' },
    { route: '/alice/tiny' },
    { webhookId: '*' },
  ])('%j names nothing but what is', (match) => {
    expect(hintsOf(match)).toEqual([])
  })
})
