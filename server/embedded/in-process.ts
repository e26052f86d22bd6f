import { omitUndefined } from '../core/omit-undefined.ts'
import { createHash, randomBytes } from 'node:crypto'
import type { ControlCall } from '../contract/control-call.ts'
import type { MoveClockRequest } from '../contract/control-clock.ts'
import type { DeliveryList } from '../contract/control-deliveries.ts'
import { createControlCall, createUntypedCall, type ControlTransport } from './control-client.ts'
import type { EmbeddedServer } from './embedded-server.ts'
import { withoutSigningKey } from '../fixtures/export/export-fixtures.ts'
import type { KeptState } from '../state/kept-state.ts'
import type { TokenResponse } from '../contract/control-types.ts'
import type {
  Delivery,
  Sandbox,
  SandboxBarriers,
  SandboxClock,
  SandboxFaults,
  SandboxKeys,
  SignInOptions,
} from './sandbox-api.ts'
import { createClosing, type Closing, untilClosed } from './until-closed.ts'

const defaultWaitMs = 10_000

/**
 * The handle of a sandbox in this process. It goes through the same routes as a program outside, so what works here
 * works there, and refusals read the same.
 */
export function createSandboxHandle(
  server: EmbeddedServer,
  fork: (state: KeptState) => Promise<Sandbox>,
): Sandbox {
  const transport: ControlTransport = ({ method, path, headers, body }) =>
    server.request({
      method,
      path,
      headers: {
        ...headers,
        host: new URL(server.url).host,
        ...(server.controlToken === undefined
          ? {}
          : { authorization: `Bearer ${server.controlToken}` }),
      },
      ...(body === undefined ? {} : { body: body as object }),
    })
  const call = createControlCall(transport)
  const moveClock = (body: MoveClockRequest) => call('POST clock', { body })
  const firstUser = () =>
    requireFirst(server.fixtures().users[0]?.username, 'the fixtures have no user')
  const closing = createClosing()
  return {
    url: server.url,
    dashboardUrl: server.dashboardUrl,
    notices: server.notices,
    ...omitUndefined({ certificatePath: server.certificatePath }),
    get fixtures() {
      return withoutSigningKey(server.fixtures())
    },
    clock: untilClosed<SandboxClock>(closing, 'clock.', {
      read: () => call('GET clock'),
      advance: (duration) => moveClock({ advance: duration }),
      set: (time) => moveClock({ set: new Date(time).toISOString() }),
      freeze: () => moveClock({ frozen: true }),
      resume: () => moveClock({ frozen: false }),
      runUntilIdle: () => moveClock({ untilIdle: true }),
    }),
    faults: untilClosed<SandboxFaults>(closing, 'faults.', {
      add: (rule) => call('POST faults', { body: rule }),
      list: async () => (await call('GET faults')).items,
      remove: async (id) => void (await call('DELETE faults/:id', { params: { id } })),
      clear: async () => void (await call('DELETE faults')),
    }),
    barriers: untilClosed<SandboxBarriers>(closing, 'barriers.', {
      add: (rule) => call('POST barriers', { body: rule }),
      list: async () => (await call('GET barriers')).items,
      release: (id, order) =>
        call('POST barriers/:id/release', {
          params: { id },
          body: omitUndefined({ order }),
        }),
    }),
    keys: untilClosed<SandboxKeys>(closing, 'keys.', {
      list: async () => (await call('GET keys')).items,
      rotate: (options = {}) => call('POST keys/rotate', { body: options }),
    }),
    ...untilClosed<SandboxCalls>(closing, '', {
      control: createUntypedCall(transport),
      signIn: (options = {}) => signIn({ server, call, options }),
      approveDevice: (userCode, { user = firstUser(), decision = 'approve', organizations } = {}) =>
        call('POST device/:userCode', {
          params: { userCode },
          body: {
            user,
            decision,
            ...omitUndefined({ organizations }),
          },
        }),
      trigger: (request) => call('POST events', { body: request }),
      waitForDelivery: (matches, options) =>
        waitForDelivery({ server, call, closing }, matches, options),
      async idle({ timeoutMs = defaultWaitMs, waiting = false } = {}) {
        await call('GET idle', {
          query: { timeout: `${timeoutMs}ms`, waiting: waiting ? '1' : undefined },
        })
      },
      snapshot: (name) => call('POST snapshots', { body: omitUndefined({ name }) }),
      async restore(name) {
        await call('POST snapshots/:name/restore', { params: { name } })
      },
      fork: () => fork(structuredClone(server.captureState())),
      async reset() {
        await call('POST reset')
      },
    }),
    close() {
      closing.begin()
      return server.close()
    },
  }
}

/** What only a sandbox that runs can do. */
type SandboxCalls = Pick<
  Sandbox,
  | 'control'
  | 'signIn'
  | 'approveDevice'
  | 'trigger'
  | 'waitForDelivery'
  | 'idle'
  | 'snapshot'
  | 'restore'
  | 'fork'
  | 'reset'
>

/** The authorization code flow with PKCE, both ends played here. */
async function signIn({
  server,
  call,
  options,
}: {
  server: EmbeddedServer
  call: ControlCall
  options: SignInOptions
}): Promise<TokenResponse> {
  const user =
    options.user ?? requireFirst(server.fixtures().users[0]?.username, 'the fixtures have no user')
  const { items: apps } = await call('GET apps', { query: { limit: 1000 } })
  const client = requireFirst(
    apps.find((candidate) =>
      options.clientId === undefined
        ? candidate.clientSecret === undefined && candidate.redirectUris.length > 0
        : candidate.clientId === options.clientId,
    ),
    options.clientId === undefined
      ? 'the sandbox has no public app with a redirect URI'
      : `the sandbox has no app with the client id ${options.clientId}`,
  )
  const redirectUri = requireFirst(client.redirectUris[0], 'the app has no redirect URI')
  const verifier = randomBytes(32).toString('base64url')
  const { redirectTo } = await call('POST authorize', {
    body: {
      user,
      client_id: client.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...omitUndefined({ scope: options.scope, organizations: options.organizations }),
    },
  })
  const returned = new URL(redirectTo).searchParams
  const code = returned.get('code')
  if (code === null) {
    throw new Error(`${returned.get('error')}: ${returned.get('error_description') ?? redirectTo}`)
  }
  const answer = await server.request({
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: client.clientId,
      code_verifier: verifier,
      ...omitUndefined({ client_secret: client.clientSecret }),
    }).toString(),
  })
  const body = answer.body as TokenResponse & { error?: string; error_description?: string }
  if (body.error !== undefined) throw new Error(`${body.error}: ${body.error_description}`)
  return body
}

function waitForDelivery(
  { server, call, closing }: { server: EmbeddedServer; call: ControlCall; closing: Closing },
  matches: (delivery: Delivery) => boolean = () => true,
  { timeoutMs = defaultWaitMs }: { timeoutMs?: number } = {},
): Promise<Delivery> {
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = []
    const finish = (act: () => void) => {
      for (const stop of stops.splice(0)) stop()
      act()
    }
    const look = async (id: string) => {
      const delivery = await call('GET deliveries/:id', { params: { id } })
      if (matches(delivery)) finish(() => resolve(delivery))
    }
    stops.push(
      server.followDeliveries((id) => {
        look(id).catch((error: unknown) => finish(() => reject(error)))
      }),
    )
    const timer = setTimeout(
      () => finish(() => reject(new Error(`no such delivery within ${timeoutMs} ms`))),
      timeoutMs,
    )
    stops.push(() => clearTimeout(timer))
    stops.push(closing.tell(() => finish(() => reject(new Error('it was closed meanwhile')))))
    lookAtPast(call, matches)
      .then((delivery) => {
        if (delivery !== undefined) finish(() => resolve(delivery))
      })
      .catch((error: unknown) => finish(() => reject(error)))
  })
}

/** Oldest first, as they came. */
async function lookAtPast(
  call: ControlCall,
  matches: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  let found: Delivery | undefined
  let cursor: string | undefined
  do {
    const page: DeliveryList = await call('GET deliveries', { query: { limit: 1000, cursor } })
    found = page.items.findLast(matches) ?? found
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

function requireFirst<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new Error(problem)
  return value
}
