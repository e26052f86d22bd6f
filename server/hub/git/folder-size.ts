import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { performance, sleep } from '../../core/timers.ts'
import { errorCode, fileError } from '../../store/errors.ts'

/** Most disks give out space in such blocks: 100,000 files of a few bytes take 400 MB. */
const blockBytes = 4096

/** Time before the first look at a folder, and the least between two, as a multiple of what the last one took. */
const [firstLookMs, restFactor] = [250, 5]

/** Returns the bytes that the files of a folder take on the disk, those of its folders included. @throws {StateError} */
export async function sizeOnDisk(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await ifThere(folder, readdir(folder, { withFileTypes: true }), [])) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += blockBytes + (await sizeOnDisk(path))
    else {
      const size = await ifThere(
        path,
        stat(path).then((file) => file.size),
        0,
      )
      bytes += Math.ceil(size / blockBytes) * blockBytes
    }
  }
  return bytes
}

/** Calls back once a folder takes more than a limit on the disk. Ends with the signal. @throws {StateError} */
export async function watchSize(
  folder: string,
  limitBytes: number,
  { signal, onExceeded }: { signal: AbortSignal; onExceeded: () => void },
): Promise<void> {
  for (let restMs = firstLookMs; ;) {
    await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined)
    if (signal.aborted) return
    const started = performance.now()
    if ((await sizeOnDisk(folder)) > limitBytes) return onExceeded()
    restMs = Math.max(firstLookMs, restFactor * (performance.now() - started))
  }
}

/** A file may be renamed or removed at any moment. */
async function ifThere<T>(path: string, reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return otherwise
    throw fileError('read', path, error)
  }
}
