import type { CreateAppRequest } from '../../contract/control-apps.ts'
import { signInScopes } from '../../contract/scopes.ts'
import { createApp } from '../../hub/oauth/apps.ts'
import { unusableRedirectUri } from '../../hub/oauth/redirect-uri.ts'
import { readScopes } from '../../hub/oauth/scope.ts'
import { describeAddress } from './redirect-uri-fix.ts'
import type { FixDeps, Offer } from './offer.ts'
import type { RefusedRequest } from './refused-request.ts'

/** Format of the client ids that the hub issues. */
const clientIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Client {
  name: string
  isPublic: boolean
  scopes: string[]
  redirectUris: string[]
  /** An address that is left out, since it leads elsewhere. */
  leftOut?: string
}

/**
 * Offers to register an app with an unknown client id. A redirect URI on another machine is not registered along with
 * it, since any page can make a browser send any client id and any URI. Once the client is known, that URI is refused
 * on its own and gets its own fix.
 */
export function offerApp(deps: FixDeps, refused: RefusedRequest): Offer[] {
  const { at, error, clientId } = refused
  if (error !== 'invalid_client' || (at !== 'authorize' && at !== 'device')) return []
  if (!clientIdPattern.test(clientId) || deps.state.apps.has(clientId)) return []
  const client = readClient(refused)
  if (client === undefined) return []
  const { name, isPublic, scopes, redirectUris, leftOut } = client
  const request: CreateAppRequest = { name, clientId, public: isPublic, redirectUris, scopes }
  const { public: _public, ...fixture } = request
  return [
    {
      fix: {
        kind: 'app',
        title: `Register this app: ${clientId}`,
        change: describe(clientId, client),
        ...(redirectUris[0] === undefined ? {} : { address: describeAddress(redirectUris[0]) }),
        fixtures: {
          place: 'apps',
          lines: JSON.stringify(
            isPublic ? fixture : { ...fixture, clientSecret: 'a_secret_of_your_choice' },
            null,
            2,
          ),
        },
        onTheHub: `Create an OAuth app in your settings on the Hub${leftOut === undefined ? '' : `, with the redirect URL ${leftOut}`}. It gets a client id of its own there: put that into your app’s settings.`,
      },
      make: () => createApp(deps, request),
    },
  ]
}

function readClient({ at, parameters, sentSecret }: RefusedRequest): Client | undefined {
  const { known = signInScopes } = readScopes(parameters.get('scope'))
  const scopes = [...known]
  if (at === 'device')
    return { name: 'New device app', isPublic: !sentSecret, scopes, redirectUris: [] }
  const value = parameters.get('redirect_uri')
  if (value === undefined || unusableRedirectUri(value) !== undefined) return undefined
  const { loopback, host = '' } = describeAddress(value)
  const isPublic = parameters.has('code_challenge')
  return loopback
    ? { name: `App at ${host}`, isPublic, scopes, redirectUris: [value] }
    : { name: 'New app', isPublic, scopes, redirectUris: [], leftOut: value }
}

function describe(
  clientId: string,
  { name, isPublic, scopes, redirectUris, leftOut }: Client,
): string {
  return [
    `An app “${name}” with the client id ${clientId} that may ask for ${scopes.join(', ')}.`,
    isPublic
      ? 'It is public: it has no secret. If it sends one, make one under Apps.'
      : 'It gets a new secret: copy it under Apps into your app’s settings.',
    ...redirectUris.map((value) => `Its codes may be sent to ${value}, on this machine.`),
    ...(leftOut === undefined
      ? []
      : [
          `Its address ${leftOut} does not lead to this machine and is not registered along: try the sign-in again, and it is offered by itself.`,
        ]),
  ].join(' ')
}
