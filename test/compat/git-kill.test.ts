import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { hasGit } from '../helpers/git-client.ts'
import { killWhilePushing } from '../helpers/kill-while-pushing.ts'
import { KilledSandbox, type Sabotage } from '../helpers/killed-sandbox.ts'
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
    const data = join(directory, 'data')
    const sandbox = new KilledSandbox({ directory })
    const { acknowledged, lost } = await killWhilePushing(sandbox, data, kills)
    expect(lost).toEqual([])
    expect(acknowledged).toBeGreaterThanOrEqual(kills)
    await sandbox.start()
    const unfinished = join(data, 'repos', 'unfinished')
    await expect.poll(() => (existsSync(unfinished) ? readdirSync(unfinished) : [])).toEqual([])
    await sandbox.kill()
  })

  test.each<[what: string, sabotage: Sabotage]>([
    ['the objects', 'late-objects'],
    ['the refs', 'late-journal'],
  ])('would be found out if it answered before %s are there', async (_, sabotage) => {
    const directory = temporaryDirectory()
    const sandbox = new KilledSandbox({ directory, sabotage })
    // It stops at the first loss; that every one of these kills spares everything is what must not be.
    const { lost } = await killWhilePushing(sandbox, join(directory, 'data'), 10)
    expect(lost).not.toEqual([])
  })
})
