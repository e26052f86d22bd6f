import { documentedScopes, isScope, scopes as knownScopes } from '../contract/scopes.ts'
import { tokenExchangeGrant } from '../contract/words/oauth.ts'
import { Refusal } from '../core/refusal.ts'
import { updateApp } from '../oauth/apps.ts'
import { grantScopes, parseScope } from '../oauth/scope.ts'
import type { App } from '../state/entities/oauth.ts'
import { appElsewhere, type MendDeps, type Offer } from './offer.ts'
import type { RefusedRequest } from './refused-request.ts'

/** Offers the scopes that the app asked for and is not configured with, where anybody may have them (RFC 6749 §3.3). */
export function offerScope(deps: MendDeps, refused: RefusedRequest, app: App): Offer[] {
  const requested = refused.parameters.get('scope')
  if (refused.error !== 'invalid_scope' || requested === undefined || !asksApp(refused)) return []
  const missing = parseScope(requested).filter(
    (name) => isScope(name) && !app.scopes.includes(name),
  )
  const scopes = [...app.scopes, ...missing]
  const grants = (configured: string[]) =>
    isGranted(requested, { ...app, scopes: configured }, unknownScopes(deps, refused))
  if (!missing.every(isDocumented) || grants(app.scopes) || !grants(scopes)) return []
  const names = missing.join(', ')
  const what = missing.length === 1 ? 'this scope' : 'these scopes'
  return [
    {
      mend: {
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

function unknownScopes({ settings }: MendDeps, { at }: RefusedRequest): 'refuse' | 'leave out' {
  return at === 'token' || settings.strict ? 'refuse' : 'leave out'
}

function isGranted(requested: string, app: App, unknown: 'refuse' | 'leave out'): boolean {
  try {
    grantScopes(requested, app, unknown)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function isDocumented(name: string): boolean {
  return documentedScopes.some((scope) => scope === name)
}

function describeScope(name: string): string {
  return isScope(name) ? `${name} (${knownScopes[name].allows})` : name
}
