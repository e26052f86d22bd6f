import { beforeEach, describe, expect, test } from 'vitest'
import { approveAuthorization } from '../../../../server/hub/oauth/authorization.ts'
import { readAuthorizationRequest } from '../../../../server/hub/oauth/authorization-request.ts'
import type { FindClient } from '../../../../server/hub/oauth/client-authentication.ts'
import {
  answerDevice,
  startDeviceAuthorization,
} from '../../../../server/hub/oauth/device-authorization.ts'
import { Refusal } from '../../../../server/core/refusal.ts'
import { createClients } from '../../../../server/hub/oauth/metadata-document.ts'
import { requestToken } from '../../../../server/hub/oauth/token.ts'
import { createTestDeps, documentUrl, noIssuers, type TestWorld } from '../../../helpers/deps.ts'
import { basic, encode, pkce, redirectUri, verifier } from '../../../helpers/oauth-client.ts'

// Every combination of client, grant, authentication, PKCE and scope. What is expected stands in the tables of this
// file, written from RFC 6749 §2.3, §3.2.1, §5.2, RFC 7636 §4 and RFC 8693 §2, not taken from the policy of the server.

const kinds = ['public', 'metadata document', 'confidential', 'exchange'] as const
type Kind = (typeof kinds)[number]

const authentications = [
  'unnamed',
  'client_id',
  'Basic',
  'Basic, empty secret',
  'Basic, wrong secret',
  'post',
  'post, wrong secret',
] as const
type Authentication = (typeof authentications)[number]

/** How a kind of client may prove who it is; all else is `invalid_client`. */
const accepted: Record<Kind, readonly Authentication[]> = {
  public: ['client_id', 'Basic, empty secret'],
  'metadata document': ['client_id', 'Basic, empty secret'],
  confidential: ['Basic', 'post'],
  exchange: ['Basic', 'post'],
}

const isPublic = (kind: Kind) => kind === 'public' || kind === 'metadata document'

/**
 * Scope parameters, and the grants without a user that refuse them. A user is asked for any known scope, and unknown
 * names are left out.
 */
const scopes: Record<
  string,
  { scope: string | undefined; exchange: 'ok' | 'refused'; refresh: 'ok' | 'refused' }
> = {
  absent: { scope: undefined, exchange: 'ok', refresh: 'ok' },
  subset: { scope: 'openid', exchange: 'ok', refresh: 'ok' },
  unknown: { scope: 'openid everything', exchange: 'refused', refresh: 'ok' },
  'not configured': { scope: 'openid read-mcp', exchange: 'refused', refresh: 'refused' },
}

let world: TestWorld
let findClient: FindClient
beforeEach(async () => {
  world = await createTestDeps()
  findClient = createClients({
    ...world.deps,
    fetchDocument: () => Promise.reject(new Error('offline')),
  }).findOrFetch
})

function clientIdOf(kind: Kind): string {
  if (kind === 'metadata document') return documentUrl
  return world.apps[kind].id
}

function authenticate(kind: Kind, how: Authentication) {
  const id = clientIdOf(kind)
  const header = (secret: string) => ({ ...basic({ id }, secret), form: {} })
  switch (how) {
    case 'unnamed':
      return { form: {} }
    case 'client_id':
      return { form: { client_id: id } }
    case 'Basic':
      return header(world.clientSecret)
    case 'Basic, empty secret':
      return header('')
    case 'Basic, wrong secret':
      return header('wrong')
    case 'post':
      return { form: { client_id: id, client_secret: world.clientSecret } }
    case 'post, wrong secret':
      return { form: { client_id: id, client_secret: 'wrong' } }
    default:
      return how satisfies never
  }
}

const rightOne = (kind: Kind): Authentication => (isPublic(kind) ? 'client_id' : 'Basic')

async function token(kind: Kind, how: Authentication, form: Record<string, string | undefined>) {
  const { form: more, ...authorization } = authenticate(kind, how)
  const parameters = Object.entries({ ...form, ...more }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return requestToken(world.deps, findClient, noIssuers, {
    body: new URLSearchParams(parameters),
    origin: {},
    ...authorization,
  })
}

async function code(kind: Kind, scope: string | undefined, challenged: boolean): Promise<string> {
  const query = encode({
    client_id: clientIdOf(kind),
    redirect_uri: redirectUri,
    scope,
    ...(challenged ? pkce : {}),
  })
  const request = await readAuthorizationRequest(world.deps, findClient, new URLSearchParams(query))
  const signedIn = { user: world.users.alice, authTime: world.clock.now() }
  const location = approveAuthorization(world.deps, request, signedIn)
  return new URL(location).searchParams.get('code')!
}

/** `ok` or the error code, after the step that refused. */
async function outcome(steps: () => Promise<unknown>, name: () => string): Promise<string> {
  try {
    await steps()
    return 'ok'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${name()}: ${error.code}`
  }
}

const exchangeCode = (kind: Kind, how: Authentication, value: string, verified: boolean) =>
  token(kind, how, {
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code: value,
    code_verifier: verified ? verifier : undefined,
  })

describe.each(kinds)('client of kind %s', (kind) => {
  test('authorization_code', async () => {
    const actual: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const how of authentications) {
      for (const challenged of [true, false]) {
        for (const verified of [true, false]) {
          for (const [scopeName, { scope }] of Object.entries(scopes)) {
            const name = `${how}; challenge ${challenged}, verifier ${verified}; scope ${scopeName}`
            let step = 'authorize'
            actual[name] = await outcome(
              async () => {
                const value = await code(kind, scope, challenged)
                step = 'token'
                await exchangeCode(kind, how, value, verified)
              },
              () => step,
            )
            // A public client need not be named where its code tells it.
            const isAuthenticated =
              accepted[kind].includes(how) || (how === 'unnamed' && isPublic(kind))
            expected[name] =
              !challenged && isPublic(kind)
                ? 'authorize: invalid_request'
                : !isAuthenticated
                  ? 'token: invalid_client'
                  : challenged !== verified
                    ? 'token: invalid_grant'
                    : 'ok'
          }
        }
      }
    }
    expect(Object.keys(actual)).toHaveLength(7 * 2 * 2 * 4)
    expect(actual).toEqual(expected)
  })

  test('refresh_token', async () => {
    const actual: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const how of authentications) {
      for (const [scopeName, { scope, refresh }] of Object.entries(scopes)) {
        const name = `${how}; scope ${scopeName}`
        const first = await exchangeCode(
          kind,
          rightOne(kind),
          await code(kind, 'openid profile', true),
          true,
        )
        const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token, scope }
        actual[name] = await outcome(
          () => token(kind, how, form),
          () => 'token',
        )
        expected[name] = !accepted[kind].includes(how)
          ? 'token: invalid_client'
          : refresh === 'refused'
            ? 'token: invalid_scope'
            : 'ok'
      }
    }
    expect(actual).toEqual(expected)
  })

  test('device_code', async () => {
    const actual: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const how of authentications) {
      for (const [scopeName, { scope }] of Object.entries(scopes)) {
        const name = `${how}; scope ${scopeName}`
        let step = 'device'
        actual[name] = await outcome(
          async () => {
            const { form, ...authorization } = authenticate(kind, rightOne(kind))
            const { response: device } = await startDeviceAuthorization(world.deps, findClient, {
              body: { ...form, ...(scope === undefined ? {} : { scope }) },
              ...authorization,
            })
            answerDevice(world.deps, {
              authorization: world.state.deviceAuthorizations.get(device.device_code)!,
              user: world.users.alice,
              decision: 'approve',
              organizationIds: [],
              authTime: world.clock.now(),
            })
            step = 'token'
            await token(kind, how, {
              grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
              device_code: device.device_code,
            })
          },
          () => step,
        )
        expected[name] = accepted[kind].includes(how) ? 'ok' : 'token: invalid_client'
      }
    }
    expect(actual).toEqual(expected)
  })

  test('device authorization request', async () => {
    const actual: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const how of authentications) {
      const { form, ...authorization } = authenticate(kind, how)
      actual[how] = await outcome(
        () => startDeviceAuthorization(world.deps, findClient, { body: form, ...authorization }),
        () => 'device',
      )
      expected[how] =
        how === 'unnamed'
          ? 'device: invalid_request'
          : accepted[kind].includes(how)
            ? 'ok'
            : 'device: invalid_client'
    }
    expect(actual).toEqual(expected)
  })

  test('token-exchange', async () => {
    const actual: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const how of authentications) {
      for (const [scopeName, { scope, exchange }] of Object.entries(scopes)) {
        const name = `${how}; scope ${scopeName}`
        actual[name] = await outcome(
          () =>
            token(kind, how, {
              grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
              subject_token: 'bob@example.com',
              subject_token_type: 'urn:service:token-type:user-email',
              scope,
            }),
          () => 'token',
        )
        expected[name] =
          kind !== 'exchange' || how !== 'Basic'
            ? 'token: invalid_client'
            : exchange === 'refused'
              ? 'token: invalid_scope'
              : 'ok'
      }
    }
    expect(actual).toEqual(expected)
  })
})
