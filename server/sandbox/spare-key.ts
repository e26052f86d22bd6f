import { generatePrivateJwk } from '../oauth/signing-keys.ts'

type PrivateJwk = Awaited<ReturnType<typeof generatePrivateJwk>>

/** One RSA key that is generated before a sandbox of this process needs it. */
export interface SpareKey {
  /** Announces a sandbox that may sign: the key it will take is generated from now on, unless one is there already. */
  prepare(): void
  /** The prepared key, which no other sandbox gets; generated now if none was prepared. */
  take(): Promise<PrivateJwk>
}

/**
 * A sandbox of a test suite signs its first ID token soon after its start, and generating a key takes longer than that
 * start. One spare key, rather than a key for each sandbox, costs nothing to sandboxes that never sign.
 */
export function createSpareKey(generate = generatePrivateJwk): SpareKey {
  let spare: Promise<PrivateJwk> | undefined
  let announced = 0

  function fill(): void {
    if (spare !== undefined) return
    const generated = generate()
    spare = generated
    // The sandbox that takes it reports a failure; until then, the next sandbox tries again.
    generated.catch(() => {
      if (spare === generated) spare = undefined
    })
  }

  return {
    prepare() {
      announced += 1
      fill()
    },
    take() {
      const key = spare ?? generate()
      spare = undefined
      // A process that has started two sandboxes is likely to start more of them.
      if (announced > 1) fill()
      return key
    },
  }
}

/** The spare key of this process. */
export const spareKey = createSpareKey()
