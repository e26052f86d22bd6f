import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import perfHooks from 'node:perf_hooks'
import timers from 'node:timers'
import { Transform } from 'node:stream'
import timersPromises from 'node:timers/promises'
import { callbackify } from 'node:util'
import zlib from 'node:zlib'
import { ProcessDied } from './disk.ts'
import type { Random } from '../../../server/core/random.ts'
import type { Scheduler } from './scheduler.ts'

/** Larger than any process id of Linux: a process with one from here on does not run. */
const firstId = 2 ** 22 + 1

/** Where the time, the chance and the threads of the process come from at present, and where its warnings go. */
export interface Source {
  scheduler: Scheduler
  random: Random
  /** Receives the warnings of the process, and errors that nobody has handled. */
  warn: (message: string) => void
}

/**
 * Replaces time, timers, random numbers, warnings and the threads of cryptography and compression in this process. To be called before the product
 * is loaded, because it takes its timers from Node once.
 */
export function installProcess(source: Source): void {
  installTimers(source)
  installDate(source)
  installChance(source)
  installThreads(source)
  Object.defineProperty(process, 'pid', { get: () => firstId + source.scheduler.died })
  process.emitWarning = (warning: string | Error) => source.warn(String(warning))
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => {
      if (!(error instanceof ProcessDied)) source.warn(`${event}: ${(error as Error).stack}`)
    })
  }
  syncBuiltinESMExports()
}

/** As Node's, with which the product holds or releases the process; a simulated process runs until it is ended. */
class Handle {
  readonly cancel: () => void

  constructor(cancel: () => void) {
    this.cancel = cancel
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  [Symbol.dispose](): void {
    this.cancel()
  }
}

type Act = (...values: unknown[]) => void

function installTimers(source: Source): void {
  const clear = (handle: unknown) => {
    if (handle instanceof Handle) handle.cancel()
  }
  const simulated = {
    setTimeout: (act: Act, ms = 0, ...values: unknown[]) =>
      new Handle(source.scheduler.after(ms, () => act(...values))),
    setInterval(act: Act, ms = 0, ...values: unknown[]) {
      let cancel = () => {}
      const plan = () => {
        cancel = source.scheduler.after(ms, () => {
          plan()
          act(...values)
        })
      }
      plan()
      return new Handle(() => cancel())
    },
    setImmediate: (act: Act, ...values: unknown[]) =>
      new Handle(source.scheduler.turn(() => act(...values))),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  }
  Object.assign(timers, simulated)
  Object.assign(globalThis, simulated)
  const wait = (plan: (act: () => void) => () => void, value: unknown, signal?: AbortSignal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError(signal))
      const abort = () => {
        cancel()
        if (signal !== undefined) reject(abortError(signal))
      }
      const cancel = plan(() => {
        signal?.removeEventListener('abort', abort)
        resolve(value)
      })
      signal?.addEventListener('abort', abort)
    })
  Object.assign(timersPromises, {
    setTimeout: (ms = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      wait((act) => source.scheduler.after(ms, act), value, signal),
    setImmediate: (value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      wait((act) => source.scheduler.turn(act), value, signal),
  })
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController()
    source.scheduler.after(ms, () =>
      controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
    )
    return controller.signal
  }
}

function abortError(signal: AbortSignal): Error {
  return Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  })
}

function installDate(source: Source): void {
  const RealDate = Date
  class SimulatedDate extends RealDate {
    constructor(...values: unknown[]) {
      super(...((values.length === 0 ? [source.scheduler.now] : values) as [number]))
    }

    static override now(): number {
      return source.scheduler.now
    }
  }
  globalThis.Date = SimulatedDate as DateConstructor
  perfHooks.performance.now = () => source.scheduler.now
}

function installChance(source: Source): void {
  const fill = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
    for (let index = 0; index < bytes.length; index++) bytes[index] = source.random.int(256)
    return view
  }
  const randomBytes = (size: number) => fill(Buffer.alloc(size))
  Object.assign(crypto, {
    randomBytes,
    randomFillSync: fill,
    randomUUID() {
      const hex = randomBytes(16).toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    },
    randomInt(first: number, last?: number) {
      const [from, to] = last === undefined ? [0, first] : [first, last]
      return from + source.random.int(to - from)
    },
  })
  Math.random = () => source.random.int(2 ** 30) / 2 ** 30
}

/** Does something at once, whose result is ready in one of the next turns, as that of a thread. */
type InThread = <T>(name: string, work: () => T) => Promise<T>

function installThreads(source: Source): void {
  const inThread: InThread = <T>(name: string, work: () => T) =>
    new Promise<T>((resolve, reject) => {
      source.scheduler.later(name, () => {
        try {
          resolve(work())
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
    })
  installSignatures(inThread)
  installCompression(inThread)
}

function installCompression(inThread: InThread): void {
  const { deflateSync, gunzipSync, gzipSync, inflateSync } = zlib
  const later = (name: string, work: (bytes: Buffer, options?: zlib.ZlibOptions) => Buffer) =>
    callbackify((bytes: Buffer, options?: zlib.ZlibOptions) =>
      inThread(name, () => work(bytes, options)),
    )
  // A stream gives all of its output at its end.
  const stream = (name: string, work: (bytes: Buffer) => Buffer) => () => {
    const chunks: Buffer[] = []
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        chunks.push(chunk)
        done()
      },
      flush: callbackify(() => inThread(name, () => work(Buffer.concat(chunks)))),
    })
  }
  Object.assign(zlib, {
    deflate: later('deflate', deflateSync),
    inflate: later('inflate', inflateSync),
  })
  // These are read-only.
  Object.defineProperties(zlib, {
    createGzip: { value: stream('gzip', gzipSync) },
    createGunzip: { value: stream('gunzip', gunzipSync) },
  })
}

function installSignatures(inThread: InThread): void {
  type Key = crypto.webcrypto.CryptoKey
  const { subtle } = crypto.webcrypto
  const hashFor = (key: crypto.KeyObject) => (key.asymmetricKeyType === 'ed25519' ? null : 'sha256')
  const importKey = subtle.importKey.bind(subtle) as (...given: unknown[]) => Promise<Key>
  const imported = new Map<string, Promise<Key>>()
  Object.assign(Object.getPrototypeOf(subtle) as object, {
    // The platform takes any time for it, so that only the first import of a key is a real one.
    importKey(format: unknown, data: unknown, algorithm: unknown, ...[, usages]: unknown[]) {
      // Node 24 warns of a key that is read below, unless it may be extracted.
      const given = [format, data, algorithm, true, usages]
      const name = JSON.stringify(given)
      const known = imported.get(name) ?? importKey(...given)
      imported.set(name, known)
      return known
    },
    sign: (_algorithm: unknown, key: Key, data: Uint8Array) =>
      inThread('sign', () => {
        const own = crypto.KeyObject.from(key)
        return Uint8Array.from(crypto.sign(hashFor(own), data, own)).buffer
      }),
    verify: (_algorithm: unknown, key: Key, signature: Uint8Array, data: Uint8Array) =>
      inThread('verify', () => {
        const own = crypto.KeyObject.from(key)
        return crypto.verify(hashFor(own), data, own, signature)
      }),
  })
}
