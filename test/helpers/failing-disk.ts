import fs from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { vi } from 'vitest'

interface FailingDisk {
  repair(): void
  readonly failures: number
}

/** Functions of the disk that tests can watch or break. */
export async function fileHandlePrototype(): Promise<FileHandle> {
  const probe = await open(import.meta.filename, 'r')
  await probe.close()
  return Object.getPrototypeOf(probe) as FileHandle
}

type Write = (
  this: FileHandle,
  buffer: Buffer,
  offset: number,
  length: number | undefined,
  position: number,
) => Promise<{ bytesWritten: number }>

/** Until it is repaired, every positioned write stores `keptBytes` of its data and then finds the disk full. */
export async function fillDisk(keptBytes = 0): Promise<FailingDisk> {
  const prototype = (await fileHandlePrototype()) as unknown as { write: Write }
  const { write } = prototype
  const { writeSync } = fs
  let failures = 0
  function fail(): never {
    failures += 1
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  const later = vi.spyOn(prototype, 'write').mockImplementation(async function (
    this: FileHandle,
    buffer,
    offset,
    _length,
    position,
  ) {
    if (keptBytes > 0) await write.call(this, buffer, offset, keptBytes, position)
    return fail()
  })
  const now = vi.spyOn(fs, 'writeSync').mockImplementation(((
    file: number,
    buffer: Buffer,
    offset: number,
    _length: number | undefined,
    position: number,
  ) => {
    if (keptBytes > 0) writeSync(file, buffer, offset, keptBytes, position)
    return fail()
  }) as unknown as typeof fs.writeSync)
  syncBuiltinESMExports()
  return {
    repair() {
      later.mockRestore()
      now.mockRestore()
      syncBuiltinESMExports()
    },
    get failures() {
      return failures
    },
  }
}
