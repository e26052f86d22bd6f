import { groupBy } from '../../../core/group-by.ts'
import { isSecretName } from '../../../core/mask.ts'
import { bodyText } from '../../../inspect/log/body-text.ts'
import type { Attempt } from '../../../store/entities/webhook-entities.ts'
import { chainOf } from '../../../hub/webhooks/publish/causes.ts'
import {
  because,
  type Evidence,
  type SeenDelivery,
  type SeenRequest,
  type SeenWebhook,
} from '../evidence.ts'
import { type EvidenceItem, type Rule, webhookGuide, webhookSecretGuide } from '../rule.ts'

/** Describes the role of an attempt in a mistake. */
function attempted({ id }: Attempt, note: string): EvidenceItem {
  return { kind: 'attempt', id, note }
}

/** Finds the parameter of a webhook's URL that holds a secret. */
function secretParameter(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  return [...new URL(url).searchParams].find(
    ([name, value]) => value !== '' && isSecretName(name),
  )?.[0]
}

const noSecret: Rule = {
  id: 'webhook/no-secret',
  level: 'warning',
  certainty: 'certain',
  title: 'The webhook has no secret, so anybody who knows the URL can call the receiver.',
  fix: 'Set a secret, and compare it with the header X-Webhook-Secret in constant time.',
  exceptions: ['the webhook is temporary', 'the secret is in the URL'],
  sources: [webhookSecretGuide],
  watch({ webhooks }) {
    // Those of "listen" live only as long as their command.
    const judged = webhooks.filter(({ webhook }) => webhook.temporary !== true)
    return {
      judged: judged.length,
      sightings: judged
        .filter(
          ({ webhook: { secret, url = '' } }) =>
            secret === undefined && secretParameter(url) === undefined,
        )
        .map(({ webhook, attempts }) => ({
          subject: { webhookId: webhook.id },
          key: 'secret',
          at: attempts[0]?.at ?? webhook.createdAt,
          evidence: attempts.slice(0, 1).map((attempt) => attempted(attempt, 'had no secret')),
        })),
    }
  },
}

const webhookSecretInUrl: Rule = {
  id: 'webhook/secret-in-url',
  level: 'note',
  certainty: 'certain',
  title: 'The secret of the webhook is in its URL, which proxies and servers write to their logs.',
  fix: 'Set the secret in the webhook, and compare it with the header X-Webhook-Secret.',
  exceptions: ['the parameter is no secret'],
  sources: [webhookSecretGuide],
  watch({ webhooks }) {
    const judged = webhooks.filter(({ webhook }) => webhook.temporary !== true)
    return {
      judged: judged.length,
      sightings: judged.flatMap(({ webhook, attempts }) => {
        const name = secretParameter(webhook.url ?? '')
        if (name === undefined) return []
        return {
          subject: { webhookId: webhook.id },
          key: name,
          at: attempts[0]?.at ?? webhook.createdAt,
          evidence: attempts
            .slice(0, 1)
            .map((attempt) => attempted(attempt, `had ${name} in the URL`)),
        }
      }),
    }
  },
}

/** Secrets of tests, such as `secret`, which are in responses by chance: short ones, and single words. */
const common = /^(?:.{0,5}|[a-z]{1,12})$/is

const echoesSecret: Rule = {
  id: 'webhook/echoes-secret',
  level: 'error',
  certainty: 'certain',
  title: 'The receiver sends the secret of the webhook back in its response.',
  fix: 'Do not copy headers of the request into the response.',
  exceptions: ['the secret is so short that it is there by chance', 'the secret is a common word'],
  sources: [webhookSecretGuide],
  watch({ webhooks }) {
    const judged = webhooks.flatMap(({ webhook, attempts }) =>
      attempts.flatMap((attempt) => {
        const { secret = '' } = webhook
        if (common.test(secret) || attempt.response === undefined) return []
        return [{ webhook, attempt, response: attempt.response, secret }]
      }),
    )
    return {
      judged: judged.length,
      sightings: judged
        .filter(({ response: { body, headers }, secret }) =>
          [body, ...headers.map(([, value]) => value)].some((text) => text.includes(secret)),
        )
        .map(({ webhook, attempt }) => ({
          subject: { webhookId: webhook.id },
          key: 'secret',
          at: attempt.at,
          evidence: [attempted(attempt, 'has the secret in its response')],
        })),
    }
  },
}

const redirects: Rule = {
  id: 'webhook/redirects',
  level: 'error',
  certainty: 'certain',
  title: 'The receiver redirects. The Hub does not follow redirects of a receiver.',
  fix: 'Set the final URL in the webhook: often https instead of http, or with a slash at the end.',
  exceptions: ['the response has no Location'],
  sources: [webhookGuide],
  watch({ webhooks }) {
    const judged = webhooks.flatMap(({ webhook, attempts }) =>
      attempts
        .filter(({ status }) => status !== undefined)
        .map((attempt) => ({ webhook, attempt })),
    )
    return {
      judged: judged.length,
      sightings: judged
        .filter(({ attempt }) => isRedirect(attempt))
        .map(({ webhook, attempt }) => ({
          subject: { webhookId: webhook.id },
          key: 'location',
          at: attempt.at,
          evidence: [attempted(attempt, `was answered ${attempt.status}`)],
        })),
    }
  },
}

/** Without a Location there is nowhere to go: 304, or a status that was chosen by mistake. */
function isRedirect({ status = 0, response }: Attempt): boolean {
  const names = (response?.headers ?? []).map(([name]) => name.toLowerCase())
  return status >= 300 && status < 400 && names.includes('location')
}

const longestMs = 5000

const slow: Rule = {
  id: 'webhook/slow',
  level: 'warning',
  certainty: 'certain',
  title:
    'The receiver takes longer than 5 seconds. The Hub may end the request before the response.',
  fix: 'Respond with 202 at once, and do the work afterwards.',
  exceptions: ['the receiver has just started', 'a fault rule delayed the requests'],
  sources: [webhookGuide],
  watch({ webhooks }) {
    const judged = webhooks.map(({ webhook, attempts }) => ({
      webhook,
      answered: attempts
        .filter(({ outcome }) => outcome === 'succeeded')
        .toSorted((one, other) => one.at - other.at),
    }))
    return {
      judged: judged.filter(({ answered }) => answered.length > 0).length,
      sightings: judged.flatMap(({ webhook, answered }) => {
        const late = answered.filter((attempt) => tookMs(attempt) > longestMs)
        // A receiver that has just started may be slow once.
        if (late.length === 1 && late[0] === answered[0]) return []
        return late.map((attempt) => ({
          subject: { webhookId: webhook.id },
          key: 'duration',
          at: attempt.at,
          evidence: [attempted(attempt, `took ${Math.round(tookMs(attempt) / 100) / 10} s`)],
        }))
      }),
    }
  },
}

/** Time of the receiver: a fault rule may have delayed the request. */
function tookMs({ durationMs = 0, timings }: Attempt): number {
  return durationMs - (timings?.faultMs ?? 0)
}

/** Refusals with another reason: a changed secret, a path that has moved, a rate limit. */
const reasonsOfAnyAttempt = new Set([401, 403, 404, 405, 410, 429])

const refusesDuplicate: Rule = {
  id: 'webhook/refuses-duplicate',
  level: 'error',
  certainty: 'certain',
  title:
    'The receiver refuses a delivery that it has accepted before. The Hub counts that as a failure.',
  fix: 'Respond with 200 to a Webhook-Id that was handled before.',
  exceptions: [
    'no other delivery shows that the receiver works',
    'the replay has an edited payload',
    'the secret has changed',
    'the receiver has failed',
    'the receiver limits requests',
    'the path of the receiver has changed',
  ],
  sources: [
    webhookGuide,
    {
      name: 'Standard Webhooks',
      section: 'Idempotency',
      url: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
    },
  ],
  watch({ webhooks }) {
    const repeated = webhooks.flatMap(({ webhook, deliveries }) =>
      deliveries
        .filter(({ attempts }) => attempts.length > 1)
        .map(({ attempts }) => ({
          webhook,
          attempts,
          others: deliveries.filter((other) => other.attempts !== attempts),
        })),
    )
    return {
      judged: repeated.length,
      sightings: repeated.flatMap(({ webhook, attempts, others }) => {
        const first =
          attempts.find(({ outcome }) => outcome === 'succeeded') ??
          attempts.find((attempt) => isHandledLate(attempt, others))
        const refused = first && attempts.find((attempt) => isRefusedAfter(first, attempt))
        if (first === undefined || refused === undefined) return []
        return {
          subject: { webhookId: webhook.id },
          key: 'webhook-id',
          at: refused.at,
          evidence: [
            attempted(
              first,
              first.status === undefined
                ? 'was not answered in time'
                : `was answered ${first.status}`,
            ),
            attempted(refused, `repeated it and was answered ${refused.status}`),
          ],
        }
      }),
    }
  },
}

/** Without a response in time, the receiver may have done the work: it accepts other deliveries at the same time. */
function isHandledLate({ error, at }: Attempt, others: readonly SeenDelivery[]): boolean {
  return (
    error?.class === 'timeout' &&
    others.some(({ attempts }) =>
      attempts.some((other) => other.outcome === 'succeeded' && other.at >= at),
    )
  )
}

function isRefusedAfter(first: Attempt, { number, status = 0 }: Attempt): boolean {
  return number > first.number && status >= 400 && status < 500 && !reasonsOfAnyAttempt.has(status)
}

const fewestRefusals = 2
/** Refusals with another reason: a wrong secret, a missing path, a rate limit. */
const reasonsOfAnyEvent = new Set([401, 403, 404, 429])

const refusesEvents: Rule = {
  id: 'webhook/refuses-events',
  level: 'note',
  certainty: 'certain',
  title:
    'The receiver refuses every event of one kind. The Hub repeats them, counts them as failures and suspends the webhook.',
  fix: 'Watch fewer domains in the webhook, or respond with 204 to events that the receiver does not need.',
  exceptions: ['the receiver refuses everything', 'the receiver fails'],
  sources: [webhookGuide],
  watch({ webhooks }) {
    const judged = webhooks.map(({ webhook, deliveries }) => {
      // Others are queued, or held since the webhook was suspended for these refusals.
      const sent = deliveries.filter(({ attempts }) => attempts.length > 0)
      return {
        webhook,
        scopes: [...groupBy(sent, ({ delivery }) => delivery.scope)],
        acceptsOthers: sent.some(isAccepted),
      }
    })
    return {
      judged: judged.flatMap(({ scopes }) => scopes).length,
      sightings: judged.flatMap(({ webhook, scopes, acceptsOthers }) =>
        scopes
          .filter(
            ([, group]) =>
              acceptsOthers && group.length >= fewestRefusals && group.every(isRefused),
          )
          .map(([scope, group]) => {
            const attempts = group.flatMap((delivery) => delivery.attempts.slice(-1))
            return {
              subject: { webhookId: webhook.id },
              key: scope,
              at: attempts.at(-1)?.at ?? webhook.createdAt,
              evidence: attempts
                .slice(-fewestRefusals)
                .map((attempt) => attempted(attempt, `was answered ${attempt.status}`)),
            }
          }),
      ),
    }
  },
}

function isAccepted({ attempts }: SeenDelivery): boolean {
  return attempts.some(({ outcome }) => outcome === 'succeeded')
}

function isRefused({ attempts }: SeenDelivery): boolean {
  return attempts.every(
    ({ status = 0 }) => status >= 400 && status < 500 && !reasonsOfAnyEvent.has(status),
  )
}

/** Time in which a receiver has done its work. */
const withinMs = 10_000
const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const actsTwice: Rule = {
  id: 'webhook/acts-twice',
  level: 'warning',
  certainty: 'likely',
  title: 'The receiver seems to do its work again for each repetition of a delivery.',
  fix: 'Remember each Webhook-Id that was handled, and respond with 200 to it without doing the work: option dedupe of the receiver helper.',
  exceptions: ['both writes came after the last attempt'],
  sources: [webhookGuide],
  watch(evidence) {
    const repeated = evidence.webhooks.filter(({ deliveries }) =>
      deliveries.some(({ attempts }) => attempts.length > 1),
    )
    return {
      judged: repeated.length,
      sightings: repeated.flatMap((seen) => {
        const works = writesOf(evidence, seen)
        const groups = groupBy(works, ({ attempt, write }) =>
          JSON.stringify([
            attempt.deliveryId,
            write.record.method,
            write.record.url,
            bodyText(write.record.request.body),
          ]),
        )
        return [...groups.values()].flatMap(([first, ...later]) => {
          const again = later.find(({ attempt }) => attempt.id !== first?.attempt.id)
          if (first === undefined || again === undefined) return []
          return {
            subject: { webhookId: seen.webhook.id },
            key: `${again.write.record.method} ${again.write.path}`,
            at: again.write.record.at,
            evidence: [
              because(first.write, `came after attempt ${first.attempt.number}`),
              attempted(again.attempt, 'repeated the delivery'),
              because(again.write, 'did the same again'),
            ],
          }
        })
      }),
    }
  },
}

/** Writes by the user of the receiver, each with the attempt before it. */
function writesOf({ requests }: Evidence, { webhook, attempts }: SeenWebhook) {
  const userId = webhook.actsAs ?? webhook.ownerId
  const sent = attempts.toSorted((one, other) => one.at - other.at)
  return requests.flatMap((write) => {
    if (!isWrite(write) || write.record.userId !== userId) return []
    const attempt = sent.findLast(({ at }) => at <= write.record.at)
    return attempt !== undefined && isSoonAfter(attempt, write) ? [{ attempt, write }] : []
  })
}

function isWrite({ path, record }: SeenRequest): boolean {
  return (
    writes.has(record.method) &&
    path.startsWith('/api/') &&
    record.status < 300 &&
    record.request.body !== undefined &&
    !record.request.truncated
  )
}

function isSoonAfter({ at, durationMs = 0 }: Attempt, { record }: SeenRequest): boolean {
  return record.at <= at + durationMs + withinMs
}

/** Rounds after which nobody meant it. */
const fewestRounds = 3

const feedsItself: Rule = {
  id: 'webhook/feeds-itself',
  level: 'warning',
  certainty: 'likely',
  title: 'The receiver seems to react to its own changes: each one sends it another event.',
  fix: 'Ignore events that the user of the receiver has caused, or write to a repo that the webhook does not watch.',
  exceptions: [],
  sources: [webhookGuide],
  watch({ webhooks, state }) {
    const caused = webhooks.flatMap(({ webhook, deliveries }) =>
      deliveries
        .filter(({ delivery }) => delivery.causedBy !== undefined)
        .map(({ delivery }) => ({ webhook, delivery })),
    )
    return {
      judged: caused.length,
      sightings: caused.flatMap(({ webhook, delivery }) => {
        const rounds = chainOf({ state }, delivery.causedBy).filter(
          ({ webhookId }) => webhookId === webhook.id,
        )
        // The sandbox holds the next delivery, so that it has no attempt.
        const cause = rounds.at(-1)
        const attempt = cause && state.attempts.group('delivery', cause.id).at(-1)
        if (rounds.length < fewestRounds || attempt === undefined) return []
        return {
          subject: { webhookId: webhook.id },
          key: delivery.scope,
          at: delivery.createdAt,
          evidence: [attempted(attempt, `is round ${rounds.length} of the webhook through itself`)],
        }
      }),
    }
  },
}

export const webhookRules: readonly Rule[] = [
  noSecret,
  webhookSecretInUrl,
  echoesSecret,
  redirects,
  slow,
  refusesDuplicate,
  refusesEvents,
  actsTwice,
  feedsItself,
]
