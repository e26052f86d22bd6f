import { omitUndefined } from '../core/omit-undefined.ts'
import { createHash, randomBytes } from 'node:crypto'
import { createControlCall, type ControlCall } from './control-client.ts'
import type { EmbeddedServer } from './embedded-server.ts'
import { withoutSigningKey } from '../fixtures/export/export-fixtures.ts'
import type { KeptState } from '../state/kept-state.ts'
import type {
  ClockReading,
  Delivery,
  Sandbox,
  SandboxBarriers,
  SandboxClock,
  SandboxFaults,
  SandboxKeys,
  SignInOptions,
  TokenResponse,
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
  const control = createControlCall(({ method, path, body }) =>
    server.request({
      method,
      path,
      headers: {
        host: new URL(server.url).host,
        ...(server.controlToken === undefined
          ? {}
          : { authorization: `Bearer ${server.controlToken}` }),
      },
      ...(body === undefined ? {} : { body: body as object }),
    }),
  )
  const moveClock = (body: object) => control<ClockReading>('POST', 'clock', body)
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
      read: () => control('GET', 'clock'),
      advance: (duration) => moveClock({ advance: duration }),
      set: (time) => moveClock({ set: new Date(time).toISOString() }),
      freeze: () => moveClock({ frozen: true }),
      resume: () => moveClock({ frozen: false }),
      runUntilIdle: () => moveClock({ untilIdle: true }),
    }),
    faults: untilClosed<SandboxFaults>(closing, 'faults.', {
      add: (rule) => control('POST', 'faults', rule),
      list: () => itemsOf(control, 'faults'),
      remove: async (id) => void (await control('DELETE', `faults/${id}`)),
      clear: async () => void (await control('DELETE', 'faults')),
    }),
    barriers: untilClosed<SandboxBarriers>(closing, 'barriers.', {
      add: (rule) => control('POST', 'barriers', rule),
      list: () => itemsOf(control, 'barriers'),
      release: (id, order) =>
        control('POST', `barriers/${id}/release`, order === undefined ? {} : { order }),
    }),
    keys: untilClosed<SandboxKeys>(closing, 'keys.', {
      list: () => itemsOf(control, 'keys'),
      rotate: (options = {}) => control('POST', 'keys/rotate', options),
    }),
    ...untilClosed<SandboxCalls>(closing, '', {
      control,
      signIn: (options = {}) => signIn({ server, control, options }),
      approveDevice: (userCode, { user = firstUser(), decision = 'approve', organizations } = {}) =>
        control('POST', `device/${encodeURIComponent(userCode)}`, {
          user,
          decision,
          ...omitUndefined({ organizations }),
        }),
      trigger: (request) => control('POST', 'events', request),
      waitForDelivery: (matches, options) =>
        waitForDelivery({ server, control, closing }, matches, options),
      async idle({ timeoutMs = defaultWaitMs, waiting = false } = {}) {
        await control('GET', `idle?timeout=${timeoutMs}ms${waiting ? '&waiting=1' : ''}`)
      },
      snapshot: (name) => control('POST', 'snapshots', name === undefined ? {} : { name }),
      async restore(name) {
        await control('POST', `snapshots/${encodeURIComponent(name)}/restore`)
      },
      fork: () => fork(structuredClone(server.captureState())),
      async reset() {
        await control('POST', 'reset')
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

async function itemsOf<T>(control: ControlCall, path: string): Promise<T[]> {
  return (await control<{ items: T[] }>('GET', path)).items
}

/** The authorization code flow with PKCE, both ends played here. */
async function signIn({
  server,
  control,
  options,
}: {
  server: EmbeddedServer
  control: ControlCall
  options: SignInOptions
}): Promise<TokenResponse> {
  const user =
    options.user ?? requireFirst(server.fixtures().users[0]?.username, 'the fixtures have no user')
  const { items: apps } = await control<{
    items: { clientId: string; clientSecret?: string; redirectUris: string[] }[]
  }>('GET', 'apps?limit=1000')
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
  const { redirectTo } = await control<{ redirectTo: string }>('POST', 'authorize', {
    user,
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...omitUndefined({ scope: options.scope, organizations: options.organizations }),
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
  { server, control, closing }: { server: EmbeddedServer; control: ControlCall; closing: Closing },
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
      const delivery = await control<Delivery>('GET', `deliveries/${id}`)
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
    lookAtPast(control, matches)
      .then((delivery) => {
        if (delivery !== undefined) finish(() => resolve(delivery))
      })
      .catch((error: unknown) => finish(() => reject(error)))
  })
}

/** Oldest first, as they came. */
async function lookAtPast(
  control: ControlCall,
  matches: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  let found: Delivery | undefined
  let cursor: string | undefined
  do {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = await control<{ items: Delivery[]; nextCursor?: string }>(
      'GET',
      `deliveries?limit=1000${query}`,
    )
    found = page.items.findLast(matches) ?? found
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found
}

function requireFirst<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new Error(problem)
  return value
}
