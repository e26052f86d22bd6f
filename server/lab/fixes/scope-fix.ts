import { isScope, scopes as knownScopes } from '../../contract/scopes.ts'
import { tokenExchangeGrant } from '../../contract/words/oauth-words.ts'
import { updateApp } from '../../hub/oauth/apps.ts'
import { readScopes } from '../../hub/oauth/scope.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { appElsewhere, type FixDeps, type Offer } from './offer.ts'
import type { RefusedRequest } from './refused-request.ts'

/**
 * Offers the requested scopes that the app is not configured with (RFC 6749 §3.3): with `strict`, and for a token
 * exchange. Unknown scopes are refused there as well, and no setting allows them.
 */
export function offerScope(deps: FixDeps, refused: RefusedRequest, app: App): Offer[] {
  if (refused.error !== 'invalid_scope' || !asksApp(refused)) return []
  const { known = [], unknown } = readScopes(refused.parameters.get('scope'))
  const missing = known.filter((name) => !app.scopes.includes(name))
  if (missing.length === 0 || (refused.at === 'token' && unknown.length > 0)) return []
  const scopes = [...app.scopes, ...missing]
  const names = missing.join(', ')
  const what = missing.length === 1 ? 'this scope' : 'these scopes'
  return [
    {
      fix: {
        kind: 'scope',
        title: `Give ${app.name} ${what}: ${names}`,
        change: `${app.name} may ask for ${missing.map(describeScope).join(', and for ')}. ${consentIn(refused)}`,
        ...appElsewhere(app, 'scopes', scopes, {
          settings: `tick ${names} among its scopes`,
          registration: `with ${names} in its scope`,
        }),
      },
      setting: { clientId: app.id, field: 'scopes', values: scopes },
      make: () => updateApp(deps, app, { scopes }),
    },
  ]
}

function consentIn({ at }: RefusedRequest): string {
  return at === 'token'
    ? 'A token exchange asks no user whether they allow it.'
    : 'Users are still asked whether they allow it.'
}

/** A refresh is limited to the granted scopes, so settings of the app do not help. */
function asksApp({ at, parameters }: RefusedRequest): boolean {
  return (
    at === 'authorize' ||
    at === 'device' ||
    (at === 'token' && parameters.get('grant_type') === tokenExchangeGrant)
  )
}

function describeScope(name: string): string {
  return isScope(name) ? `${name} (${knownScopes[name].allows})` : name
}
