import type * as fc from 'fast-check'

/** Something that reads what comes from outside, and what must hold of it whatever comes. */
export interface Target<Input = unknown> {
  /** Name on the command line and of the corpus file. */
  name: string
  /** Inputs are JSON, so that one that was found can be kept. */
  inputs: fc.Arbitrary<Input> | (() => Promise<fc.Arbitrary<Input>>)
  /** Throws what is wrong. */
  check(input: Input): void | Promise<void>
  /** How much of the time it gets beside others. Default: 1. */
  share?: number
  /** How many inputs it gets in a run of all tests, for one whose inputs take long. Default: {@link defaultSample}. */
  sample?: number
  /** Lets go of what the checks have opened, and throws what is wrong with what is left. */
  close?(): Promise<void>
}

/** Takes less than half a second, mostly. */
export const defaultSample = 200

/** For a list of targets, each of which has inputs of its own kind. */
export function target<Input>(description: Target<Input>): Target {
  return description
}

/** Throws where something does not hold. */
export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message)
}

/** Whether a function refuses its input by an error of this kind; any other is passed on. */
export function refuses(
  kind: abstract new (...args: never[]) => Error,
  read: () => unknown,
): boolean {
  try {
    read()
    return false
  } catch (error) {
    if (error instanceof kind) return true
    throw error
  }
}
