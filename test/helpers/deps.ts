import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { createClock } from '../../server/core/clock.ts'
import type { IssuerKeys } from '../../server/hub/oauth/ci/issuer-keys.ts'
import type { OAuthDeps } from '../../server/hub/oauth/oauth-deps.ts'
import { createIds, type Ids, seededBytes } from '../../server/core/ids.ts'
import type { Settings } from '../../server/core/settings.ts'
import { type AnyEntry, createBus } from '../../server/hub/events/bus.ts'
import { createDevicePolls } from '../../server/hub/oauth/device-polls.ts'
import { createSigningKeys, type NewKey } from '../../server/hub/oauth/signing-keys.ts'
import type { App } from '../../server/store/entities/oauth-entities.ts'
import { definitions, stateFormatVersion } from '../../server/store/state.ts'
import { createMemoryObjects } from '../../server/store/objects/memory-objects.ts'
import { openStore } from '../../server/store/store.ts'
import { accountsIn } from '../worlds/accounts.ts'
import { testSettings, testStart } from '../worlds/settings.ts'

const generate = promisify(generateKeyPair)
let sharedKey: Promise<KeyObject> | undefined

export async function sharedPrivateJwk(): Promise<Record<string, unknown>> {
  return { ...(await sharedRsaKey()).export({ format: 'jwk' }) }
}

/** A signing key of its own `kid`, though the RSA key is the shared one. */
export async function makeSharedKey(ids: Pick<Ids, 'alphanumeric'>): Promise<NewKey> {
  const id = ids.alphanumeric(16)
  return { id, privateJwk: await sharedPrivateJwk() }
}

/** One RSA key for a whole test file: making it is slow and what it is does not matter. */
export function sharedRsaKey(): Promise<KeyObject> {
  return (sharedKey ??= generate('rsa', { modulusLength: 2048 }).then(
    ({ privateKey }) => privateKey,
  ))
}

/** The address of a client metadata document that the state holds. */
export const documentUrl = 'https://client.example/.well-known/oauth-cimd'

const appScopes = [
  'openid',
  'profile',
  'email',
  'read-memberships',
  'read-repos',
  'write-repos',
  'read-billing',
]

const redirectUris = [
  'http://localhost/callback',
  'http://127.0.0.1/callback',
  'https://app.example/callback?from=hub',
  'myapp://callback',
]

/**
 * The domain in memory, under a clock that only `clock.advance` and `elapse` move, with a few accounts and apps:
 * alice (admin) and bob (write) in acme (enterprise), bob in labs (team), carol alone, dana with a password, and
 * mallory, a member of acme whose address is not verified.
 */
export async function createTestDeps(changes: Partial<Settings> = {}) {
  const domain = await createDomain(changes)
  return { ...domain, ...populate(domain.deps) }
}

export type TestWorld = Awaited<ReturnType<typeof createTestDeps>>

/** The domain without accounts and apps. */
export async function createDomain(changes: Partial<Settings> = {}) {
  const settings = { ...testSettings, ...changes }
  let realTime = testStart
  const clock = createClock({ realNow: () => realTime })
  const ids = createIds(seededBytes('test'))
  const { collections: state } = await openStore(definitions, { formatVersion: stateFormatVersion })
  const objects = createMemoryObjects()
  const bus = createBus(clock)
  const events: AnyEntry[] = []
  bus.onAny((entry) => events.push(entry))
  const polls = createDevicePolls(clock, settings.device.intervalSeconds)
  const keys = createSigningKeys({ state, clock, bus, makeKey: () => makeSharedKey(ids) })
  const deps: OAuthDeps = { settings, clock, ids, state, objects, bus, keys, polls }
  return {
    deps,
    state,
    objects,
    clock,
    events,
    /** Lets real time pass, and the sandbox's with it. */
    elapse(ms: number) {
      realTime += ms
    },
    /** Empties the state and begins the time again. */
    restart() {
      for (const collection of Object.values(state)) collection.clear()
      objects.forget()
      polls.clear()
      realTime = testStart
      clock.reset()
      events.length = 0
    },
  }
}

/** Puts the accounts and apps of {@link createTestDeps} into an empty state. */
export function populate({ ids, state }: Pick<OAuthDeps, 'ids' | 'state'>) {
  const { user, organization } = accountsIn({ ids, state })
  const app = (name: string, more: Partial<App> = {}): App =>
    state.apps.put({
      id: ids.uuid(),
      name,
      origin: 'settings',
      redirectUris,
      scopes: appScopes,
      privileges: [],
      createdAt: testStart,
      ...more,
    })

  const users = {
    alice: user('alice', { isPro: true, canPay: true, website: 'https://alice.example' }),
    bob: user('bob'),
    carol: user('carol'),
    dana: user('dana', { password: 'correct horse' }),
    mallory: user('mallory', { emailVerified: false }),
  }
  const acme = organization(
    'acme',
    [
      [users.alice, 'admin'],
      [users.bob, 'write'],
      [users.mallory, 'read'],
    ],
    { plan: 'enterprise', canPay: true },
  )
  const labs = organization('labs', [[users.bob, 'read']], { plan: 'team' })
  const clientSecret = 'sandbox_secret_of_the_tests'
  const apps = {
    public: app('Public app'),
    confidential: app('App with a secret', { clientSecret }),
    exchange: app('Exchange app', {
      clientSecret,
      organizationId: acme.id,
      privileges: ['token-exchange'],
    }),
    labs: app('Labs app', { clientSecret, organizationId: labs.id }),
  }
  state.metadataDocuments.put({
    id: documentUrl,
    document: {
      client_id: documentUrl,
      client_name: 'Document app',
      redirect_uris: ['http://localhost/callback', 'https://client.example/callback'],
      token_endpoint_auth_method: 'none',
    },
  })

  return {
    users,
    organizations: { acme, labs },
    apps,
    clientSecret,
    user,
    organization,
    app,
  }
}

/** Keys of no issuer, for requests without an ID token. */
export const noIssuers: IssuerKeys = {
  find: () => Promise.reject(new Error('no issuer is known')),
}
