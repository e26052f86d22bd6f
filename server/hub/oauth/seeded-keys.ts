import { createIds, seededBytes } from '../../core/ids.ts'
import type { MakeKey } from './signing-keys.ts'

/**
 * Creates the keys of a seeded sandbox from a fixed set of public test keys: a seed gives the same ones in every version
 * of Node, and no RSA key is computed. The seed selects the first; each rotation takes the next of the set, and the
 * ninth key is the first one again. Each `kid` follows from the seed and the previous `kid`, so a reset, which begins the
 * seed's other ids again, never gives a new key the `kid` of an old one.
 */
export function createSeededKeys(seed: number | string): MakeKey {
  const [start = 0] = seededBytes(`${seed}:key`)(1)
  return async (previous) => {
    // Loaded on demand: a sandbox without a seed never needs them.
    const { publicTestKeys } = await import('./public-test-keys.ts')
    const last = publicTestKeys.findIndex(({ n }) => n === previous?.privateJwk['n'])
    const key = publicTestKeys[(last === -1 ? start : last + 1) % publicTestKeys.length]
    const ids = createIds(seededBytes(`${seed}:kid:${previous?.id ?? ''}`))
    return { id: ids.alphanumeric(16), privateJwk: { ...key } }
  }
}
