import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { ServerDeps } from '../../server-deps.ts'

/** What a client program must set to use this sandbox, for the first app that has a secret. */
export function clientEnvironment({
  settings,
  state,
}: Pick<ServerDeps, 'settings' | 'state'>): Record<string, string> {
  const apps = [...state.apps.values()].filter(({ origin }) => origin === 'settings')
  const app = apps.find(({ clientSecret }) => clientSecret !== undefined) ?? apps[0]
  return {
    HF_ENDPOINT: settings.baseUrl,
    // The sandbox stores files itself and has no second storage protocol.
    HF_HUB_DISABLE_XET: '1',
    OPENID_PROVIDER_URL: settings.baseUrl,
    ...(app === undefined
      ? {}
      : {
          OAUTH_CLIENT_ID: app.id,
          ...omitUndefined({ OAUTH_CLIENT_SECRET: app.clientSecret }),
          OAUTH_SCOPES: app.scopes.join(' '),
        }),
  }
}
