import { formatChunks, type KeptChunk } from './chunk-table.ts'
import type { FileSink } from './lfs-upload.ts'
import type { XorbUpload } from './xet-contents.ts'

/** Upload of a xorb to a file. */
export class XorbFile implements XorbUpload {
  readonly #sink: FileSink
  #size = 0

  constructor(sink: FileSink) {
    this.#sink = sink
  }

  async write(content: Uint8Array): Promise<void> {
    const position = this.#size
    this.#size += content.length
    await this.#sink.write(content, position)
  }

  async finish(chunks: readonly KeptChunk[]): Promise<void> {
    await this.write(formatChunks(chunks))
    await this.#sink.keep()
  }

  async close(): Promise<void> {
    await this.#sink.close()
  }
}
