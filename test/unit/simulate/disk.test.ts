import fs from 'node:fs'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { ProcessDied } from '../../simulate/platform/disk.ts'
import { diskOf, installForTests, root, seeds } from './disk-for-tests.ts'

const machine = installForTests()
const file = `${root}/file`

/** Creates a file whose content is on the disk, and a descriptor of it. */
function syncedFile(text: string): number {
  const descriptor = fs.openSync(file, 'wx+')
  fs.writeSync(descriptor, text)
  machine.disk.syncAll()
  return descriptor
}

function crash(kind: 'kill' | 'power cut'): void {
  machine.disk = machine.disk.crash(kind)
}

const contentOf = (path: string) => (fs.existsSync(path) ? fs.readFileSync(path, 'latin1') : 'gone')

/** Runs a story with many seeds. @returns the different ends, sorted */
async function endingsOf(story: () => string | Promise<string>): Promise<string[]> {
  const endings = new Set<string>()
  for (const seed of seeds(300)) {
    machine.disk = diskOf(seed)
    endings.add(await story())
  }
  return [...endings].toSorted()
}

describe('kill', () => {
  test('everything that was done stays, synced or not', async () => {
    const endings = await endingsOf(() => {
      fs.mkdirSync(`${root}/folder`)
      fs.writeFileSync(file, 'one')
      fs.appendFileSync(file, ' two')
      fs.renameSync(file, `${root}/folder/new`)
      crash('kill')
      return contentOf(`${root}/folder/new`)
    })
    expect(endings).toEqual(['one two'])
  })

  test('a later power cut can still lose it', async () => {
    const endings = await endingsOf(() => {
      fs.closeSync(syncedFile('one'))
      fs.appendFileSync(file, '2')
      crash('kill')
      crash('power cut')
      return contentOf(file)
    })
    expect(endings).toEqual(['one', 'one\0', 'one2'])
  })

  test('the operations in flight are done, not done or done in part', async () => {
    const endings = await endingsOf(async () => {
      const handle = await open(file, 'w')
      void handle.write('ab')
      void rename(file, `${root}/new`)
      crash('kill')
      return `${contentOf(file)} ${contentOf(`${root}/new`)}`
    })
    expect(endings).toEqual([' gone', 'a gone', 'ab gone', 'gone ', 'gone a', 'gone ab'])
  })

  test('the former process reaches the disk no more', async () => {
    const handle = await open(file, 'w')
    const old = machine.disk
    let hasSettled = false
    const settle = () => {
      hasSettled = true
    }
    handle.write('in flight').then(settle, settle)
    crash('kill')
    handle.write('later').then(settle, settle)
    const before = machine.disk.hash()
    expect(() => fs.writeSync(handle.fd, 'sync')).toThrow(ProcessDied)
    expect(() => old.mkdir(`${root}/folder`)).toThrow(ProcessDied)
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    expect(hasSettled).toBe(false)
    expect(machine.disk.hash()).toBe(before)
    expect(machine.disk.counts().openDescriptors).toBe(0)
  })
})

describe('power cut', () => {
  test.for(['fsync', 'fdatasync'] as const)('what %s was called for stays', async (sync) => {
    const endings = await endingsOf(() => {
      const descriptor = syncedFile('')
      fs.writeSync(descriptor, 'one ')
      fs.writeSync(descriptor, 'two')
      fs.ftruncateSync(descriptor, 5)
      fs[`${sync}Sync`](descriptor)
      crash('power cut')
      return contentOf(file)
    })
    expect(endings).toEqual(['one t'])
  })

  test('any part of later writes stays, with zeros in the gaps', async () => {
    const endings = await endingsOf(() => {
      const descriptor = syncedFile('-')
      fs.writeSync(descriptor, 'ab', 0, 'utf8')
      fs.writeSync(descriptor, 'cd', 2, 'utf8')
      crash('power cut')
      return contentOf(file)
    })
    // None, the first, the second, both, torn, with the length only.
    expect(endings).toEqual(
      expect.arrayContaining(['-', 'ab', '-\0cd', 'abcd', 'a', 'abc', '-b', '-\0\0\0', 'ab\0d']),
    )
    for (const ending of endings) expect(ending).toMatch(/^[-a][b\0]?(?:[c\0][d\0]?)?$/)
  })

  test('an overwritten part has the old or the new bytes', async () => {
    const endings = await endingsOf(() => {
      const descriptor = syncedFile('old')
      fs.writeSync(descriptor, 'NEW', 0, 'utf8')
      crash('power cut')
      return contentOf(file)
    })
    expect(endings).toEqual(['NEW', 'NEd', 'Nld', 'old', 'oEW', 'olW'].toSorted())
  })

  test('a truncation can be lost, also one by an opening', async () => {
    const endings = await endingsOf(() => {
      fs.closeSync(syncedFile('old'))
      fs.writeFileSync(file, 'N')
      crash('power cut')
      return contentOf(file)
    })
    expect(endings).toEqual(['', '\0', 'N', 'Nld', 'old'])
  })

  test('a sync covers the writes before it, and any number of those that end during it', async () => {
    const endings = await endingsOf(async () => {
      const handle = await open(file, 'w')
      await handle.write('a')
      machine.disk.syncAll()
      let isWritten = false
      const syncing = handle.datasync()
      void handle.write('b').then(() => {
        isWritten = true
      })
      await syncing
      crash('power cut')
      return `${contentOf(file)} ${isWritten}`
    })
    expect(endings).toEqual(expect.arrayContaining(['a false', 'ab true', 'a true']))
  })

  test('a synced file without a synced name can be gone', async () => {
    const endings = await endingsOf(() => {
      const descriptor = fs.openSync(file, 'w')
      fs.writeSync(descriptor, 'text')
      fs.fsyncSync(descriptor)
      crash('power cut')
      return contentOf(file)
    })
    expect(endings).toEqual(['gone', 'text'])
  })

  test('a synced name without synced content can have any part of it', async () => {
    const endings = await endingsOf(() => {
      fs.writeFileSync(file, 'ab')
      syncFolder(root)
      crash('power cut')
      return contentOf(file)
    })
    expect(endings).toEqual(expect.arrayContaining(['', 'a', 'ab', '\0\0']))
    expect(endings).not.toContain('gone')
  })

  test('the later names of a folder are kept up to one of them', async () => {
    const endings = await endingsOf(() => {
      fs.writeFileSync(`${root}/a`, '')
      syncFolder(root)
      fs.writeFileSync(`${root}/b`, '')
      fs.renameSync(`${root}/b`, `${root}/c`)
      fs.unlinkSync(`${root}/a`)
      crash('power cut')
      return fs.readdirSync(root).join()
    })
    expect(endings).toEqual(['a', 'a,b', 'a,c', 'c'])
  })

  test('a rename is stored independently in each of two folders', async () => {
    const endings = await endingsOf(() => {
      fs.mkdirSync(`${root}/folder`)
      fs.closeSync(syncedFile('text'))
      fs.renameSync(file, `${root}/folder/new`)
      crash('power cut')
      return `${contentOf(file)} ${contentOf(`${root}/folder/new`)}`
    })
    expect(endings).toEqual(['gone gone', 'gone text', 'text gone', 'text text'])
  })

  test('a moved folder that both of its parents have is in one of them', async () => {
    const endings = await endingsOf(() => {
      fs.mkdirSync(`${root}/a/below`, { recursive: true })
      fs.mkdirSync(`${root}/b`)
      machine.disk.syncAll()
      fs.renameSync(`${root}/a/below`, `${root}/b/below`)
      crash('power cut')
      return ['a', 'b'].filter((name) => fs.existsSync(`${root}/${name}/below`)).join()
    })
    expect(endings).toEqual(['', 'a', 'b'])
  })

  test('a change of the mode can be lost until it is synced', async () => {
    const modeAfter = (sync: () => void) =>
      endingsOf(() => {
        fs.closeSync(syncedFile(''))
        fs.chmodSync(file, 0o600)
        sync()
        crash('power cut')
        return (fs.statSync(file).mode & 0o777).toString(8)
      })
    expect(await modeAfter(() => undefined)).toEqual(['600', '644'])
    const sync = () => fs.fsyncSync(fs.openSync(file, 'r'))
    expect(await modeAfter(sync)).toEqual(['600'])
  })

  test('what a power cut has left survives the next one', async () => {
    const endings = await endingsOf(() => {
      fs.writeFileSync(file, 'text')
      crash('power cut')
      const left = machine.disk.hash()
      crash('power cut')
      return String(machine.disk.hash() === left)
    })
    expect(endings).toEqual(['true'])
  })
})

function syncFolder(path: string): void {
  const descriptor = fs.openSync(path, 'r')
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
}

describe('dieAfter', () => {
  const story = () => {
    fs.writeFileSync(file, 'ab')
    fs.renameSync(file, `${root}/new`)
  }

  test('the process dies within the operation after that number', async () => {
    const endings = async (operations: number) =>
      endingsOf(() => {
        let deaths = 0
        machine.disk.dieAfter(operations, () => {
          deaths += 1
        })
        expect(story).toThrow(ProcessDied)
        expect([deaths, machine.disk.isDead]).toEqual([1, true])
        expect(() => fs.existsSync(file)).toThrow(ProcessDied)
        crash('kill')
        return `${contentOf(file)} ${contentOf(`${root}/new`)}`
      })
    // The creation, the write, the rename.
    expect(await endings(0)).toEqual([' gone', 'gone gone'])
    expect(await endings(1)).toEqual([' gone', 'a gone', 'ab gone'])
    expect(await endings(2)).toEqual(['ab gone', 'gone ab'])
  })

  test('the process lives with fewer operations', () => {
    machine.disk = diskOf(1)
    machine.disk.dieAfter(3, () => expect.unreachable())
    story()
    expect(machine.disk.isDead).toBe(false)
  })

  test('a promise of the operation never settles', async () => {
    machine.disk = diskOf(1)
    const died = new Promise((resolve) => {
      machine.disk.dieAfter(1, () => resolve('died'))
    })
    const written = writeFile(file, 'text').then(
      () => 'written',
      () => 'failed',
    )
    expect(await Promise.race([died, written])).toBe('died')
    const turn = new Promise((resolve) => setTimeout(resolve, 20, 'pending'))
    expect(await Promise.race([turn, written])).toBe('pending')
  })
})

describe('fault', () => {
  test('a failing write keeps any number of its bytes, or reports a short write', async () => {
    const endings = await endingsOf(() => {
      const descriptor = syncedFile('')
      machine.disk.fault = (operation) => (operation === 'write' ? 'ENOSPC' : undefined)
      let end: string
      try {
        end = `wrote ${fs.writeSync(descriptor, 'ab')}`
      } catch (error) {
        end = (error as NodeJS.ErrnoException).code ?? ''
      }
      machine.disk.fault = undefined
      return `${end} ${contentOf(file)}`
    })
    expect(endings).toEqual(['ENOSPC ', 'ENOSPC a', 'ENOSPC ab', 'wrote 1 a'])
  })

  test('a failing sync syncs nothing', async () => {
    const endings = await endingsOf(() => {
      const descriptor = syncedFile('')
      fs.writeSync(descriptor, 'a')
      machine.disk.fault = (operation) => (operation === 'fsync' ? 'EIO' : undefined)
      expect(() => fs.fsyncSync(descriptor)).toThrow('EIO: i/o error, fsync')
      crash('power cut')
      return contentOf(file)
    })
    expect(endings).toEqual(['', '\0', 'a'])
  })

  test('it receives each operation with its path, also of the promises', async () => {
    machine.disk = diskOf(1)
    const seen: string[] = []
    machine.disk.fault = (operation, path) => {
      seen.push(`${operation} ${path.slice(root.length)}`)
      return path.endsWith('busy') ? 'EMFILE' : undefined
    }
    await writeFile(file, 'text')
    await expect(open(`${root}/busy`, 'r')).rejects.toMatchObject({
      code: 'EMFILE',
      syscall: 'open',
      path: `${root}/busy`,
    })
    expect(seen).toEqual(['open /file', 'write /file', 'close /file', 'open /busy'])
  })
})

test('flip changes one bit of a file of the filter', async () => {
  const endings = await endingsOf(() => {
    fs.writeFileSync(file, 'aa')
    fs.writeFileSync(`${root}/other`, 'aa')
    const flipped = machine.disk.flip((path) => path === file)
    const bytes = fs.readFileSync(file)
    const { path, offset = 0 } = flipped ?? {}
    const bits = (bytes[offset] ?? 0) ^ 0x61
    expect([path, Math.log2(bits) % 1, bytes[1 - offset]]).toEqual([file, 0, 0x61])
    expect(contentOf(`${root}/other`)).toBe('aa')
    return `${offset} ${Math.log2(bits)}`
  })
  expect(endings).toHaveLength(16)
  expect(machine.disk.flip((path) => path.endsWith('missing'))).toBeUndefined()
})

test('operations of promises happen in the order that the events choose', async () => {
  const endings = await endingsOf(async () => {
    const handle = await open(file, 'w')
    await Promise.all([handle.write('ab', 0), handle.write('c', 0), handle.close()])
    return readFile(file, 'utf8')
  })
  expect(endings).toEqual(['ab', 'cb'])
})

test('a folder can be removed by two threads at once', async () => {
  const endings = await endingsOf(async () => {
    fs.mkdirSync(`${root}/folder/deep`, { recursive: true })
    for (const name of ['a', 'b', 'deep/c']) fs.writeFileSync(`${root}/folder/${name}`, name)
    const remove = () => rm(`${root}/folder`, { recursive: true, force: true })
    await Promise.all([remove(), remove()])
    return machine.disk.files().join()
  })
  expect(endings).toEqual([''])
})

test('the same seed gives the same disk', async () => {
  const hashOf = async (seed: number) => {
    machine.disk = diskOf(seed)
    await Promise.all(['a', 'b', 'c'].map((name) => writeFile(`${root}/${name}`, name.repeat(9))))
    crash('power cut')
    return machine.disk.hash()
  }
  const hashes = []
  for (const seed of seeds(20)) {
    const hash = await hashOf(seed)
    expect(await hashOf(seed)).toBe(hash)
    hashes.push(hash)
  }
  expect(new Set(hashes).size).toBeGreaterThan(10)
})

test('streams read a part of a file and write one', async () => {
  machine.disk = diskOf(1)
  fs.writeFileSync(file, 'x'.repeat(100_000) + 'end')
  const part = fs.createReadStream(file, { start: 99_999, end: 100_001, encoding: 'utf8' })
  await pipeline(part, fs.createWriteStream(`${root}/copy`, { mode: 0o600 }))
  expect(contentOf(`${root}/copy`)).toBe('xen')
  await pipeline(fs.createReadStream(file), fs.createWriteStream(`${root}/whole`))
  expect(fs.readFileSync(`${root}/whole`).equals(fs.readFileSync(file))).toBe(true)
  await expect(fs.createReadStream(`${root}/missing`).toArray()).rejects.toThrow('ENOENT')
  fs.createReadStream(file).destroy()
  await expect.poll(() => machine.disk.counts().openDescriptors).toBe(0)
})

test('a function that is not simulated throws below the root, and works elsewhere', () => {
  machine.disk = diskOf(1)
  const message = `fs.watch is not simulated (${file})`
  expect(() => fs.watch(`${root}/folder/../file`)).toThrow(message)
  expect(() => fs.promises.cp(tmpdir(), file)).toThrow('fs.promises.cp is not simulated')
  expect(() => fs.readFile(file, () => undefined)).toThrow('fs.readFile is not simulated')
  expect(() => fs.futimesSync(fs.openSync(file, 'w'), 0, 0)).toThrow('fs.futimesSync is not')
  expect(() => fs.renameSync(file, `${tmpdir()}/file`)).toThrow('EXDEV')
  expect(fs.existsSync(tmpdir())).toBe(true)
  expect(fs.existsSync(`${root}-beside`)).toBe(false)
})

test('an append to a large file does not copy it', () => {
  machine.disk = diskOf(1)
  const descriptor = syncedFile('x'.repeat(8 * 1024 * 1024))
  const bytes = Buffer.alloc(200)
  const started = performance.now()
  // Copies would be 160 GB.
  for (let count = 0; count < 20_000; count++) fs.writeSync(descriptor, bytes)
  expect(performance.now() - started).toBeLessThan(5000)
})
