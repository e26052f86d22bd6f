import { isAscii } from 'node:buffer'
import { giveBack } from '../core/give-back.ts'
import type { Encoding } from '../contract/words/hub.ts'
import type { BlobInfo, BlobUpload } from '../objects/object-store.ts'

/** Where contents go that are too large to wait in memory. */
export interface ContentShelf {
  receiveBlob(): BlobUpload
  /** Resolves when all that it has taken so far is out of memory; `undefined` when it is. */
  written(): Promise<void> | undefined
}

export interface ContentLimits {
  /** What a content may have, in bytes. More of it is counted, and not kept. */
  readonly mostBytes: number
  /** So many bytes of it wait in memory. */
  readonly waitingBytes: number
}

/** Bytes that wait in memory, or what is kept of them. */
export type KeptContent = { content: Buffer } | { oid: string; size: number }

/** Whether there is room in memory for so many bytes, which are few enough to wait. */
export type MayWait = (size: number) => boolean

/** Some bytes in memory, or all in an upload once they are more. */
class Held {
  size = 0
  readonly #shelf: ContentShelf
  readonly #limits: ContentLimits
  #waiting: Buffer[] = []
  #upload: BlobUpload | undefined

  constructor(shelf: ContentShelf, limits: ContentLimits) {
    this.#shelf = shelf
    this.#limits = limits
  }

  get isTooLarge(): boolean {
    return this.size > this.#limits.mostBytes
  }

  add(bytes: Buffer): void {
    this.#waiting.push(bytes)
    this.count(bytes.length)
  }

  /** Of what is too large nothing is kept but how large it is. */
  count(bytes: number): void {
    this.size += bytes
    if (this.isTooLarge) this.#waiting = []
  }

  /** Makes room in memory. */
  async flush(): Promise<void> {
    if (this.isTooLarge) return this.close()
    if (this.size <= this.#limits.waitingBytes) return
    const upload = (this.#upload ??= this.#shelf.receiveBlob())
    const waiting = this.#waiting
    this.#waiting = []
    await hand(waiting, upload)
  }

  async *read(): AsyncGenerator<Buffer, void, undefined> {
    if (this.#upload !== undefined) yield* this.#upload.read()
    yield* this.#waiting
  }

  async take(mayWait: MayWait): Promise<KeptContent> {
    await this.flush()
    if (this.#upload === undefined && mayWait(this.size))
      return { content: Buffer.concat(this.#waiting) }
    const { id, size } = await this.#keep()
    await this.#shelf.written()
    return { oid: id, size }
  }

  async close(): Promise<void> {
    const upload = this.#upload
    this.#upload = undefined
    this.#waiting = []
    await upload?.close()
  }

  async #keep(): Promise<BlobInfo> {
    const upload = (this.#upload ??= this.#shelf.receiveBlob())
    const waiting = this.#waiting
    this.#waiting = []
    await hand(waiting, upload)
    return upload.keep()
  }
}

/** What is handed over is needed here no more. */
async function hand(waiting: readonly Buffer[], upload: BlobUpload): Promise<void> {
  for (const bytes of waiting) {
    await upload.write(bytes)
    giveBack(bytes)
  }
}

/**
 * The content of a file, out of a string of JSON. It is decoded while it arrives, for as long as it can be base64, since
 * its encoding may be told behind it: strict base64 can be turned back into the very same text.
 */
export class LineContent {
  readonly #shelf: ContentShelf
  readonly #limits: ContentLimits
  readonly #string = new JsonString()
  /** While it can be base64: what that stands for; then the text, as UTF-8. */
  #held: Held
  /** What was held until it could be base64 no longer, to come before what is held now; null = it still can be. */
  #before: Base64Parts | null | undefined = null
  /** While it can be base64: the end that is no whole group of four. */
  #rest = ''
  #isPadded = false
  /** So many bytes that are no string of JSON have come. */
  #broken = 0

  constructor(shelf: ContentShelf, limits: ContentLimits) {
    this.#shelf = shelf
    this.#limits = limits
    this.#held = new Held(shelf, limits)
  }

  /** How much it has as far as it was decoded, in bytes. */
  get size(): number {
    const before = this.#before ? base64Length(this.#before) : 0
    return before + this.#held.size + this.#broken
  }

  /** Takes the next part of what stands between the quotes, as it stands there; its memory may be used again afterwards. */
  write(raw: Buffer): void {
    const text = this.#broken === 0 ? this.#string.read(raw) : undefined
    if (text === undefined || !this.#take(text)) this.#broken += raw.length
  }

  /** Puts aside what is too much for the memory. */
  async flush(): Promise<void> {
    if (this.#broken > 0) return this.close()
    await this.#joinParts()
    await this.#held.flush()
  }

  /**
   * What it holds, at its end.
   * @returns 'too large' for what has more bytes than it may; `undefined` when it is not what it is said to be
   */
  async take(encoding: Encoding, mayWait: MayWait): Promise<KeptContent | 'too large' | undefined> {
    const end = this.#broken > 0 ? undefined : this.#string.end()
    if (end === undefined) return undefined
    if (end !== '') this.#take(end)
    const isBase64 = this.#before === null
    if (encoding === 'base64' && !(isBase64 && this.#rest === '')) return undefined
    if (encoding === 'utf-8') {
      if (isBase64) this.#becomeText()
      if (this.size > this.#limits.mostBytes) return 'too large'
      await this.#joinParts()
    }
    return this.#held.isTooLarge ? 'too large' : this.#held.take(mayWait)
  }

  /** To be called in the end, whatever became of it. */
  async close(): Promise<void> {
    await this.#before?.held.close()
    await this.#held.close()
  }

  /** @returns false for what cannot be in a string: what is base64 need not be looked at for that */
  #take(text: string): boolean {
    if (this.#before === null && this.#takeBase64(text)) return true
    if (this.#before === null) this.#becomeText()
    this.#held.add(Buffer.from(text))
    return this.#string.mayHave(text)
  }

  /** @returns false when it can be base64 no longer */
  #takeBase64(text: string): boolean {
    const all = this.#rest + text
    const whole = all.slice(0, all.length - (all.length % 4))
    const rest = all.slice(whole.length)
    const bytes = Buffer.from(whole, 'base64')
    if (this.#isPadded && all !== '') return false
    if (!isStrict(all, whole, bytes) || control.test(rest)) return false
    if (bytes.length > 0) this.#held.add(bytes)
    this.#rest = rest
    this.#isPadded ||= whole.endsWith('=')
    return true
  }

  #becomeText(): void {
    this.#before = { held: this.#held, rest: this.#rest }
    this.#held = new Held(this.#shelf, this.#limits)
  }

  /** Turns what was decoded too soon into the text again that it was, and lets the rest of it follow. */
  async #joinParts(): Promise<void> {
    if (!this.#before) return
    const [before, after] = [this.#before, this.#held]
    const all = new Held(this.#shelf, this.#limits)
    this.#held = all
    try {
      if (before.held.isTooLarge) all.count(base64Length(before))
      else {
        for await (const text of base64Of(before)) {
          all.add(text)
          await all.flush()
        }
      }
      // It has come since the last flush, and so is in memory.
      if (after.isTooLarge) all.count(after.size)
      for await (const text of after.read()) all.add(text)
    } finally {
      this.#before = undefined
      await before.held.close()
    }
  }
}

/** Bytes, and what stands behind their base64. */
interface Base64Parts {
  readonly held: Held
  readonly rest: string
}

function base64Length({ held, rest }: Base64Parts): number {
  return Math.ceil(held.size / 3) * 4 + rest.length
}

async function* base64Of({ held, rest }: Base64Parts): AsyncGenerator<Buffer, void, undefined> {
  let odd = Buffer.alloc(0)
  for await (const bytes of held.read()) {
    const all = Buffer.concat([odd, bytes])
    const whole = all.length - (all.length % 3)
    yield Buffer.from(all.toString('base64', 0, whole), 'latin1')
    odd = all.subarray(whole)
  }
  yield Buffer.from(odd.toString('base64') + rest, 'latin1')
}

/** Whether a text is the one that base64 makes of bytes, up to its end. Node also reads what is between, and other signs and ends. */
function isStrict(all: string, text: string, bytes: Buffer): boolean {
  if (Buffer.byteLength(all) !== all.length) return false
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (bytes.length !== (text.length / 4) * 3 - padding) return false
  if (text.includes('-') || text.includes('_')) return false
  const last = bytes.subarray(bytes.length - ((bytes.length - 1) % 3) - 1)
  return text.endsWith(last.toString('base64'))
}

/** Reads what stands between the quotes of a string of JSON, part by part. */
class JsonString {
  /** From the first part on that is more than ASCII. */
  #decoder: InstanceType<typeof TextDecoder> | undefined
  /** What means something only with what follows. */
  #rest = ''
  /** Whether what was read last stands there as it is. */
  #isPlain = true

  /** @returns `undefined` when it is none; else a text of which {@link mayHave} tells the rest */
  read(raw: Buffer): string | undefined {
    try {
      const text = this.#rest + this.#decode(raw)
      this.#isPlain = !text.includes('\\')
      if (this.#isPlain) {
        this.#rest = ''
        return text
      }
      const end = endOfWhole(text)
      this.#rest = text.slice(end)
      return JSON.parse(`"${text.slice(0, end)}"`) as string
    } catch (error) {
      return noString(error)
    }
  }

  /** Whether something of the text that was read last can be in it: what is no escape of JSON is no control character. */
  mayHave(text: string): boolean {
    return !this.#isPlain || !control.test(text)
  }

  /** @returns what was kept back until now; `undefined` when it means nothing */
  end(): string | undefined {
    try {
      return JSON.parse(`"${this.#rest}${this.#decoder?.decode() ?? ''}"`) as string
    } catch (error) {
      return noString(error)
    }
  }

  #decode(raw: Buffer): string {
    if (this.#decoder === undefined && isAscii(raw)) return raw.toString('latin1')
    this.#decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return this.#decoder.decode(raw, { stream: true })
  }
}

// oxlint-disable-next-line no-control-regex -- those are what is meant
const control = /[\u0000-\u001f]/

function noString(error: unknown): undefined {
  if (error instanceof SyntaxError || error instanceof TypeError) return undefined
  throw error
}

/** Where to cut a text so that no escape is cut, nor a pair of them that stands for one sign. */
function endOfWhole(text: string): number {
  /** Where the first half of a pair begins that ends at `end`. */
  let half = -1
  let end = 0
  for (let at = text.indexOf('\\'); at !== -1; at = text.indexOf('\\', end)) {
    if (at !== end) half = -1
    end = at + (text[at + 1] === 'u' ? 6 : 2)
    if (end > text.length) return half === -1 ? at : half
    half = /^\\ud[89ab]/i.test(text.slice(at, at + 4)) ? at : -1
  }
  return half !== -1 && end === text.length ? half : text.length
}
