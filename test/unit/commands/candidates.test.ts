import { describe, expect, test } from 'vitest'
import { candidates } from '../../../server/commands/candidates.ts'
import { createProgram } from '../../../server/commands/program.ts'

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
  events: {
    items: [
      { event: 'repo.content', kinds: [{ kind: 'push' }, { kind: 'tag-create' }] },
      { event: 'repo.delete', kinds: [] },
    ],
  },
  'snapshots?limit=1000': { items: [{ name: 'before' }] },
}

const asked: unknown[] = []

/** What is offered where the cursor stands at the end of the line. */
function complete(line: string): Promise<string[]> {
  return candidates(createProgram(), line.split(' '), async <T>(options: object, path: string) => {
    asked.push(options)
    return answers[path] as T | undefined
  })
}

describe('completion', () => {
  test.each([
    ['tri', ['trigger']],
    ['clock a', ['advance']],
    ['--delivery-profile h', ['hub', 'hub-2026-08']],
    ['start --delivery-profile=c', ['--delivery-profile=ci']],
    ['--auto-approve=a', ['--auto-approve=alice']],
    // As Bash takes it apart.
    ['--auto-approve = a', ['--auto-approve=alice']],
    ['--auto-approve =', ['--auto-approve=alice', '--auto-approve=bob']],
    ['trigger ', ['repo.content', 'repo.delete']],
    ['trigger repo.content --kind ', ['push', 'tag-create']],
    ['trigger repo.delete --kind ', []],
    ['trigger --repo ', ['acme/corpus', 'models/acme/tagger', 'datasets/acme/tagger']],
    ['token --user b', ['bob']],
    ['token --client ', ['1111', '2222']],
    ['token --scope read-b', ['read-billing']],
    ['snapshot restore ', ['before']],
    ['fault add --break ', ['reset', 'truncate', 'html']],
    ['completion f', ['fish']],
    ['trigger repo.content --se', ['--set', '--send']],
  ])('of %j offers %j', async (line, offered) => {
    expect(await complete(line)).toEqual(offered)
  })

  test('offers every command but the hidden one where nothing was typed', async () => {
    const offered = await complete('')
    expect(offered).toContain('demo')
    expect(offered.filter((name) => name.startsWith('_'))).toEqual([])
  })

  test.each(['init ', '--fixtures ', 'snapshot import ', '--port ', 'token --expires-in '])(
    'of %j leaves it to the shell, which knows the files',
    async (line) => {
      expect(await complete(line)).toEqual([])
    },
  )

  test('asks the sandbox that the line names', async () => {
    asked.length = 0
    await complete('token --url http://localhost:9 --control-token=abcdefgh --user ')
    expect(asked).toEqual([{ url: 'http://localhost:9', controlToken: 'abcdefgh' }])
  })
})
