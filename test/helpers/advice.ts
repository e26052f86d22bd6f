import { createHash } from 'node:crypto'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { rules } from '../../server/lab/checks/check-catalog.ts'
import { Advice } from '../../server/contract/control-advice.ts'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import type { AdviceLevel } from '../../server/contract/words/advice-words.ts'
import { type ControlWorld, controlWorld, secretClient } from './control.ts'
import { serve, webhookAt } from './json-receiver.ts'
import { playFlows } from './played-flows.ts'

export const appSecret = 'sandbox_first_secret'
export const webhookSecret = 'sandbox_webhook_secret'
export const redirectUri = 'http://localhost/callback'

export interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
  scope: string
  error?: string
}

export type Form = Record<string, string>

/** Requests that a rule is tested with. */
type Script = () => Promise<unknown>
/** A script, and the findings of other rules that it causes, as `level rule`. */
type RuleCase = Script | readonly [script: Script, also: readonly string[]]
type Reported = readonly [level: AdviceLevel, script: Script, also: readonly string[]]

/** Requests that cause a finding of this level. */
const reportedAs =
  (level: AdviceLevel) =>
  (script: Script, also: readonly string[] = []): Reported => [level, script, also]
export const error = reportedAs('error')
export const warning = reportedAs('warning')
export const note = reportedAs('note')

/** Tests of a rule by title. */
export interface RuleTests {
  /** Requests that cause this finding, and none besides `also`. */
  reports: Readonly<Record<string, Reported>>
  /** Requests that the rule judges and that cause no finding. */
  silent: Readonly<Record<string, RuleCase>>
  /** Requests that look like the mistake and are none, by the exceptions of the rule. */
  guards?: Readonly<Record<string, RuleCase>>
}

const casesOf = (cases: Readonly<Record<string, RuleCase>>) =>
  Object.entries(cases).map(
    ([title, one]) => [title, typeof one === 'function' ? ([one, []] as const) : one] as const,
  )

let count = 0
/** A value that no other sign-in has. */
export const fresh = () => `value-${++count}-${'x7Kq'.repeat(11)}`

export const challengeOf = (verifier: string): Form => ({
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
})

/** A sandbox, and an app, a device and a receiver that do as a script says. To be called once, at the top of a file. */
export function adviceWorld(options: SandboxOptions = {}) {
  const world: ControlWorld = controlWorld(options)
  const { call, hub, read } = world
  const startDevice = () => playFlows(world).startDevice({ scope: 'openid' })

  const advice = () => read(Advice, 'advice')

  /** Levels and ids of all findings. */
  const found = async () =>
    (await advice()).items.map(({ rule, level }) => `${level} ${rule}`).toSorted()

  const judged = async (rule: string) =>
    (await advice()).rules.find(({ id }) => id === rule)?.judged ?? 0

  async function authorize(parameters: Form): Promise<string> {
    const { body } = await call<{ redirectTo: string }>('POST', 'authorize', {
      user: 'alice',
      client_id: secretClient,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile',
      ...parameters,
    })
    return new URL(body.redirectTo).searchParams.get('code') ?? ''
  }

  const token = (form: Form, headers: Form = {}) =>
    hub<Tokens>('POST', '/oauth/token', {
      form: { client_id: secretClient, client_secret: appSecret, ...form },
      headers,
    })

  const redeem = (code: string, more: Form = {}, headers: Form = {}) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...more }, headers)

  /** A sign-in without PKCE. */
  async function signInPlainly(parameters: Form) {
    return (await redeem(await authorize(parameters))).body
  }

  /** A sign-in without a mistake, unless it is given one. */
  async function signIn(more: Form = {}, verifier = fresh()): Promise<Tokens> {
    const code = await authorize({ ...challengeOf(verifier), state: fresh(), ...more })
    return (await redeem(code, { code_verifier: verifier })).body
  }

  const refresh = (refreshToken: string, more: Form = {}) =>
    token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...more })

  const send = (method: string, path: string, bearer: string, headers: Form = {}) =>
    hub(method, path, { headers: { authorization: `Bearer ${bearer}`, ...headers } })

  const whoami = (bearer: string, path = '/api/whoami-v2') => send('GET', path, bearer)

  const wait = (duration: string) => call('POST', 'clock', { advance: duration })

  /** Sends requests that the sandbox holds until all of them have come. */
  async function atOnce(count: number, send: (index: number) => Promise<unknown>): Promise<void> {
    const { body } = await call<{ id: string }>('POST', 'barriers', { match: {}, count })
    const all = Promise.all(Array.from({ length: count }, (_none, index) => send(index)))
    await vi.waitFor(async () => {
      const { held } = (await call<{ held: string[] }>('GET', `barriers/${body.id}`)).body
      if (held.length < count) throw new Error('not held yet')
    })
    await call('POST', `barriers/${body.id}/release`)
    await all
  }

  const fault = (rule: object) => call('POST', 'faults', rule)

  async function createWebhook(url: string, more: object = { secret: webhookSecret }) {
    const { body } = await call<{ id: string }>('POST', 'webhooks', webhookAt(url, more))
    return body.id
  }

  /** Sends an event, waits for its deliveries, and returns the newest. */
  async function trigger(event = 'repo.content'): Promise<string> {
    await call('POST', 'events', { event, repo: 'acme/corpus' })
    await call('GET', 'idle')
    const { body } = await call<{ items: { id: string }[] }>('GET', 'deliveries')
    return body.items[0]?.id ?? ''
  }

  /** Creates a webhook and sends it one event; returns the delivery. */
  async function deliver(url: string, more?: object): Promise<string> {
    await createWebhook(url, more)
    return trigger()
  }

  async function replay(delivery: string): Promise<void> {
    await call('POST', `deliveries/${delivery}/replay`, {})
    await call('GET', 'idle')
  }

  /** Tests a rule. `npm run docs:check` fails for a rule without them. */
  function testRule(id: string, { reports, silent, guards = {} }: RuleTests): void {
    // oxlint-disable-next-line vitest/valid-title -- a literal where the rule is
    describe(id, () => {
      if (Object.keys(reports).length === 0 || Object.keys(silent).length === 0) {
        throw new Error(`${id} needs requests that it reports, and requests that it judges`)
      }
      // They are shown to users, who rely on them.
      const { exceptions } = rules.find((rule) => rule.id === id) ?? {}
      if (JSON.stringify(exceptions) !== JSON.stringify(Object.keys(guards))) {
        throw new Error(`${id} needs guards for exactly its exceptions`)
      }
      for (const [title, [level, script, also]] of Object.entries(reports)) {
        test(`reports ${title}`, async () => {
          await script()
          expect(await found()).toEqual([`${level} ${id}`, ...also].toSorted())
        })
      }
      for (const [title, [script, also]] of casesOf(silent)) {
        test(`judges ${title} and is silent`, async () => {
          await script()
          expect(await found()).toEqual([...also].toSorted())
          expect(await judged(id)).toBeGreaterThan(0)
        })
      }
      for (const [title, [script, also]] of casesOf(guards)) {
        test(`is silent: ${title}`, async () => {
          await script()
          expect(await found()).toEqual([...also].toSorted())
        })
      }
    })
  }

  return {
    world,
    call,
    hub,
    advice,
    found,
    judged,
    authorize,
    token,
    redeem,
    signIn,
    signInPlainly,
    refresh,
    send,
    whoami,
    startDevice,
    wait,
    fault,
    atOnce,
    createWebhook,
    trigger,
    deliver,
    replay,
    testRule,
  }
}

/** A receiver of one's own; returns its URL. */
export async function receive(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const origin = await serve((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (body += part))
    request.on('end', () => answer(request, response, body))
  })
  return `${origin}/hook`
}
