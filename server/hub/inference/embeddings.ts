import { createHash } from 'node:crypto'
import { embeddingDimensions, type EmbeddingsBody } from '../../contract/hub-inference.ts'
import { tokensOf } from './tokens.ts'

/**
 * Returns the embedding of a text: a vector of length 1 that follows from the words of the text, so that texts with common
 * words are close to each other.
 */
export function embed(text: string, dimensions = embeddingDimensions): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const word of wordsOf(text)) {
    const hash = createHash('sha256').update(word).digest()
    for (let at = 0; at < hash.length; at += 4) {
      const number = hash.readUInt32LE(at)
      const place = (number >>> 1) % dimensions
      vector[place] = (vector[place] ?? 0) + (number & 1 ? 1 : -1)
    }
  }
  const length = Math.hypot(...vector)
  // Opposite words can cancel each other.
  if (length === 0) return vector.map((_, place) => (place === 0 ? 1 : 0))
  return vector.map((number) => number / length)
}

/** Returns the embeddings of all texts of a request. */
export function embedAll(model: string, body: EmbeddingsBody) {
  const texts = [body.input].flat()
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text).length, 0)
  return {
    object: 'list' as const,
    model,
    data: texts.map((text, index) => {
      const vector = embed(text, body.dimensions ?? embeddingDimensions)
      const embedding = body.encoding_format === 'base64' ? toBase64(vector) : vector
      return { object: 'embedding' as const, index, embedding }
    }),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  return words ?? [text]
}

function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * 4)
  return bytes.toString('base64')
}
