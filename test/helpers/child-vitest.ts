import { copyFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuiltCommand } from './command-line.ts'
import { root } from './packed.ts'

/** Copies files of the test folder into another folder. */
export function copyTestFiles(folder: string, ...files: string[]): void {
  for (const file of files) copyFileSync(join(root, 'test', file), join(folder, basename(file)))
}

/**
 * Configures vitest in a folder that has no packages, for tests that import `vitest` and `hub-sandbox/testing`.
 * @param options of `test`, such as which files to include
 * @returns the command that runs the tests, in that folder
 */
export function configureVitest(folder: string, options: Record<string, unknown>): string[] {
  const library = isBuiltCommand ? 'dist/library/testing.cjs' : 'server/testing.ts'
  const alias = {
    'hub-sandbox/testing': join(root, library),
    vitest: fileURLToPath(import.meta.resolve('vitest')),
  }
  const config = {
    resolve: { alias },
    server: { fs: { strict: false } },
    test: { testTimeout: 60_000, hookTimeout: 60_000, ...options },
  }
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
  return [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run']
}
