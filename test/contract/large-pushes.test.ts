import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sizeOnDisk } from '../../server/hub/git/folder-size.ts'
import { addressFor, cloneRepo, hasGit, refusalOf } from '../helpers/git-client.ts'
import { defaultFixtures, startTestSandbox } from '../helpers/sandbox.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

/** Packs a number in groups of seven bits, the lowest first. */
function lengthOf(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) | 128)
  }
}

/** An entry of a pack: its type and size, then its content. */
function entryOf(type: number, content: Buffer, base = Buffer.of()): Buffer {
  const rest = lengthOf(Math.floor(content.length / 16))
  const more = content.length >= 16
  const first = Buffer.from([(more ? 128 : 0) | (type << 4) | (content.length % 16)])
  return Buffer.concat([first, ...(more ? [rest] : []), base, deflateSync(content)])
}

/** A pack of one file of 8 MB, and of so many deltas, each of which makes another one of it. */
function deltaBomb(count: number): Buffer {
  const size = 8 * 1024 * 1024
  const file = Buffer.alloc(size)
  const id = createHash('sha1').update(`blob ${size}\0`).update(file).digest()
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(count + 1, 8)
  const deltas = Array.from({ length: count }, (_, number) => {
    const text = Buffer.from(`${number}`)
    const [insert, copy] = [
      Buffer.concat([Buffer.of(text.length), text]),
      Buffer.of(0xf0, 0, 0, 0x80),
    ]
    const delta = [lengthOf(size), lengthOf(size + text.length), insert, copy]
    return entryOf(7, Buffer.concat(delta), id)
  })
  const pack = Buffer.concat([header, entryOf(3, file), ...deltas])
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

test.skipIf(!hasGit)('a push of a few KB is refused if git works on it for long', async () => {
  const fixtures = await defaultFixtures({ config: { caps: { pushSeconds: 1 } } })
  const sandbox = await startTestSandbox({ fixtures, data: temporaryDirectory() })
  const pack = deltaBomb(1000)
  expect(pack.length).toBeLessThan(64 * 1024)
  const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/bomb\0report-status`
  const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`
  const answer = await fetch(`${sandbox.url}/datasets/acme/corpus/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer hf_sandbox_alice',
      'content-type': 'application/x-git-receive-pack-request',
    },
    body: Buffer.concat([Buffer.from(line), pack]),
  })
  expect(await answer.text()).toMatch(
    /unpack git unpack-objects failed, it took more than 2 s of CPU time/,
  )
})

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
