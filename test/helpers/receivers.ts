import { serveFunctions } from '../../server/client/serve-functions.ts'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { ReceiverMistake, SignedMistake } from './receiver-mistakes.ts'

export interface TestReceiver {
  readonly receive: (request: Request) => Promise<Response>
  /** Number of times that work was done. */
  readonly effects: () => number
}

export const receiverSecret = 'Right-Secret-42'

interface Payload {
  event: { scope: string; action: string }
  repo: { type: string; headSha?: string }
  comment?: { content?: string }
  updatedRefs?: { oldSha: string | null; newSha: string | null }[]
  webhook: { version: number }
}

const answer = (status: number, text = '') => new Response(text, { status })

/** A small receiver with a switch for each mistake. Without mistakes it passes every module. */
export function createTestReceiver(
  mistakes: readonly ReceiverMistake[] = [],
  { secret = receiverSecret, path = '/hook' } = {},
): TestReceiver {
  const has = (name: ReceiverMistake) => mistakes.includes(name)
  const known = new Set<string>()
  const seen = new Set<string>()
  let count = 0

  function isRight(given: string | null, url: URL): boolean {
    if (has('no-secret')) return true
    if (has('secret-in-query') && url.searchParams.get('secret') === secret) return true
    if (given === null) return false
    if (has('starts-with')) return secret.startsWith(given) || given.startsWith(secret)
    if (has('same-length')) return given.length === secret.length
    if (has('trims')) return given.replaceAll(' ', '') === secret
    if (has('ignores-case')) return given.toLowerCase() === secret.toLowerCase()
    if (has('lists-secrets')) return given.split(', ').includes(secret)
    return timingSafeEqual(digest(given), digest(secret))
  }

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (url.pathname !== path) return answer(404)
    if (request.method !== 'POST') return answer(has('answers-get') ? 200 : 405)
    if (has('body-first')) {
      try {
        JSON.parse(await request.clone().text())
      } catch {
        return answer(400)
      }
    }
    const given = request.headers.get('x-webhook-secret')
    if (!isRight(given, url)) {
      if (has('works-before-secret')) count++
      return answer(401, has('echoes-secret') ? `not ${secret}` : 'wrong secret')
    }
    const bytes = Buffer.from(await request.arrayBuffer())
    if (bytes.length > (has('small-bodies') ? 100 : 10_000) * 1024) {
      return answer(has('small-bodies') ? 400 : 413)
    }
    if (has('fails-on-duplicate-keys') && /^\{"event":\{[^}]*\},"event"/.test(bytes.toString())) {
      return answer(500)
    }
    let payload: Payload
    try {
      payload = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Payload
      if (!Object.hasOwn(payload, 'event')) throw new TypeError('no event')
    } catch (error) {
      if (has('fails-on-bad-json')) return answer(500, String(error))
      return answer(has('accepts-bad-json') ? 200 : 422)
    }
    return work(payload, request.headers.get('webhook-id') ?? '')
  }

  async function work(payload: Payload, id: string): Promise<Response> {
    const { event, repo, comment, updatedRefs, webhook } = payload
    const isUnknown = webhook.version !== 3 || repo.type === 'kernel' || event.action === 'archive'
    if (has('fails-on-unknown-values') && isUnknown) return answer(500)
    if (has('known-scopes-only') && /dois|galaxy/.test(event.scope)) return answer(422)
    if (has('strict-members') && Object.hasOwn(payload, 'addedLater')) return answer(422)
    if (has('requires-optional') && comment !== undefined && comment.content === undefined) {
      return answer(422)
    }
    if (has('short-texts') && (comment?.content?.length ?? 0) > 10_000) return answer(422)
    const [ref] = updatedRefs ?? []
    if (has('newest-only') && ref?.newSha && seen.has(ref.newSha)) return answer(409)
    if (ref?.oldSha) seen.add(ref.oldSha)
    if (known.has(id)) return answer(has('refuses-duplicates') ? 409 : 200)
    if (!has('no-dedupe') && !has('remembers-late')) known.add(id)
    if (has('remembers-late')) {
      await pause(20)
      if (!known.has(id)) count++
      await pause(20)
      known.add(id)
      return answer(200)
    }
    count++
    return answer(200)
  }

  return {
    effects: () => count,
    receive: handle,
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const digest = (text: string) => createHash('sha256').update(text).digest()

/** A receiver of Standard Webhooks; each mistake leaves out one check. */
export function createSignedReceiver(secret: string, mistakes: readonly SignedMistake[] = []) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return async (request: Request): Promise<Response> => {
    const body = await request.text()
    const header = (name: string) => request.headers.get(name) ?? ''
    const age = Math.abs(Date.now() / 1000 - Number(header('webhook-timestamp')))
    if (age > 300 && !mistakes.includes('no-time')) return answer(400)
    if (mistakes.includes('no-check')) return answer(200)
    const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${body}`
    const right = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    const all = header('webhook-signature').split(' ')
    const given = mistakes.includes('first-only') ? all.slice(0, 1) : all
    return new Response(null, { status: given.includes(right) ? 204 : 401 })
  }
}

/** Serves a receiver without mistakes as the documentation shows it: with its secret, its path and its count. */
export async function startShownReceiver(): Promise<{ url: string; close: () => Promise<void> }> {
  const path = '/webhooks/retrain'
  const { receive, effects } = createTestReceiver([], { secret: 'a secret', path })
  return serveFunctions({
    receive: async (request) => {
      if (new URL(request.url).pathname === '/count') return new Response(String(effects()))
      return receive(request)
    },
  })
}
