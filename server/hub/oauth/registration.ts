import { isObject } from '../../core/is-object.ts'
import { hasHalfCharacter } from '../../core/encode-text.ts'
import { omitNulls } from '../../core/omit-nulls.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { newClientSecret } from './client-secret.ts'
import { Refusal } from '../../core/refusal.ts'
import { unusableRedirectUri } from './redirect-uri.ts'
import { publishedScopes, signInScopes } from '../../contract/scopes.ts'
import { makeRoomForApp } from './room-for-apps.ts'
import { readScopeParameter, settingsScopes, unknownScopesRemark } from './scope.ts'
import {
  type AuthenticationMethod,
  authenticationMethods,
  deviceCodeGrant,
  type GrantType,
} from '../../contract/words/oauth-words.ts'

/** RFC 7591 §3.2.1. */
export interface RegistrationResponse {
  client_id: string
  /** Seconds since 1970. */
  client_id_issued_at: number
  client_secret?: string
  /** 0 = never. */
  client_secret_expires_at: number
  redirect_uris: string[]
  scope: string
  /** Decided by the server, independently of the request. */
  grant_types: GrantType[]
  [echoed: string]: unknown
}

const registeredGrants: readonly GrantType[] = [
  'authorization_code',
  'refresh_token',
  deviceCodeGrant,
]
// The Hub leaves out policy_uri and tos_uri (RFC 7591 §2), which a metadata document may have.
const urlMembers = ['client_uri', 'logo_uri'] as const
const textMembers = ['client_name', 'software_id', 'software_version'] as const

/**
 * Registers an app for any caller; everything in the request is optional, and a null member counts as absent.
 * @param metadata the JSON body
 * @returns the response; `remark` is for the request log
 * @throws {Refusal} `invalid_redirect_uri`, `invalid_client_metadata`, `invalid_scope`; `temporarily_unavailable` when
 *   the limit of registered apps is reached, and all are in use
 * @see RFC 7591 §3.1, §3.2
 */
export function registerClient(
  deps: Deps,
  metadata: unknown,
): { response: RegistrationResponse; remark?: string } {
  const members = readMembers(metadata)
  const redirectUris = readRedirectUris(members['redirect_uris'])
  const method = readMethod(members)
  const { remark, ...scopes } = registeredScopes(members['scope'])
  const echoed = readEchoed(members)
  const response = keepRegistered(deps, { redirectUris, method, ...scopes, echoed })
  return { response, ...omitUndefined({ remark }) }
}

function readMembers(metadata: unknown): Record<string, unknown> {
  if (isObject(metadata) && !(metadata instanceof URLSearchParams)) return omitNulls(metadata)
  throw new Refusal(
    'invalid_client_metadata',
    'Send the client metadata as a JSON object, with the content type application/json.',
  )
}

function keepRegistered(
  deps: Deps,
  client: {
    redirectUris: string[]
    method: AuthenticationMethod
    scopes: string[]
    defaultScopes?: string[]
    echoed: Record<string, unknown>
  },
): RegistrationResponse {
  const { redirectUris, method, scopes, defaultScopes, echoed } = client
  makeRoom(deps)
  const now = deps.clock.now()
  const id = deps.ids.of('registered app').uuid()
  const secret = method === 'none' ? undefined : newClientSecret(deps, id)
  const app: App = deps.state.apps.put({
    id,
    name: nameToShow(echoed['client_name']),
    origin: 'registration',
    redirectUris,
    scopes,
    privileges: [],
    metadata: echoed,
    createdAt: now,
    ...omitUndefined({ clientSecret: secret, defaultScopes }),
    ...omitUndefined({
      logoUri: stringOf(echoed['logo_uri']),
      clientUri: stringOf(echoed['client_uri']),
    }),
  })
  deps.bus.emit('app.created', { clientId: app.id })
  return {
    client_id: app.id,
    client_id_issued_at: Math.floor(now / 1000),
    ...omitUndefined({ client_secret: secret }),
    client_secret_expires_at: 0,
    redirect_uris: redirectUris,
    // In RFC 7591 §2, the scopes that the client can use; on the Hub, the default of a request without `scope`.
    scope: (deps.settings.strict ? scopes : settingsScopes(app)).join(' '),
    grant_types: [...registeredGrants],
    token_endpoint_auth_method: method,
    ...echoed,
  }
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns a visible name for pages and lists. */
function nameToShow(name: unknown): string {
  return typeof name === 'string' && name.trim() !== '' ? name : 'Unnamed app'
}

/** Drops the oldest unused registration at the limit, since any caller can register apps. */
function makeRoom(deps: Deps): void {
  const count = makeRoomForApp(deps, 'registration')
  if (count === undefined) return
  throw new Refusal(
    'temporarily_unavailable',
    `The limit of ${count} registered apps is reached, and all are in use: delete one, or raise config.caps.registrations.`,
  )
}

function readRedirectUris(value: unknown): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) {
    throw new Refusal('invalid_redirect_uri', 'redirect_uris must be a list of URIs.')
  }
  return value.map((uri, index) => {
    const problem = typeof uri === 'string' ? unusableRedirectUri(uri) : 'it is not a string'
    if (problem === undefined) return uri
    throw new Refusal(
      'invalid_redirect_uri',
      `redirect_uris[${index}] (${JSON.stringify(uri)}) cannot be registered: ${problem}.`,
    )
  })
}

/** Returns the method that the client names, or the first supported one that it offers. */
function readMethod(members: Record<string, unknown>): AuthenticationMethod {
  // RFC 7591 §2: the default is client_secret_basic.
  const method = members['token_endpoint_auth_method'] ?? 'client_secret_basic'
  const offered = members['token_endpoint_auth_methods_supported']
  for (const wanted of [method, ...(Array.isArray(offered) ? (offered as unknown[]) : [])]) {
    const known = authenticationMethods.find((name) => name === wanted)
    if (known !== undefined) return known
  }
  throw new Refusal(
    'invalid_client_metadata',
    `token_endpoint_auth_method ${JSON.stringify(method)} is not supported; use one of ${authenticationMethods.join(', ')}.`,
  )
}

/** Reads the scopes of a registration. Without the member, the app may request all scopes of the metadata. */
function registeredScopes(value: unknown): {
  scopes: string[]
  defaultScopes?: string[]
  remark?: string
} {
  if (value !== undefined && typeof value !== 'string') {
    throw new Refusal('invalid_client_metadata', 'scope must be a space-separated string.')
  }
  // An empty string is what some clients send in place of nothing.
  const { known, unknown } = readScopeParameter(value === '' ? undefined : value)
  return {
    ...(known === undefined
      ? { scopes: [...publishedScopes], defaultScopes: [...signInScopes] }
      : { scopes: known }),
    ...omitUndefined({ remark: unknownScopesRemark(unknown) }),
  }
}

/** Returns the descriptive members unchanged; unknown ones are ignored (RFC 7591 §2). */
function readEchoed(members: Record<string, unknown>): Record<string, unknown> {
  const echoed: Record<string, unknown> = {}
  for (const name of [...textMembers, ...urlMembers]) {
    const value = members[name]
    if (value === undefined) continue
    const isUrl = (urlMembers as readonly string[]).includes(name)
    if (typeof value !== 'string' || (isUrl && !/^https?:\/\//.test(value))) {
      throw new Refusal(
        'invalid_client_metadata',
        `${name} must be ${isUrl ? 'an http or https URL' : 'a string'}.`,
      )
    }
    if (hasHalfCharacter(value)) {
      throw new Refusal(
        'invalid_client_metadata',
        `${name} contains an unpaired surrogate, which UTF-8 cannot encode.`,
      )
    }
    echoed[name] = value
  }
  const contacts = members['contacts']
  if (contacts !== undefined) {
    if (!Array.isArray(contacts) || !contacts.every((contact) => typeof contact === 'string')) {
      throw new Refusal('invalid_client_metadata', 'contacts must be a list of strings.')
    }
    echoed['contacts'] = contacts
  }
  return echoed
}
