import { clientVariables } from '../../contract/client-settings.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Variables that a client program must set to use this sandbox, for the first app that has a secret. */
export function clientEnvironment({
  settings,
  state,
  clientFiles,
}: Pick<ServerDeps, 'settings' | 'state' | 'clientFiles'>): Record<string, string> {
  const apps = [...state.apps.values()].filter(({ origin }) => origin === 'settings')
  const app = apps.find(({ clientSecret }) => clientSecret !== undefined) ?? apps[0]
  return clientVariables({
    url: settings.baseUrl,
    largeFiles: settings.largeFiles,
    ...clientFiles,
    app: app && { clientId: app.id, clientSecret: app.clientSecret, scopes: app.scopes },
  })
}
