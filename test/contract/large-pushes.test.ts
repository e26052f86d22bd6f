import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sizeOnDisk } from '../../server/git/folder-size.ts'
import { addressFor, cloneRepo, hasGit, refusalOf } from '../helpers/git-client.ts'
import { defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

// A pack of a few kilobytes may stand for files that take megabytes of the disk.

test.skipIf(!hasGit)('a push is refused if its objects take too much of the disk', async () => {
  const data = temporaryDirectory()
  const fixtures = await defaultFixtures({ config: { caps: { pushBytes: 1024 * 1024 } } })
  const sandbox = await startTestSandbox({ fixtures, data })
  const address = addressFor('alice', sandbox.url, '/datasets/acme/corpus')
  const { git, folder } = await cloneRepo(address)
  const commit = async (count: number) => {
    for (let n = 0; n < count; n++) writeFileSync(join(folder, `${n}.txt`), `${n}`)
    await git('add', '.')
    await git('commit', '-q', '-m', `${count} files`)
  }

  await commit(50)
  await git('push', '-q', address, 'main')

  const before = await sizeOnDisk(data)
  await commit(500)
  const refusal = await refusalOf(git('push', '-q', address, 'main'))
  expect(refusal).toMatch(/its objects take more than 1048576 bytes on the disk/)
  expect(refusal).toMatch(/raise config\.caps\.pushBytes/)
  expect(await git('ls-remote', address, 'main')).not.toContain(await git('rev-parse', 'HEAD'))
  // The refused objects are gone.
  expect(await sizeOnDisk(data)).toBeLessThan(before + 256 * 1024)
})
