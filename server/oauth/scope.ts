import { isScope } from '../contract/scopes.ts'
import type { App } from '../state/entities/oauth.ts'
import { Refusal } from '../core/refusal.ts'

/**
 * Splits a `scope` parameter (RFC 6749 §3.3) and drops repetitions; order is kept.
 */
export function parseScope(text: string): string[] {
  return [...new Set(text.split(' ').filter((name) => name !== ''))]
}

/** Who says what an app may ask for. */
const howToAdd: Record<App['origin'], string> = {
  settings: "Add it in the app's settings.",
  registration: 'Register the app again with it in scope (RFC 7591).',
  'metadata-document': "Add it to the scope of the app's metadata document.",
  space: 'Add it to hf_oauth_scopes in the README of the Space.',
}

/**
 * The scopes a client gets when it asks for `requested`.
 * @param requested the `scope` parameter; absent = what the app is configured with
 * @param unknownScopes what becomes of names that are no scope of the hub: where a user is asked, it leaves them out
 * @throws {Refusal} `invalid_scope` naming each scope that is not configured, or unknown and not left out
 * @see RFC 6749 §3.3
 */
export function grantScopes(
  requested: string | undefined,
  app: Pick<App, 'scopes' | 'defaultScopes' | 'origin'>,
  unknownScopes: 'refuse' | 'leave out' = 'refuse',
): string[] {
  const { scopes: configured, defaultScopes = configured } = app
  if (requested === undefined) return [...defaultScopes]
  const asked = parseScope(requested)
  if (asked.length === 0) {
    throw new Refusal('invalid_scope', 'The scope parameter names no scope.')
  }
  const known = asked.filter(isScope)
  const unknown = asked.filter((name) => !isScope(name))
  if (unknown.length > 0 && (unknownScopes === 'refuse' || known.length === 0)) {
    throw new Refusal('invalid_scope', `Unknown scope: ${unknown.join(', ')}.`, {
      detail: `scopes this app may ask for: ${configured.join(' ')}`,
    })
  }
  const missing = known.filter((name) => !configured.includes(name))
  if (missing.length > 0) {
    throw new Refusal(
      'invalid_scope',
      `The app is not configured with the scope ${missing.join(', ')}. ${howToAdd[app.origin]}`,
      { detail: `scopes of the app: ${configured.join(' ') || 'none'}` },
    )
  }
  return known
}
