import type { Fix } from '../../contract/control-fixes.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { updateApp } from '../../hub/oauth/apps.ts'
import {
  matchRedirectUri,
  nearestRedirectUri,
  unusableRedirectUri,
} from '../../hub/oauth/redirect-uri.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { appElsewhere, type FixDeps, type Offer } from './offer.ts'
import type { RefusedRequest } from './refused-request.ts'

/** Maximum number of redirect URIs in a request of the control API. */
const mostAddresses = 100

type Address = NonNullable<Fix['address']>

/**
 * Describes the host of a URL as browsers read it, so `http://localhost@evil.example/` is not a loopback URL.
 * @param value valid redirect URI (`unusableRedirectUri`)
 */
export function describeAddress(value: string): Address {
  const { hostname, host } = new URL(value)
  return {
    value,
    loopback: /^https?:/i.test(value) && isLoopbackHost(hostname),
    ...omitUndefined({ host: host === '' ? undefined : host }),
  }
}

/** Offers to register a redirect URI that was refused as unregistered (RFC 6749 §3.1.2.3). */
export function offerRedirectUri(
  deps: FixDeps,
  { at, error, parameters }: RefusedRequest,
  app: App,
): Offer[] {
  const value = parameters.get('redirect_uri')
  if (at !== 'authorize' || error !== 'invalid_redirect_uri' || value === undefined) return []
  if (unusableRedirectUri(value) !== undefined || matchRedirectUri(app, value).matches) return []
  const redirectUris = [...app.redirectUris, value]
  if (redirectUris.length > mostAddresses) return []
  const address = describeAddress(value)
  return [
    {
      fix: {
        kind: 'redirect-uri',
        title: `Allow this redirect URI for ${app.name}`,
        change: `Authorization codes for ${app.name} may be sent to ${value} from now on. No other redirect URI is added. ${consequence(address)}`,
        address,
        ...omitUndefined({ nearest: nearestRedirectUri(app, value) }),
        ...appElsewhere(app, 'redirectUris', redirectUris, {
          settings: `add ${value} to its redirect URLs, letter for letter`,
          registration: `with ${value} among its redirect_uris, letter for letter`,
        }),
      },
      setting: { clientId: app.id, field: 'redirectUris', values: redirectUris },
      make: () => updateApp(deps, app, { redirectUris }),
    },
  ]
}

function consequence({ host, loopback, value }: Address): string {
  if (loopback) return 'It redirects to this machine.'
  if (host === undefined || !/^https?:/i.test(value)) {
    return 'It is not the URL of a website: the program registered for its scheme opens it.'
  }
  return `It redirects to ${host}, which is not this machine: that site receives the codes, and its pages may call this Hub.`
}
