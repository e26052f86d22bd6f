import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as tick } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withLock } from '../../../server/tools/launch/lock.mjs'

function lockPath() {
  const folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, '.lock')
}

describe('the lock around installing and building', () => {
  test('lets one in at a time', async () => {
    const path = lockPath()
    let inside = 0
    const work = async () => {
      inside += 1
      expect(inside).toBe(1)
      await tick()
      inside -= 1
    }
    await Promise.all([withLock(path, work), withLock(path, work)])
    expect(existsSync(path)).toBe(false)
  })

  test('is given back when the work fails', async () => {
    const path = lockPath()
    await expect(withLock(path, () => Promise.reject(new Error('no space')))).rejects.toThrow(
      'no space',
    )
    expect(existsSync(path)).toBe(false)
  })

  test('is taken over from a process that has ended', async () => {
    const path = lockPath()
    const { pid } = spawnSync(process.execPath, ['--version'])
    mkdirSync(path)
    writeFileSync(join(path, 'pid'), String(pid))
    expect(await withLock(path, async () => 'done')).toBe('done')
  })
})
