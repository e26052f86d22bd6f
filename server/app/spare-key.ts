import { generatePrivateJwk } from '../hub/oauth/signing-keys.ts'

type PrivateJwk = Awaited<ReturnType<typeof generatePrivateJwk>>

/** RSA key that is generated on another thread before a sandbox of this process needs it. */
export interface SpareKey {
  /** Starts to generate the key for a sandbox that is about to start, unless there is one already. */
  prepare(): void
  /** Returns the prepared key, which no other sandbox gets; generates one if none was prepared. */
  take(): Promise<PrivateJwk>
}

/**
 * A sandbox in a test suite signs its first ID token soon after its start, and generating a key takes about as long as
 * that start. There is one spare key, not a key for each sandbox: most sandboxes of a process never sign.
 */
export function createSpareKey(generate = generatePrivateJwk): SpareKey {
  let spare: Promise<PrivateJwk> | undefined
  let announced = 0

  function fill(): void {
    if (spare !== undefined) return
    const generated = generate()
    spare = generated
    // The sandbox that takes the key reports the failure; the next sandbox tries again.
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

/** Spare key of this process. */
export const spareKey = createSpareKey()
