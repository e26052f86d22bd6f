import { type FileHandle, open } from 'node:fs/promises'
import { vi } from 'vitest'

interface FailingDisk {
  repair(): void
  readonly failures: number
}

/** What the code under test calls: the one place where every file it has open can be watched or broken. */
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
  const original = prototype.write
  let failures = 0
  const spy = vi.spyOn(prototype, 'write').mockImplementation(async function (
    this: FileHandle,
    buffer,
    offset,
    _length,
    position,
  ) {
    failures += 1
    if (keptBytes > 0) await original.call(this, buffer, offset, keptBytes, position)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  })
  return {
    repair: () => spy.mockRestore(),
    get failures() {
      return failures
    },
  }
}
