import { disposedBy } from '../core/disposed-by.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { AdvicePause } from '../contract/control-advice.ts'
import type { MoveClockRequest } from '../contract/control-clock.ts'
import {
  type KeysOf,
  show,
  takeObject,
  takeOptions,
  takeTime,
  takeTimeout,
} from '../core/arguments.ts'
import { auditApp } from './audit-app.ts'
import { auditReceiver, stormReceivers } from './audit-receiver.ts'
import { createControlCall, createUntypedCall } from '../web/control-client.ts'
import { expectRequest } from './expect-request.ts'
import { allDeliveries, allFlows, allRequests, allTokens } from './lists.ts'
import { authorizationParameters } from './authorization-url.ts'
import type { AuthorizeOptions, Sandbox, SignInOptions } from './sandbox-api.ts'
import type {
  SandboxAdvice,
  SandboxBarriers,
  SandboxClock,
  SandboxExperiments,
  SandboxFaults,
  SandboxKeys,
  SandboxSpaceFrames,
  SandboxTokens,
} from './sandbox-parts.ts'
import type { SandboxAudit } from './sandbox-audit.ts'
import type { SandboxServer } from './sandbox-server.ts'
import { defaultUser, signInToApp } from './sign-in.ts'
import { createClosing, untilClosed } from './until-closed.ts'
import { waitForDelivery } from './wait-for-delivery.ts'
import { defaultWaitMs } from './wait-for-line.ts'

/**
 * Creates the handle of a sandbox. It uses the same routes wherever the sandbox runs, so code for this process works
 * with a remote sandbox, with the same errors.
 */
export function createSandboxHandle(server: SandboxServer): Sandbox {
  const { transport } = server
  const call = createControlCall(transport)
  const moveClock = (body: MoveClockRequest) => call('POST clock', { body })
  const closing = createClosing()
  const close = () => {
    closing.begin()
    return server.close()
  }
  return {
    url: server.url,
    issuer: server.issuer,
    dashboardUrl: server.dashboardUrl,
    notices: server.notices,
    ...omitUndefined({ certificatePath: server.certificatePath }),
    get fixtures() {
      return server.fixtures()
    },
    clock: untilClosed<SandboxClock>(closing, 'clock.', {
      read: () => call('GET clock'),
      advance: (duration) => moveClock({ advance: duration }),
      set: async (time) => moveClock({ set: takeTime('clock.set()', time) }),
      freeze: () => moveClock({ frozen: true }),
      resume: () => moveClock({ frozen: false }),
      runUntilIdle: () => moveClock({ untilIdle: true }),
    }),
    faults: untilClosed<SandboxFaults>(closing, 'faults.', {
      add: async (rule) => {
        const example = "{ match: { route: '/oauth/token' }, status: 503 }"
        return call('POST faults', { body: takeObject('faults.add()', rule, example) })
      },
      list: async () => (await call('GET faults')).items,
      remove: async (id) => void (await call('DELETE faults/:id', { params: { id } })),
      clear: async () => void (await call('DELETE faults')),
    }),
    barriers: untilClosed<SandboxBarriers>(closing, 'barriers.', {
      add: async (rule) => {
        const example = "{ match: { route: '/oauth/token' }, count: 2 }"
        return call('POST barriers', { body: takeObject('barriers.add()', rule, example) })
      },
      list: async () => (await call('GET barriers')).items,
      release: (id, order) =>
        call('POST barriers/:id/release', { params: { id }, body: omitUndefined({ order }) }),
    }),
    advice: untilClosed<SandboxAdvice>(closing, 'advice.', {
      read: (query = {}) => call('GET advice', { query }),
      rules: async () => (await call('GET advice/rules')).items,
      ignore: async (what) =>
        call('POST advice/ignores', {
          body: takeObject(
            'advice.ignore()',
            what,
            "{ rule: 'token/dead-bearer', reason: 'on purpose' }",
          ),
        }),
      async pause(during) {
        if (typeof during !== 'function') {
          throw new TypeError('advice.pause() requires a function, such as async () => { … }')
        }
        const left = new AbortController()
        const query = { follow: '1' } as const
        const lines = server.lines(left.signal, 'POST advice/pauses', { query })
        const reader = lines[Symbol.asyncIterator]()
        try {
          const { value } = await reader.next()
          const { id } = value as AdvicePause
          // Keeps the stream open: the pause ends with it if this process dies.
          void reader.next().catch(() => undefined)
          try {
            return await during()
          } finally {
            await call('DELETE advice/pauses/:id', { params: { id } })
          }
        } finally {
          left.abort()
        }
      },
    }),
    audit: untilClosed<SandboxAudit>(closing, 'audit.', {
      app: async (options) =>
        auditApp(call, takeObject('audit.app()', options, "{ clientId: '…', start: 'http://…' }")),
      receiver: (options) => auditReceiver(call, options),
    }),
    experiments: untilClosed<SandboxExperiments>(closing, 'experiments.', {
      list: async () => (await call('GET experiments')).items,
      run: (id, body = {}) => call('POST experiments/:id/run', { params: { id }, body }),
      verdict: async (id) => {
        const { items } = await call('GET experiments')
        return items.find((one) => one.id === id)?.verdict
      },
      stop: async (id) => void (await call('DELETE experiments/:id/run', { params: { id } })),
    }),
    keys: untilClosed<SandboxKeys>(closing, 'keys.', {
      list: async () => (await call('GET keys')).items,
      rotate: (options = {}) => call('POST keys/rotate', { body: options }),
    }),
    tokens: untilClosed<SandboxTokens>(closing, 'tokens.', {
      list: (which = {}) => allTokens(call, which),
      mint: async (request) =>
        call('POST tokens', { body: takeObject('tokens.mint()', request, "{ user: 'alice' }") }),
      revoke: async (token) => void (await call('DELETE tokens/:id', { params: { id: token } })),
    }),
    spaceFrames: untilClosed<SandboxSpaceFrames>(closing, 'spaceFrames.', {
      open: async (request) => {
        const example = "{ target: 'http://localhost:7860' }"
        return call('POST space-frames', {
          body: takeObject('spaceFrames.open()', request, example),
        })
      },
      read: (id) => call('GET space-frames/:id', { params: { id } }),
      setMode: (id, mode) => call('PATCH space-frames/:id', { params: { id }, body: { mode } }),
      list: async () => (await call('GET space-frames')).items,
      close: async (id) => void (await call('DELETE space-frames/:id', { params: { id } })),
    }),
    ...untilClosed<SandboxCalls>(closing, '', {
      control: createUntypedCall(transport),
      signIn: async (options) =>
        signInToApp(server, call, takeOptions('signIn()', options, signInOptions)),
      async authorize(url, options) {
        const given = takeOptions('authorize()', options, authorizeOptions)
        const { user = await defaultUser(call), decision, organizations } = given
        const text = typeof url === 'string' ? url : url?.href
        if (text === undefined) {
          throw new TypeError(
            `authorize() requires the URL to which the app redirects the user, not ${show(url)}: did its login route redirect?`,
          )
        }
        const { redirectTo } = await call('POST authorize', {
          body: {
            ...authorizationParameters(text, server),
            user,
            ...omitUndefined({ decision, organizations }),
          },
        })
        return redirectTo
      },
      storm: async (options) =>
        stormReceivers(
          call,
          takeObject('storm()', options, '{ receivers: [{ receive: webhooks.fetch }] }'),
        ),
      async approveDevice(userCode, options) {
        const given = takeOptions('approveDevice()', options, decisionOptions)
        const { user = await defaultUser(call), decision = 'approve', organizations } = given
        return call('POST device/:userCode', {
          params: { userCode },
          body: { user, decision, ...omitUndefined({ organizations }) },
        })
      },
      async ciToken(request) {
        const body = takeObject('ciToken()', request, "{ provider: 'github' }")
        return (await call('POST ci/tokens', { body })).token
      },
      async trigger(request) {
        const example = "{ event: 'repo.content', repo: 'acme/corpus' }"
        return call('POST events', { body: takeObject('trigger()', request, example) })
      },
      waitForDelivery: async (matches, options) =>
        waitForDelivery(
          server,
          closing,
          matches,
          takeOptions('waitForDelivery()', options, waitOptions),
        ),
      expectRequest: async (match, options) =>
        expectRequest(
          server,
          closing,
          call,
          match,
          takeOptions('expectRequest()', options, waitOptions),
        ),
      requests: (which = {}) => allRequests(call, which),
      flows: () => allFlows(call),
      deliveries: (which = {}) => allDeliveries(call, which),
      releaseDelivery: (id) => call('POST deliveries/:id/release', { params: { id } }),
      async idle(options) {
        const given = takeOptions('idle()', options, idleOptions)
        const { waiting = false } = given
        const timeoutMs = takeTimeout('idle()', given.timeoutMs, defaultWaitMs)
        await call('GET idle', {
          query: { timeout: `${timeoutMs}ms`, waiting: waiting ? '1' : undefined },
        })
      },
      snapshot: (name) => call('POST snapshots', { body: omitUndefined({ name }) }),
      async restore(name) {
        await call('POST snapshots/:name/restore', { params: { name } })
      },
      export: () => call('GET export'),
      fork: () => server.fork(),
      async reset() {
        if (server.reset === undefined) await call('POST reset')
        else await server.reset()
      },
    }),
    close,
    ...disposedBy(Symbol.asyncDispose, close),
  }
}

const waitOptions = { timeoutMs: true } as const satisfies KeysOf<WaitOptions>
const idleOptions = { timeoutMs: true, waiting: true } as const
const authorizeOptions = {
  user: true,
  decision: true,
  organizations: true,
} as const satisfies KeysOf<AuthorizeOptions>
const decisionOptions = { user: true, decision: true, organizations: true } as const
const signInOptions = {
  user: true,
  clientId: true,
  scope: true,
  organizations: true,
} as const satisfies KeysOf<SignInOptions>

interface WaitOptions {
  timeoutMs?: number
}

/** Operations that depend on where the sandbox runs. */
type SandboxCalls = Pick<
  Sandbox,
  | 'control'
  | 'signIn'
  | 'authorize'
  | 'storm'
  | 'approveDevice'
  | 'ciToken'
  | 'trigger'
  | 'waitForDelivery'
  | 'expectRequest'
  | 'requests'
  | 'flows'
  | 'deliveries'
  | 'releaseDelivery'
  | 'idle'
  | 'snapshot'
  | 'restore'
  | 'export'
  | 'fork'
  | 'reset'
>
