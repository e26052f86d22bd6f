import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestUserConfig } from 'vitest/config'
import LongestFirst from './helpers/longest-first.ts'
import { prepareHomes } from './helpers/own-machine.ts'

prepareHomes()

/** Before all else: what is imported later asks for the home once. */
const ownHome = 'test/helpers/own-home.ts'

/** In this order, one layer after the other. */
const layers = ['unit', 'contract', 'compat', 'packed', 'recipes'] as const

const layer = (name: (typeof layers)[number], more: TestUserConfig = {}) => ({
  extends: true as const,
  test: {
    name,
    sequence: { groupOrder: layers.indexOf(name) },
    include: [`test/${name}/**/*.test.{ts,tsx}`],
    ...more,
    setupFiles: [ownHome, more.setupFiles ?? []].flat(),
  },
})

/** One process loads the server once for many files, which leave nothing behind for the next. */
const shared = { isolate: false }
const silentClients = 'test/helpers/silent-clients.ts'
const everywhere = [
  'test/helpers/leave-timers.ts',
  'test/helpers/leave-servers.ts',
  'test/helpers/patient-waits.ts',
  'test/helpers/repeat-each.ts',
]

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // What fails fails at once; a slow machine is no failure.
    testTimeout: 30_000,
    // Many tests wait for programs and deadlines: half a worker more per core leaves none idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    hookTimeout: 30_000,
    sequence: { sequencer: LongestFirst },
    expect: { poll: { timeout: 20_000 } },
    projects: [
      layer('unit', { setupFiles: ['test/helpers/fail-refused.ts', ...everywhere], ...shared }),
      layer('contract', { setupFiles: everywhere, ...shared }),
      layer('compat', { setupFiles: [silentClients, ...everywhere], ...shared }),
      layer('packed'),
      // Beside each test is the folder of an app, which may have tests of its own kind.
      layer('recipes', { include: ['test/recipes/*.test.ts'], setupFiles: [silentClients] }),
    ],
    coverage: {
      provider: 'v8',
      // The dashboard and the command line run in processes of their own, which are not measured.
      include: ['server/**/*.ts'],
      exclude: ['server/cli/**', 'server/tools/**', '**/vite.config.ts', '**/*.d.ts'],
      reporter: ['text-summary', 'html'],
      reportsDirectory: 'coverage',
      // Some tests require speed, which a measured run does not have: whether they pass, only a plain run shows.
      reportOnFailure: true,
      thresholds: { lines: 95, branches: 88 },
    },
  },
})
