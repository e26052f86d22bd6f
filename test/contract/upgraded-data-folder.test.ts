import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { resolveOptions } from '../../server/config/resolve.ts'
import { readBlob } from '../../server/hub/files/git-objects.ts'
import { listCommits } from '../../server/hub/files/history.ts'
import { resolveRevision } from '../../server/hub/files/revisions.ts'
import { listFiles } from '../../server/hub/files/trees.ts'
import { runSandbox } from '../../server/sandbox/run.ts'
import { stateFormatVersion } from '../../server/state/state.ts'
import { findRepoByHand } from '../../server/lab/triggers/repos.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

// What a version that kept the contents of repos in its journal had written when it was killed.
const old = fileURLToPath(new URL('data-of-format-2', import.meta.url))
const gitMissing = spawnSync('git', ['--version']).status !== 0

async function start(data: string) {
  const sandbox = await runSandbox(await resolveOptions({ data, ephemeral: false }))
  onTestFinished(() => sandbox.close())
  return sandbox
}

function copyOfOld(): string {
  const folder = temporaryDirectory()
  cpSync(old, folder, { recursive: true })
  return folder
}

test('contents of an older data folder become git objects with the same ids', async () => {
  const folder = copyOfOld()
  for (let run = 0; run < 2; run++) {
    const sandbox = await start(folder)
    const { deps } = sandbox
    const repo = findRepoByHand(deps, 'datasets/acme/corpus')
    const objects = deps.objects.of(repo)
    const { commit } = resolveRevision(objects, repo, 'main')
    expect([...listCommits(objects, commit.id)].map(({ id, title }) => [id, title])).toEqual([
      ['69cdd65e5997efcbf48ece6554da000a14641470', 'Change the greeting'],
      ['2e443b0696bce831a385312f0ff583924e061233', 'Upload files'],
      ['3bbd2c419bd95f3e1a85c03a9a8562e012e44bef', 'initial commit'],
    ])
    const files = [...listFiles(objects, commit.treeId).values()].filter(
      ({ path }) => path !== '.gitattributes',
    )
    expect(files.map(({ path, size, oid }) => [path, size, readBlob(objects, oid)])).toEqual([
      ['b/c.txt', 1, Buffer.from('c')],
      ['data/deep/bytes.bin', 4, Buffer.of(0, 1, 255, 128)],
      ['data/grüße.txt', 6, Buffer.from('Gruß\n')],
      ['empty.txt', 0, Buffer.of()],
    ])
    expect(resolveRevision(objects, repo, 'refs/pr/1').commit.title).toBe('Add a file')
    expect(resolveRevision(objects, repo, 'v1').commit.title).toBe('Upload files')
    await sandbox.close()
  }
  const stored = readdirSync(folder)
    .filter((file) => /^(?:state|journal)/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('')
  expect(stored).toContain(`"format":${stateFormatVersion}`)
  expect(stored).not.toContain('Gru')
})

test.skipIf(gitMissing)('git finds no problem in the upgraded folder (needs git)', async () => {
  const folder = copyOfOld()
  const sandbox = await start(folder)
  await sandbox.close()
  const repos = readdirSync(join(folder, 'repos')).filter((name) => name.endsWith('.git'))
  expect(repos).toHaveLength(2)
  for (const repo of repos) {
    const fsck = ['--git-dir', join(folder, 'repos', repo), 'fsck', '--strict', '--no-dangling']
    const { stderr, status } = spawnSync('git', fsck, { encoding: 'utf8' })
    expect([stderr.replaceAll(/^(?:Checking|notice).*\n/gm, ''), status]).toEqual(['', 0])
  }
})

test('a data folder with missing contents is refused and left unchanged', async () => {
  const folder = copyOfOld()
  const journal = join(folder, 'journal-1.ndjson')
  const lacking = readFileSync(journal, 'utf8').replaceAll(
    'd91147628055b5163e4933f37a4f7d5a7529c99b',
    '0'.repeat(40),
  )
  writeFileSync(journal, lacking)
  await expect(start(folder)).rejects.toThrow(/acme\/corpus/)
  expect(readFileSync(journal, 'utf8')).toBe(lacking)
})
