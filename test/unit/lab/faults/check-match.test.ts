import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../../../server/contract/control-faults.ts'
import { checkMatch } from '../../../../server/lab/faults/check-match.ts'
import { createDomain, populate } from '../../../helpers/deps.ts'

const { deps, state } = await createDomain()
populate(deps)

const routes = [
  '/oauth/token',
  '/api/repos/:type/:name',
  '/api/:types(models|datasets)/:namespace/:name',
  '/_sandbox/api/faults',
  '/:account',
  '/:account/:repo',
].map((url) => ({
  method: 'POST',
  url,
  schema: {},
}))
const anApp = state.apps.first()!
const check = (match: FaultMatch) => checkMatch({ state, routes }, match)

describe('what a rule names that is not there', () => {
  test.each<[FaultMatch, string]>([
    [{ route: '/oauth/tokne' }, 'Unknown path /oauth/tokne (did you mean "/oauth/token"?).'],
    [{ route: '/api/repo/*/*' }, '(did you mean "/api/repos/*/*"?)'],
    [{ route: '/_sandbox/api/faults' }, '/_sandbox/api/faults is a path of the sandbox itself'],
    [{ route: '/oauth/tokens/' }, '(did you mean "/oauth/token"?)'],
    [{ route: '/api/repo/{type}/{name}' }, 'Unknown path /api/repo/{type}/{name} (did you mean'],
    [{ route: '/api/dataset/*/*' }, '(did you mean "/api/datasets/*/*"?)'],
    [{ route: 'oauth/token' }, 'use /oauth/token in place of oauth/token'],
    [{ route: 'http://localhost:7420/oauth/token' }, 'use /oauth/token in place of http:'],
    [{ route: '/oauth/token?a=b' }, 'without its query: use /oauth/token.'],
    [{ route: '/oauth/token', method: 'GET' }, 'has the method GET: use POST.'],
    [{ route: '/oauth/token', method: 'PSOT' }, 'Unknown method PSOT (did you mean "POST"?).'],
    [{ grantType: 'authorisation_code' }, '(did you mean "authorization_code"?)'],
    [{ clientId: anApp.name }, `There is no app ${anApp.name} (the client id of`],
    [{ webhookId: 'none' }, 'There is no webhook none.'],
  ])('%j is a mistake', (match, message) => {
    const member = Object.keys(match).at(-1)
    expect(check(match)).toEqual({
      issues: [{ path: `match.${member}`, message: expect.stringContaining(message) }],
      hints: [],
    })
  })

  test.each<[FaultMatch, string]>([
    [{ route: '/api/of/tomorrow' }, 'Unknown path /api/of/tomorrow.'],
    [{ clientId: 'nobody' }, 'There is no app nobody.'],
    [{ grantType: 'password' }, 'Unknown grant type password.'],
  ])('%j is a warning, since it may appear later', (match, hint) => {
    expect(check(match)).toEqual({ issues: [], hints: [hint] })
  })

  test.each<FaultMatch>([
    {},
    { route: '/oauth/token' },
    { route: '/oauth/token', method: 'post' },
    { route: '/oauth/token', method: 'OPTIONS' },
    { route: '/oauth/*' },
    { route: '*' },
    { route: '/api/repos/model/tiny' },
    { route: '/api/repos/model/*' },
    { route: '/api/models/alice/tiny' },
    { route: '/api/*/alice/tiny' },
    { route: '/api/repos/{type}/{name}' },
    { route: '/{account}/{repo}' },
    { route: '/alice' },
    { route: '/alice/tiny' },
    { grantType: 'refresh_token' },
    { webhookId: '*' },
  ])('%j names nothing but what is', (match) => {
    expect(check(match)).toEqual({ issues: [], hints: [] })
  })
})
