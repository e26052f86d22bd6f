import { call } from '../program/call.ts'
import { group } from '../program/row.ts'

const nameOrLatest = { help: 'Snapshot name, or "latest"', of: 'snapshot' } as const

export const snapshot = group('snapshot', 'Save, restore, export or import the whole state', [
  call('POST snapshots', {
    name: 'create [name]',
    does: 'Save the current state and print the snapshot name',
    arguments: { name: { to: 'name' } },
    body: {},
    show: ({ name }) => name,
    examples: { 'Save the state under a name': 'hub-sandbox snapshot create signed-in' },
  }),
  call('POST snapshots/:name/restore', {
    name: 'restore <name>',
    does: 'Restore a snapshot',
    arguments: { name: nameOrLatest },
    show: ({ erasedRequests }, { url, id }) => ({
      say: `Restored ${id} at ${url}; ${erasedText(erasedRequests)}.`,
    }),
    examples: { 'Restore the newest snapshot': 'hub-sandbox snapshot restore latest' },
  }),
  call('GET snapshots', {
    name: 'list',
    does: 'List snapshots (default)',
    isDefault: true,
    columns: ({ name, createdAt, size }) => [name, createdAt, `${size} bytes`],
    none: { text: 'No snapshots. Save the current state:', next: ['snapshot', 'create', 'before'] },
    examples: { 'List name, time and size of all snapshots': 'hub-sandbox snapshot' },
  }),
  call('DELETE snapshots/:name', {
    name: 'delete <name>',
    does: 'Delete a snapshot',
    arguments: { name: nameOrLatest },
    examples: { 'Delete the newest snapshot': 'hub-sandbox snapshot delete latest' },
  }),
  {
    name: 'export [name]',
    does: 'Print the current state or a snapshot as fixtures',
    arguments: { name: nameOrLatest },
    options: { '--log': 'Include recorded requests, sign-ins and deliveries' },
    load: async () => (await import('../export-snapshot.ts')).exportSnapshot,
    json: 'No effect: fixtures are always JSON',
    examples: {
      'Write a file for "start" and the desktop app':
        'hub-sandbox snapshot export > now.hubsandbox',
      'Include the log, with foreign credentials masked':
        'hub-sandbox snapshot export --log > run.hubsandbox',
    },
  },
  call('POST snapshots', {
    name: 'import <file>',
    does: 'Import a fixtures file as a snapshot',
    arguments: { file: { to: 'fixtures', isFile: true } },
    options: { '--name <name>': 'Name of the snapshot' },
    body: {},
    show: ({ name }) => name,
    examples: {
      'Import a file; "snapshot restore theirs" then loads it':
        'hub-sandbox snapshot import now.hubsandbox --name theirs',
    },
  }),
])

export const reset = call('POST reset', {
  name: 'reset',
  does: 'Reset the whole state to the fixtures',
  show: ({ erasedRequests }, { url }) => ({
    say: `Reset ${url} to its fixtures; ${erasedText(erasedRequests)}.`,
  }),
  examples: { 'Reset tokens, deliveries, clock and everything else': 'hub-sandbox reset' },
})

function erasedText(requests: number): string {
  return requests === 1
    ? '1 logged request was deleted'
    : `${requests} logged requests were deleted`
}
