import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { concurrency, killWhileDelivering } from '../helpers/kill-while-delivering.ts'
import { killWhileWriting } from '../helpers/kill-while-writing.ts'
import { KilledSandbox, type Sabotage } from '../helpers/killed-sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const timeout = 120_000

beforeAll(
  () => prepare(fileURLToPath(new URL('../..', import.meta.url)), ['server', 'library']),
  timeout,
)

function createSandbox(sabotage?: Sabotage): KilledSandbox {
  const directory = temporaryDirectory()
  return new KilledSandbox({ directory, ...(sabotage === undefined ? {} : { sabotage }) })
}

const gitMissing = spawnSync('git', ['--version']).status !== 0

const chances = 5

/**
 * Runs a server that was broken on purpose until it loses something. A kill may happen to spare everything; that all
 * of several do so, every time, is what must not be.
 */
async function firstLoss<T>(run: () => Promise<T>, hasLost: (result: T) => boolean): Promise<T> {
  for (let chance = 1; ; chance++) {
    const result = await run()
    if (hasLost(result) || chance === chances) return result
  }
}

describe('a sandbox that is killed at any moment', { timeout }, () => {
  test('has everything that it answered for', async () => {
    const { acknowledged, lost } = await killWhileWriting(createSandbox(), 6)
    expect(lost).toEqual([])
    expect(acknowledged).toBeGreaterThan(100)
  })

  test.skipIf(gitMissing)('has repos that git finds whole, and nothing half done', async () => {
    const directory = temporaryDirectory()
    const sandbox = new KilledSandbox({ directory })
    await killWhileWriting(sandbox, 2)
    await sandbox.start()
    const repos = join(directory, 'data', 'repos')
    await expect.poll(() => readdirSync(join(repos, 'unfinished'))).toEqual([])
    await sandbox.kill()
    const names = readdirSync(repos).filter((name) => name.endsWith('.git'))
    expect(names).toHaveLength(1)
    for (const name of names) {
      const fsck = ['--git-dir', join(repos, name), 'fsck', '--full', '--no-dangling']
      const { stderr, status } = spawnSync('git', fsck, { encoding: 'utf8' })
      expect([stderr.replaceAll(/^(?:Checking|notice).*\n/gm, ''), status]).toEqual(['', 0])
    }
  })

  test('would be found out if it answered before the files of a commit are there', async () => {
    const { lost } = await firstLoss(
      () => killWhileWriting(createSandbox('late-objects'), 3),
      (result) => result.lost.length > 0,
    )
    // A start leaves out a change whose files are missing, with all that follows.
    expect(lost).toContainEqual(expect.stringMatching(/^commit/))
  })

  test('would be found out if it answered before the journal has the change', async () => {
    const { lost } = await firstLoss(
      () => killWhileWriting(createSandbox('late-journal'), 3),
      (result) => result.lost.length > 0,
    )
    expect(lost).not.toEqual([])
  })
})

// The same with 10,000 events and 30 kills: `npm run soak:kills`.
describe('deliveries of a sandbox that is killed', { timeout }, () => {
  const size = { events: 700, kills: 6 }

  test('arrive, each at least once, and twice only where a kill hid the outcome', async () => {
    const { kills, accepted, lost, duplicates } = await killWhileDelivering(createSandbox(), size)
    expect(lost).toBe(0)
    expect(kills).toBe(size.kills)
    expect(accepted).toBeGreaterThanOrEqual(size.events)
    expect(duplicates).toBeLessThanOrEqual(kills * concurrency)
  })

  test('would be found out if triggers were answered before the journal has the events', async () => {
    const { kills, lost } = await firstLoss(
      () => killWhileDelivering(createSandbox('late-journal'), size),
      (result) => result.lost > 0,
    )
    // What was lost may have ended it before all kills came.
    expect(kills).toBeGreaterThan(0)
    expect(lost).toBeGreaterThan(0)
  })

  test('would be found out if outcomes were stored before the attempt', async () => {
    const { kills, lost, accepted } = await firstLoss(
      () => killWhileDelivering(createSandbox('early-outcome'), size),
      (result) => result.lost > 0,
    )
    expect(kills).toBeGreaterThan(0)
    expect(lost).toBeGreaterThan(0)
    // Without a kill this server delivers, too.
    expect(lost).toBeLessThan(accepted / 2)
  })
})
