import { call } from '../program/call.ts'
import { group } from '../program/row.ts'
import { matchOptions } from './shared.ts'

export const barrier = group('barrier', 'Hold matching requests until they are released', [
  call('POST barriers', {
    name: 'add',
    does: 'Hold the next matching requests; print the barrier id',
    options: { ...matchOptions, '--count <number>': 'Number of requests to hold (default: 1)' },
    body: { match: {}, count: 1 },
    show: ({ id }) => id,
    examples: {
      'Hold the next two refresh requests, to make them race':
        'hub-sandbox barrier add --route /oauth/token --grant-type refresh_token --count 2',
    },
  }),
  call('GET barriers', {
    name: 'list',
    does: 'List barriers and the requests they hold (default)',
    isDefault: true,
    columns: ({ id, match, count, held }) => [
      id,
      `${held.length} of ${count} held`,
      JSON.stringify(match),
      held.join(' '),
    ],
    none: {
      text: 'No barriers. Hold the next two token requests:',
      next: ['barrier', 'add', '--route', '/oauth/token', '--count', '2'],
    },
    examples: { 'List all barriers with the ids of the held requests': 'hub-sandbox barrier' },
  }),
  call('POST barriers/:id/release', {
    name: 'release <id>',
    does: 'Release the held requests and delete the barrier',
    arguments: { id: { help: 'Barrier id, or "latest"', of: 'barrier' } },
    options: {
      '--order <requests>': {
        help: 'Comma-separated request ids to release first, in order',
        repeatable: true,
        commas: true,
      },
    },
    body: {},
    show: ({ held }) =>
      held.length === 0 ? { say: 'Barrier deleted; it held no requests.' } : held.join('\n'),
    examples: {
      'Release them in the order in which they were received': 'hub-sandbox barrier release latest',
    },
  }),
])
