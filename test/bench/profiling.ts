import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Child } from './children.ts'

const flag = process.argv.find((argument) => argument.startsWith('--profile-to='))

/** Where the profile of the sandbox under test goes, if it is asked for. */
const file = flag?.slice('--profile-to='.length)
let taken = false

/** Runs `act` while the program's time is sampled: of the first sandbox of a row, for that is the command line. */
export async function profiled<T>(program: Child, act: () => Promise<T>): Promise<T> {
  if (file === undefined || taken) return act()
  taken = true
  await mkdir(dirname(file), { recursive: true })
  await program.ask('startProfile')
  try {
    return await act()
  } finally {
    await program.ask('stopProfile', file)
  }
}
