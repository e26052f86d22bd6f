import { call } from '../program/call.ts'
import { group } from '../program/row.ts'

export const keys = group('keys', 'List or rotate the signing keys of ID tokens', [
  call('GET keys', {
    name: 'list',
    does: 'List the published keys, the current one first (default)',
    isDefault: true,
    columns: ({ kid, state, jwk }) => [
      kid,
      state,
      [jwk['alg'], jwk['kty']].filter(Boolean).join(' '),
    ],
    none: { text: 'No keys are published.' },
    examples: { 'List the published keys': 'hub-sandbox keys' },
  }),
  call('POST keys/rotate', {
    name: 'rotate',
    does: 'Sign with a new key and print its id',
    options: { '--drop-old': { help: 'Stop publishing the old key', sets: { keepOld: false } } },
    body: { keepOld: true },
    show: ({ kid }) => kid,
    examples: {
      'Older ID tokens stay valid': 'hub-sandbox keys rotate',
      'Older ID tokens become invalid': 'hub-sandbox keys rotate --drop-old',
    },
  }),
])
