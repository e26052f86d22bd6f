import { eventScopes } from '../../contract/words/hub-words.ts'
import { shownWordOf } from '../../contract/delivery-result.ts'
import { deliveryStatusWords, plainWord } from '../../contract/words/webhook-words.ts'
import { queryHelp } from '../list-words.ts'
import { call } from '../program/call.ts'
import { group, type Row } from '../program/row.ts'
import { limit } from './shared.ts'

/** Options of a new event. */
const causing = ['repo', 'kind', 'set', 'remove', 'send', 'repeat', 'preview']

export const trigger: Row = {
  name: 'trigger [event]',
  does: 'Trigger an event',
  arguments: {
    event: { help: 'Scope, or scope and action: repo.content, discussion.create', of: 'event' },
  },
  options: {
    '--repo <name>': {
      help: 'namespace/name, with its type before it if ambiguous, as in buckets/acme/results',
      of: 'repo',
    },
    '--kind <kind>': {
      help: 'Cause of the event (default: the first one)',
      of: 'cause of an event',
    },
    '--set <path=value>': { help: 'Set a field of the payload; repeatable', repeatable: true },
    '--remove <path>': { help: 'Remove a field of the payload; repeatable', repeatable: true },
    '--send': 'Send the payload only, without changing the state',
    '--repeat <times>': 'Number of times to trigger the event',
    '--preview': 'Show what would be sent, without sending it',
    '--no-wait': 'Do not wait for the results of the deliveries',
    '--list': 'List all events, also without a sandbox',
  },
  load: async () => (await import('../trigger-command.ts')).trigger,
  apart: [...['event', ...causing].map((key) => ['list', key]), ['preview', 'repeat']],
  json: 'Print the response as JSON, without waiting for the deliveries',
  examples: {
    'Push to a dataset': 'hub-sandbox trigger repo.content --repo acme/corpus',
    'Preview the payload of a merge':
      'hub-sandbox trigger discussion.update --kind merge --repo acme/corpus --preview',
    'Send 100 payloads with another title':
      "hub-sandbox trigger discussion.create --repo acme/corpus --send --set 'discussion.title=Hello' --repeat 100",
    'List all events': 'hub-sandbox trigger --list',
  },
}

export const listen: Row = {
  name: 'listen',
  does: 'Watch deliveries in the terminal',
  options: {
    '--forward-to <url>': 'Forward events to this port, localhost:8000/path or URL',
    '--secret <secret>': 'Secret of the forwarding webhook',
  },
  load: async () => (await import('../listen-command.ts')).listen,
  needs: { secret: 'forwardTo' },
  json: 'Print a line of JSON for each attempt and skipped delivery',
  examples: {
    'Watch until Ctrl-C': { endless: 'hub-sandbox listen' },
    'Forward events to a local receiver until Ctrl-C': {
      endless: "hub-sandbox listen --forward-to localhost:8000/webhooks --secret 'a secret'",
    },
  },
  ending: 'Exit codes: 0 after Ctrl-C or when the sandbox stops; 1 connection lost.',
}

const id = { help: 'Delivery id, or "latest"', of: 'delivery' } as const

export const deliveries = group('deliveries', 'List, replay or cancel deliveries', [
  {
    name: 'list [id-or-query...]',
    does: 'List deliveries or show one (default)',
    isDefault: true,
    arguments: {
      'id-or-query': {
        help: 'Delivery id, "latest", or a query such as status:5xx',
        of: 'delivery',
      },
    },
    options: {
      '--html [file]': 'Write a delivery as HTML (default file: delivery-ID.html)',
      '--state <states>': {
        help: 'Comma-separated states; "skipped" is listed on request only',
        values: deliveryStatusWords,
      },
      '--webhook <id>': { help: 'Filter by webhook', of: 'webhook' },
      '--repo <name>': { help: 'Filter by repo', of: 'repo' },
      '--scope <scope>': {
        help: 'Filter by event scope; repo.* includes narrower scopes',
        values: eventScopes,
      },
      '--since <time>': 'Created at or after this time (ISO 8601)',
      '--limit <number>': limit,
    },
    load: async () => (await import('../deliveries.ts')).listOrShowDeliveries,
    json: 'Print the items as JSON, newest first, or one delivery',
    examples: {
      'List failed deliveries and pending retries': 'hub-sandbox deliveries --state failed,failing',
      'List deliveries of the last hour with a slow response':
        "hub-sandbox deliveries 'took:>1s from:1h'",
      'Show the newest delivery with every attempt': 'hub-sandbox deliveries latest',
    },
    ending: queryHelp('deliveries'),
  },
  {
    name: 'replay <ids...>',
    does: 'Send deliveries again, to the current URL',
    arguments: { ids: { help: 'Delivery ids, or "latest"', of: 'delivery' } },
    options: { '--payload <file>': 'JSON or YAML file to send instead; one delivery only' },
    load: async () => (await import('../deliveries.ts')).replayDeliveries,
    examples: {
      'Replay the newest delivery unchanged': 'hub-sandbox deliveries replay latest',
      'Send another payload, signed for the webhook':
        'hub-sandbox deliveries replay latest --payload payload.json',
    },
    ending: 'Exits with 1 if a replayed delivery failed.',
  },
  {
    name: 'when-back [webhook]',
    does: 'Replay deliveries when their receiver is back',
    arguments: {
      webhook: { help: 'Webhook id or name (default: every one that fails now)', of: 'webhook' },
    },
    options: { '--cancel': 'Stop waiting' },
    load: async () => (await import('../deliveries.ts')).replayWhenBack,
    json: 'Print the webhooks as JSON',
    examples: {
      'Wait for every receiver that fails now': 'hub-sandbox deliveries when-back',
      'Stop waiting': 'hub-sandbox deliveries when-back --cancel',
    },
    ending:
      'The sandbox waits, not the command: it replays the newest failed delivery every 2 to 30 s, and all of them once the receiver accepts one.',
  },
  call('POST deliveries/:id/release', {
    name: 'release <id>',
    does: 'Send a delivery that is held because of a loop',
    arguments: { id },
    show: (delivery) => plainWord(shownWordOf(delivery)),
    examples: {
      'Let a webhook that triggers itself go one more round':
        'hub-sandbox deliveries release latest',
    },
  }),
  call('POST deliveries/:id/cancel', {
    name: 'cancel <id>',
    does: 'Cancel a pending delivery',
    arguments: { id },
    show: (delivery) => plainWord(shownWordOf(delivery)),
    examples: { 'Stop retrying the newest delivery': 'hub-sandbox deliveries cancel latest' },
  }),
])

export const idle: Row = {
  name: 'idle',
  does: 'Wait until no delivery is queued or in flight',
  options: {
    '--timeout <duration>': 'Maximum wait in real time (default: 10s)',
    '--waiting': 'Also wait for pending retries',
  },
  load: async () => (await import('../idle-command.ts')).idle,
  examples: {
    'Wait until the receiver has received everything':
      'hub-sandbox trigger repo.content --repo acme/corpus && hub-sandbox idle --timeout 30s',
  },
  ending: 'Exits with 1 on timeout and prints the outstanding deliveries.',
}
