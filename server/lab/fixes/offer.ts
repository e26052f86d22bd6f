import type { Fix } from '../../contract/control-fixes.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { settingsScopes } from '../../oauth/scope.ts'
import type { OAuthDeps } from '../../oauth/deps.ts'
import type { App } from '../../state/entities/oauth.ts'
import type { WebhookEngine } from '../../webhooks/engine/engine.ts'

export interface FixDeps extends OAuthDeps {
  readonly engine: Pick<WebhookEngine, 'idle'>
}

/** A fix as it is found: what it is, and how it is made. */
export interface Offer {
  fix: Omit<Fix, 'id'>
  /** Through what settings, registration, accounts and the clock do themselves, with their refusals. */
  readonly make: () => unknown
}

/**
 * What a setting of an app comes to elsewhere. An app that registered itself (RFC 7591) is in no file yet, and nobody
 * has settings of it on the hub.
 * @param settings what is done in its settings
 * @param registration with what it registers in their place
 */
export function appElsewhere(
  app: App,
  key: 'redirectUris' | 'scopes',
  values: readonly string[],
  { settings, registration }: { settings: string; registration: string },
): Pick<Fix, 'fixtures' | 'onTheHub'> {
  const { id: clientId, name, clientSecret, redirectUris } = app
  const { logoUri, clientUri, policyUri, tosUri } = app
  if (app.origin !== 'registration') {
    return {
      fixtures: {
        place: `apps: the one with the clientId ${clientId}`,
        lines: fixturesLine(key, values),
      },
      onTheHub: `Open the settings of ${name} on the hub and ${settings}.`,
    }
  }
  const fixture = {
    name,
    clientId,
    ...omitUndefined({ clientSecret, logoUri, clientUri, policyUri, tosUri }),
    redirectUris,
    scopes: settingsScopes(app),
    [key]: values,
  }
  return {
    fixtures: { place: 'apps', lines: JSON.stringify(fixture, null, 2) },
    onTheHub: `${name} registered itself, so it has no settings on the hub: have it register again ${registration}. It gets another client id.`,
  }
}

/** A member of a fixtures file as it stands there. */
export function fixturesLine(key: string, value: unknown): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, 2)}`
}
