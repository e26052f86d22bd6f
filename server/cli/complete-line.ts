import type { Command } from 'commander'
import { ControlError } from '../web/control-error.ts'
import { candidates, type ReadSandbox } from './candidates.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { print } from './output.ts'

/** Timeout: a sandbox that hangs must not hang the shell. */
const patienceMs = 2000

/** Prints the completions of the last word, one per line. */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const timer = setTimeout(() => process.exit(0), patienceMs)
  for (const candidate of await candidates(program, words, readSandbox)) print(candidate)
  clearTimeout(timer)
}

const readSandbox: ReadSandbox = async (options, key, ...input) => {
  try {
    const { call } = await connect(options)
    return await call(key, ...input)
  } catch (error) {
    // Without a sandbox there are no values to offer, and messages would not be read.
    if (error instanceof CommandError || error instanceof ControlError) return undefined
    throw error
  }
}
