import * as fc from 'fast-check'
import type { TriggerResult } from '../../server/contract/control-events.ts'
import { DeliveryList } from '../../server/contract/control-deliveries.ts'
import { WebhookItem, WebhookList } from '../../server/contract/control-webhooks.ts'
import { performance } from '../../server/core/timers.ts'
import { type ControlWorld, publicClient } from './control.ts'
import { openServer } from './json-receiver.ts'
import { playFlows } from './played-flows.ts'

// Random histories of a sandbox. What happened to each sign-in is noted while it is played, and so known without asking the
// sandbox.

const plainSteps = [
  'event',
  'flood',
  'retry',
  'give up',
  'hold or release',
  'disable or enable',
  'delete webhook',
  'sign in',
  'deny',
  'unknown code',
  'unknown redirect',
  'leave consent page',
  'leave code',
  'device',
  'poll',
  'approve',
  'deny device',
  'expired token',
  'audit',
] as const

export type Step =
  | { do: (typeof plainSteps)[number] }
  | { do: 'respond'; with: number | 'reset' | 'garbage' }
  | { do: 'replay' | 'cancel'; pick: number }

const plain = (...names: readonly (typeof plainSteps)[number][]) =>
  fc.constantFrom(...names).map((name): Step => ({ do: name }))

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: plain('event') },
  { weight: 1, arbitrary: plain('flood', 'give up', 'delete webhook') },
  { weight: 8, arbitrary: plain(...plainSteps.filter((name) => name !== 'flood')) },
  { weight: 4, arbitrary: plain('retry', 'hold or release', 'device', 'poll', 'deny device') },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(200, 204, 404, 500, 'reset' as const, 'garbage' as const)
      .map((response): Step => ({ do: 'respond', with: response })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('replay' as const, 'replay' as const, 'cancel' as const),
      pick: fc.nat(30),
    }),
  },
)

/** Sign-in that was played. */
interface Played {
  /** Result unless it expires before. */
  result: 'pending' | 'completed' | 'refused' | 'denied'
  /** Time after which it is expired if it is still pending; milliseconds since 1970. */
  expiresAt?: number
  audit?: true
  /** Its token was refused in the end. */
  spoiled?: true
}

/** What has happened, as the player knows it. */
export interface History {
  readonly signIns: readonly Played[]
}

const minute = 60_000

/** Prepares the receiver of a world. @returns a function that plays a history at a fresh sandbox */
export async function historyPlayer(world: ControlWorld) {
  const { call, read, make, hub } = world
  const play = playFlows(world)
  let response: number | 'reset' | 'garbage' = 200
  const { origin, close } = await openServer((request, answer) => {
    request.resume().on('end', () => {
      if (response === 'reset') request.socket.destroy()
      else if (response === 'garbage') request.socket.end('this is no HTTP\r\n\r\n')
      else answer.writeHead(response).end('noted')
    })
  })
  const now = async () => Date.parse((await call<{ now: string }>('GET', 'clock')).body.now)
  const pick = async (place: number) => {
    const { items } = await read(DeliveryList, 'deliveries?limit=1000&view=rows')
    return items[place % Math.max(1, items.length)]
  }
  let turn = 0
  const someWebhook = async () => {
    const { items } = await read(WebhookList, 'webhooks')
    return items[(turn += 1) % Math.max(1, items.length)]
  }

  async function begin(): Promise<void> {
    world.sandbox.deps.reset()
    response = 200
    await call('POST', 'clock', { frozen: true })
    const watched = [{ type: 'org', name: 'acme' }]
    for (const target of [
      { url: `${origin}/hook`, name: 'ci' },
      // Nothing listens on the discard port.
      { url: 'http://127.0.0.1:9/hook' },
      { job: { dockerImage: 'none' } },
    ])
      await make(WebhookItem, 'webhooks', { user: 'alice', watched, ...target })
  }

  async function playOut(steps: readonly Step[]): Promise<History> {
    await begin()
    const signIns: Played[] = []
    let number = 0
    let token: { text: string; of: Played } | undefined
    let device: { started: Awaited<ReturnType<typeof play.startDevice>>; of: Played } | undefined
    let isApproved = false
    /** Whether the user has consented to the app before. */
    let hasConsent = false
    const fresh = () => ({ state: `history-${(number += 1)}` })
    const add = (played: Played): Played => {
      signIns.push(played)
      return played
    }
    const moves: Record<(typeof plainSteps)[number], () => Promise<unknown>> = {
      event: () => call('POST', 'events', { event: 'repo.content', repo: 'datasets/acme/corpus' }),
      flood: async () => {
        const repeat = { times: 12 }
        const repo = 'datasets/acme/corpus'
        const flood = { event: 'repo.content', repo, repeat }
        return (await call<TriggerResult>('POST', 'events', flood)).body
      },
      retry: () => call('POST', 'clock', { advance: '2m' }),
      'give up': () => call('POST', 'clock', { untilIdle: true }),
      'hold or release': async () => {
        const first = await someWebhook()
        if (first) await call('PATCH', `webhooks/${first.id}`, { held: !first.held })
      },
      'disable or enable': async () => {
        const first = await someWebhook()
        const status = first?.status === 'enabled' ? 'disabled' : 'enabled'
        if (first) await call('PATCH', `webhooks/${first.id}`, { status })
      },
      'delete webhook': async () => {
        const [first] = (await read(WebhookList, 'webhooks')).items
        if (first) await call('DELETE', `webhooks/${first.id}`)
      },
      'sign in': async () => {
        const { access_token: text } = await play.signIn(fresh())
        token = { text, of: add({ result: 'completed' }) }
        hasConsent = true
      },
      deny: async () => {
        const changes = fresh()
        await play.answer(await play.toConsent(changes), 'deny', changes)
        add({ result: 'denied' })
      },
      'unknown code': async () => {
        await play.exchangeCode(`unknown-${(number += 1)}`)
        add({ result: 'refused' })
      },
      'unknown redirect': async () => {
        const changes = { ...fresh(), redirect_uri: 'http://localhost/elsewhere' }
        await hub('GET', `/oauth/authorize?${play.request(changes)}`)
        add({ result: 'refused' })
      },
      'leave consent page': async () => {
        await play.toConsent(fresh())
        // The Hub does not ask again, and sends the app a code.
        add({ result: 'pending', ...(hasConsent && { expiresAt: (await now()) + minute }) })
      },
      'leave code': async () => {
        const changes = fresh()
        await play.answer(await play.toConsent(changes), 'approve', changes)
        add({ result: 'pending', expiresAt: (await now()) + minute })
        hasConsent = true
      },
      device: async () => {
        const started = await play.startDevice()
        const expiresAt = (await now()) + 5 * minute
        device = { started, of: add({ result: 'pending', expiresAt }) }
        isApproved = false
      },
      approve: async () => {
        if (device?.of.result !== 'pending' || (await now()) >= (device.of.expiresAt ?? 0)) return
        await play.answerDevice(device.started.userCode)
        isApproved = true
      },
      'deny device': async () => {
        if (device?.of.result !== 'pending' || (await now()) >= (device.of.expiresAt ?? 0)) return
        if (isApproved) return
        await play.answerDevice(device.started.userCode, 'deny')
        device.of.result = 'denied'
      },
      poll: async () => {
        if (device === undefined) return
        // A faster poll would be told to slow down.
        await call('POST', 'clock', { advance: '10s' })
        const isInTime = (await now()) < (device.of.expiresAt ?? 0)
        await device.started.poll()
        // Its code is used up.
        if (device.of.result === 'completed') device.of.result = 'refused'
        else if (isApproved && isInTime) device.of.result = 'completed'
      },
      'expired token': async () => {
        if (token === undefined) return
        await call('POST', 'clock', { advance: '9h' })
        await play.userinfo(token.text)
        token.of.spoiled = true
      },
      audit: async () => {
        const { adviceExceptions } = world.sandbox.deps
        const moment = () => ({ realAt: Date.now(), realMs: performance.now() })
        const id = adviceExceptions.pause(moment(), publicClient)
        await play.exchangeCode(`audited-${(number += 1)}`)
        add({ result: 'refused', audit: true })
        await play.signIn(fresh())
        add({ result: 'completed', audit: true })
        hasConsent = true
        adviceExceptions.resume(id, moment())
      },
    }
    for (const one of steps) {
      if (one.do === 'respond') response = one.with
      else if (one.do === 'replay' || one.do === 'cancel') {
        const delivery = await pick(one.pick)
        if (delivery) await call('POST', `deliveries/${delivery.id}/${one.do}`, {})
      } else await moves[one.do]()
      await call('GET', 'idle?timeout=10s')
    }
    return { signIns }
  }

  return { playOut, close }
}
