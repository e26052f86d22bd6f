import { createHash } from 'node:crypto'
import {
  embeddingDimensions,
  type EmbeddingsBody,
  mostEmbeddedTokens,
} from '../../contract/hub-inference.ts'
import { Refusal } from '../../core/refusal.ts'
import { firstTokens } from './token-counts.ts'

/**
 * Returns the embedding of a text: a vector of length 1 that follows from the words of the text, so that texts with common
 * words are close to each other.
 */
export function embed(text: string, dimensions = embeddingDimensions): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const [word, count] of counts) {
    const hash = createHash('sha256').update(word).digest()
    for (let at = 0; at < hash.length; at += 4) {
      const number = hash.readUInt32LE(at)
      const place = (number >>> 1) % dimensions
      vector[place] = (vector[place] ?? 0) + (number & 1 ? count : -count)
    }
  }
  const length = Math.hypot(...vector)
  // Opposite words can cancel each other.
  if (length === 0) return vector.map((_, place) => (place === 0 ? 1 : 0))
  return vector.map((number) => number / length)
}

/**
 * Embeds the texts of a request.
 * @throws {Refusal} `invalid` for a text that is too long
 */
export function embedTexts(
  texts: readonly string[],
  dimensions?: number,
): { vectors: number[][]; tokens: number } {
  let tokens = 0
  const vectors = texts.map((text, index) => {
    const { count, start } = firstTokens(text, mostEmbeddedTokens)
    if (start.length < text.length) {
      throw new Refusal(
        'invalid',
        `Input validation error: text ${index + 1} has more than ${mostEmbeddedTokens} tokens, the limit`,
      )
    }
    tokens += count
    return embed(text, dimensions)
  })
  return { vectors, tokens }
}

/**
 * Returns the embeddings of all texts of a request.
 * @throws {Refusal} `invalid` for a text that is too long
 */
export function embedAll(model: string, body: EmbeddingsBody) {
  const dimensions = body.dimensions ?? embeddingDimensions
  const { vectors, tokens } = embedTexts([body.input].flat(), dimensions)
  return {
    object: 'list' as const,
    model,
    data: vectors.map((vector, index) => {
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
