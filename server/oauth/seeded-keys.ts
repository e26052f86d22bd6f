import type { SigningKey } from '../state/entities/oauth.ts'

/**
 * The keys of a seeded sandbox: of a fixed set of public test keys, so that a seed gives the same ones in every
 * version of Node and nothing of RSA is computed here. The seed says which is the first; each rotation takes the
 * next of the set, and after all of them it begins again: the ninth key is the first one under a `kid` of its own.
 * @param bytes follow from the seed
 */
export function createSeededKeys(bytes: (length: number) => Uint8Array) {
  const [start = 0] = bytes(1)
  return async (previous: SigningKey | undefined): Promise<SigningKey['privateJwk']> => {
    // Not part of a start: a sandbox without a seed has no use for them.
    const { publicTestKeys } = await import('./public-test-keys.ts')
    const last = publicTestKeys.findIndex(({ n }) => n === previous?.privateJwk['n'])
    const key = publicTestKeys[(last === -1 ? start : last + 1) % publicTestKeys.length]
    return { ...key }
  }
}
