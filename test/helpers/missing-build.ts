import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Checks that the build has a file, for tests that use what is built.
 * @param path below `dist/`
 * @returns why a test cannot run; `undefined` when the file is there
 */
export function missingBuild(path: string): string | undefined {
  const file = new URL(`../../dist/${path}`, import.meta.url)
  return existsSync(fileURLToPath(file))
    ? undefined
    : `dist/${path} is missing: run \`npm run build\` first`
}
