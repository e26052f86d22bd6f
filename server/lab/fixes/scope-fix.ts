import { isScope, scopes as knownScopes } from '../../contract/scopes.ts'
import { tokenExchangeGrant } from '../../contract/words/oauth.ts'
import { updateApp } from '../../oauth/apps.ts'
import { readScopes } from '../../oauth/scope.ts'
import type { App } from '../../state/entities/oauth.ts'
import { appElsewhere, type FixDeps, type Offer } from './offer.ts'
import type { RefusedRequest } from './refused-request.ts'

/**
 * Offers the scopes that the app asked for and is not configured with (RFC 6749 §3.3): under `strict`, and in a token
 * exchange, where unknown names are refused as well and no setting helps.
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
      make: () => updateApp(deps, app, { scopes }),
    },
  ]
}

function consentIn({ at }: RefusedRequest): string {
  return at === 'token'
    ? 'A token exchange asks no user whether they allow it.'
    : 'Users are still asked whether they allow it.'
}

/** A refresh can ask for no more than was granted, whatever the app may have. */
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
