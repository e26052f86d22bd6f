import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { cloneRepo, gitIn, hasGit, refusalOf } from '../helpers/git-client.ts'
import { KilledSandbox } from '../helpers/killed-sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const timeout = 120_000
const kills = 4

beforeAll(
  () => prepare(fileURLToPath(new URL('../..', import.meta.url)), ['library', 'server']),
  timeout,
)

describe.skipIf(!hasGit)('a sandbox that is killed during a push', { timeout }, () => {
  test('has all of it or nothing, and nothing half done', async () => {
    const directory = temporaryDirectory()
    const sandbox = new KilledSandbox({ directory })
    await sandbox.start()
    const { access_token: token } = await sandbox.call<{ access_token: string }>('POST', 'tokens', {
      user: 'alice',
      role: 'write',
    })
    const remote = () => `${sandbox.url.replace('//', `//alice:${token}@`)}/datasets/acme/corpus`
    const { git, folder } = await cloneRepo(remote())
    let pushed = await git('rev-parse', 'HEAD')
    let acknowledged = 0
    for (let kill = 0; kill < kills; kill++) {
      const ended = pushUntilRefused()
      await sleep(150 + Math.random() * 300)
      await sandbox.kill()
      const tried = await ended
      await sandbox.start()
      const [head = ''] = (await git('ls-remote', remote(), 'refs/heads/main')).split('\t')
      // Whoever was cut off does not know whether it was done.
      expect([pushed, tried]).toContain(head)
      pushed = head
      await git('reset', '-q', '--hard', head)
      const repos = join(directory, 'data', 'repos')
      const unfinished = join(repos, 'unfinished')
      await expect.poll(() => (existsSync(unfinished) ? readdirSync(unfinished) : [])).toEqual([])
      // Those that git was asked about: the one that is pushed to among them.
      const asked = readdirSync(repos).filter((each) =>
        existsSync(join(repos, each, 'packed-refs')),
      )
      const heads = await Promise.all(
        asked.map(async (name) => {
          await gitIn(join(repos, name))('fsck', '--full', '--strict', '--no-dangling')
          return gitIn(join(repos, name))('rev-parse', 'refs/heads/main')
        }),
      )
      expect(heads).toContain(head)
    }
    await sandbox.kill()
    expect(acknowledged).toBeGreaterThan(0)

    /** @returns what was pushed last, and not answered for */
    async function pushUntilRefused(): Promise<string> {
      for (;;) {
        for (let file = 0; file < 30; file++) {
          writeFileSync(join(folder, `file-${file}`), `${file} after ${pushed}`)
        }
        await git('add', '-A')
        await git('commit', '-qm', 'More')
        const head = await git('rev-parse', 'HEAD')
        if ((await refusalOf(git('push', '-q', remote(), 'main'))) !== undefined) return head
        pushed = head
        acknowledged += 1
      }
    }
  })
})
