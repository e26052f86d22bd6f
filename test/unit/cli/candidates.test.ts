import { describe, expect, test } from 'vitest'
import { candidates, type ReadSandbox } from '../../../server/cli/candidates.ts'
import { createProgram } from '../../../server/cli/program.ts'
import type {
  ControlResponse,
  ControlArguments,
  ControlKey,
} from '../../../server/contract/control-call.ts'
import { controlRequest } from '../../../server/contract/control-request.ts'

const answers: Record<string, unknown> = {
  'users?limit=1000': { items: [{ username: 'alice' }, { username: 'bob' }] },
  'apps?limit=1000': { items: [{ clientId: '1111' }, { clientId: '2222' }] },
  'repos?limit=1000': {
    items: [
      { type: 'dataset', name: 'acme/corpus' },
      { type: 'model', name: 'acme/tagger' },
      { type: 'dataset', name: 'acme/tagger' },
    ],
  },
  snapshots: { items: [{ name: 'before' }] },
  faults: { items: [{ id: 'f1' }] },
  barriers: { items: [] },
  'deliveries?limit=1000&view=rows': { items: [{ id: 'd2' }, { id: 'd1' }] },
  'tokens?state=active&limit=1000': { items: [{ id: 't1' }] },
  'flows?limit=1000': { items: [{ id: 'w1' }] },
  'device?limit=1000': {
    items: [
      { userCode: 'AAAA-BBBB', status: 'pending' },
      { userCode: 'CCCC-DDDD', status: 'consumed' },
    ],
  },
  'organizations?limit=1000': { items: [{ name: 'acme' }] },
  experiments: { items: [{ id: 'nonce' }, { id: 'duplicate' }] },
}

const asked: unknown[] = []

/** Completions at the end of the line. */
function complete(line: string): Promise<string[]> {
  const read: ReadSandbox = async <K extends ControlKey>(
    options: object,
    key: K,
    ...input: ControlArguments<K>
  ) => {
    asked.push(options)
    return answers[controlRequest(key, ...input).path] as ControlResponse<K> | undefined
  }
  return candidates(createProgram(), line.split(' '), read)
}

describe('completion', () => {
  test.each([
    ['tri', ['trigger']],
    ['experiment run d', ['duplicate']],
    ['env --for ne', ['nextjs']],
    ['env --for openid', ['openid-client']],
    ['clock a', ['advance']],
    ['--delivery-profile h', ['hub', 'hub-2026-08']],
    ['start --delivery-profile=c', ['--delivery-profile=ci']],
    ['--auto-approve=a', ['--auto-approve=alice']],
    // As Bash takes it apart.
    ['--auto-approve = a', ['--auto-approve=alice']],
    ['--auto-approve =', ['--auto-approve=alice', '--auto-approve=bob']],
    // Known without a sandbox.
    ['trigger repo.c', ['repo.create', 'repo.content', 'repo.config']],
    ['trigger repo.content --kind tag', ['tag-create', 'tag-delete']],
    ['trigger repo.delete --kind ', []],
    ['trigger --repo ', ['acme/corpus', 'models/acme/tagger', 'datasets/acme/tagger']],
    ['token --user b', ['bob']],
    ['token --client ', ['1111', '2222']],
    ['token --scope read-b', ['read-billing']],
    ['snapshot restore ', ['before']],
    ['fault remove ', ['latest', 'f1']],
    ['barrier release ', []],
    // A group takes commands, and what the one takes that it calls by itself.
    ['deliveries ', ['list', 'replay', 'when-back', 'release', 'cancel', 'latest', 'd2', 'd1']],
    ['deliveries --sta', ['--state']],
    // Scopes of events, not of tokens.
    ['deliveries --scope repo.c', ['repo.content', 'repo.config']],
    ['deliveries release ', ['latest', 'd2', 'd1']],
    ['deliveries --state s', ['succeeded', 'skipped', 'sending']],
    ['deliveries replay d1 ', ['latest', 'd2', 'd1']],
    ['deliveries cancel d1 ', []],
    ['tokens --state r', ['revoked']],
    ['tokens revoke ', ['latest', 't1']],
    ['tokens mint --role ', ['read', 'write', 'fineGrained']],
    ['flows ', ['latest', 'w1']],
    ['device approve ', ['latest', 'AAAA-BBBB']],
    ['device approve AAAA-BBBB --organization ', ['acme']],
    ['demo refused us', ['used-code', 'used-refresh-token']],
    ['keys rotate --dr', ['--drop-old']],
    ['fault add --break ', ['reset', 'truncate', 'html']],
    ['completion f', ['fish']],
    ['trigger repo.content --se', ['--set', '--send']],
    ['exec --wait', ['--wait-for']],
    ['exec --artifact-when ', ['failure', 'always']],
    ['exec --auto-approve=b', ['--auto-approve=bob']],
  ])('of %j offers %j', async (line, offered) => {
    expect(await complete(line)).toEqual(offered)
  })

  test('offers every visible command for an empty line', async () => {
    const offered = await complete('')
    expect(offered).toContain('demo')
    expect(offered.filter((name) => name.startsWith('_'))).toEqual([])
  })

  test.each([
    'exec -- npm ',
    'exec -- npm test --',
    'init ',
    '--fixtures ',
    'snapshot import ',
    '--port ',
    'token --expires-in ',
  ])('of %j leaves files to the shell', async (line) => {
    expect(await complete(line)).toEqual([])
  })

  test('uses the sandbox that the line names', async () => {
    asked.length = 0
    await complete('token --url http://localhost:9 --control-token=abcdefgh --user ')
    expect(asked).toEqual([{ url: 'http://localhost:9', controlToken: 'abcdefgh' }])
  })
})
