import type { Fix, RefusedSetting } from '../../contract/control-fixes.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { settingsScopes } from '../../hub/oauth/scope.ts'
import type { OAuthDeps } from '../../hub/oauth/oauth-deps.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import type { WebhookEngine } from '../../hub/webhooks/engine/engine.ts'

export interface FixDeps extends OAuthDeps {
  readonly engine: Pick<WebhookEngine, 'idle'>
}

/** Fix with the function that applies it. */
export interface Offer {
  fix: Omit<Fix, 'id'>
  /** Setting of the app that it changes, if it changes one. */
  setting?: RefusedSetting
  /** Makes the change through settings, registration, accounts or the clock, with their refusals. */
  readonly make: () => unknown
}

/**
 * Returns the equivalent of a setting of an app in the fixtures and on the hub. An app that registered itself
 * (RFC 7591) is not in the fixtures file and has no settings page on the hub.
 * @param settings instruction for the settings page
 * @param registration instruction for an app that registered itself
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
      onTheHub: `Open the settings of ${name} on the Hub and ${settings}.`,
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
    onTheHub: `${name} registered itself, so it has no settings on the Hub: have it register again ${registration}. It gets another client id.`,
  }
}

/** Formats a member of a fixtures file. */
export function fixturesLine(key: string, value: unknown): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, 2)}`
}
