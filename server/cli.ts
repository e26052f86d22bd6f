#!/usr/bin/env node
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { placeOfCache } from './cli/code-cache/cache-folder.ts'
import { loadProgram } from './cli/code-cache/load-program.ts'
import type * as Commands from './cli/main.ts'

const { platform, env } = process
const entry = join(dirname(fileURLToPath(import.meta.url)), '../library/main.cjs')
const { exports: program, codeCache } = loadProgram<typeof Commands>(
  entry,
  placeOfCache({ platform, env, home: homeFolder() }),
)
void program.main(process.argv, codeCache)

function homeFolder(): string | undefined {
  try {
    const home = homedir()
    // An empty or relative HOME is none.
    return isAbsolute(home) ? home : undefined
  } catch {
    // A container may run as an unknown user.
    return undefined
  }
}
