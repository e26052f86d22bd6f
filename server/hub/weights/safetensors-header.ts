import { isObject } from '../../core/is-object.ts'

// Header of a safetensors file: https://github.com/huggingface/safetensors#format

/** Bytes of the length before the header. */
export const lengthBytes = 8

/** Returns the bytes of the header; `undefined` for a file that is too short. */
export function lengthOfHeader(bytes: Buffer): number | undefined {
  return bytes.length < lengthBytes ? undefined : Number(bytes.readBigUInt64LE(0))
}

/**
 * Counts the parameters of a file by their type, such as `{ F32: 10 }`.
 * @param header its text, which anybody can write
 * @returns `undefined` for an invalid header
 */
export function countParameters(header: string): Map<string, number> | undefined {
  const tensors = parseObject(header)
  if (tensors === undefined) return undefined
  const counts = new Map<string, number>()
  for (const [name, tensor] of Object.entries(tensors)) {
    if (name === '__metadata__') continue
    const { dtype, shape } = isObject(tensor) ? tensor : {}
    if (typeof dtype !== 'string' || !Array.isArray(shape)) return undefined
    const count = (shape as unknown[]).reduce<number>(
      (product, length) => product * Number(length),
      1,
    )
    if (!Number.isSafeInteger(count) || count < 0) return undefined
    counts.set(dtype, (counts.get(dtype) ?? 0) + count)
  }
  return counts
}

/** Lists the files of a model that is split, from its `model.safetensors.index.json`. */
export function filesOfIndex(index: string): string[] {
  const map = parseObject(index)?.['weight_map']
  const names = isObject(map) ? Object.values(map) : []
  return [...new Set(names)].filter((name) => typeof name === 'string')
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
