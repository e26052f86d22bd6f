import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { coverageFolder } from './helpers/coverage-folder.ts'
import { measured, unmeasured } from './helpers/measured.ts'

const layer = (name: string, setupFiles: string[] = []) => ({
  extends: true as const,
  test: { name, include: [`test/${name}/**/*.test.{ts,tsx}`], setupFiles },
})

/** Beside each test is the folder of an app, which may have tests of its own kind. */
const recipes = {
  extends: true as const,
  test: { name: 'recipes', include: ['test/recipes/*.test.ts'] },
}

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // What fails fails at once; a slow machine is no failure.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      layer('unit', ['test/helpers/refuse-network.ts']),
      layer('contract'),
      layer('compat'),
      recipes,
    ],
    coverage: {
      provider: 'v8',
      include: measured,
      exclude: unmeasured,
      ...(coverageFolder === undefined
        ? { reportsDirectory: 'coverage' }
        : {
            enabled: true,
            reporter: 'json' as const,
            reportsDirectory: join(coverageFolder, 'vitest'),
            reportOnFailure: true,
          }),
    },
  },
})
