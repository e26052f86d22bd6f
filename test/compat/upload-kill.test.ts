import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepare } from '../../server/tools/launch/prepare.mjs'
import { killWhileUploading } from '../helpers/kill-while-uploading.ts'
import { KilledSandbox } from '../helpers/killed-sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const timeout = 120_000

beforeAll(
  () => prepare(fileURLToPath(new URL('../..', import.meta.url)), ['library', 'server']),
  timeout,
)

describe('a sandbox that is killed while files come', { timeout }, () => {
  test('has all of those that it answered for, and nothing half done', async () => {
    const directory = temporaryDirectory()
    const sandbox = new KilledSandbox({ directory })
    const { acknowledged, lost } = await killWhileUploading(sandbox, 3)
    expect(lost).toEqual([])
    expect(acknowledged).toBeGreaterThan(20)
    await sandbox.start()
    const repos = join(directory, 'data', 'repos')
    const unfinished = [join(repos, 'unfinished'), join(repos, 'lfs', 'unfinished')]
    const left = () => unfinished.flatMap((each) => (existsSync(each) ? readdirSync(each) : []))
    await expect.poll(left).toEqual([])
    await sandbox.kill()
  })

  test('would be found out if it answered before the files are there', async () => {
    const directory = temporaryDirectory()
    const sandbox = new KilledSandbox({ directory, sabotage: 'late-objects' })
    // It stops at the first loss; that every one of these kills spares everything is what must not be.
    const { lost } = await killWhileUploading(sandbox, 10)
    expect(lost).not.toEqual([])
  })
})
