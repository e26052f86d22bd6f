import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Entries that start a sandbox: in the program of a user, or by the command line. */
const library = {
  index: entry('index.ts'),
  testing: entry('testing.ts'),
  playwright: entry('playwright.ts'),
  main: entry('cli/main.ts'),
  // Large, and needed under HTTPS alone.
  'self-signed': entry('app/self-signed.ts'),
}

/** Entries without the server: the receiver also runs on edge platforms, and the command loads the library from a cache. */
const alone = {
  cli: entry('cli.ts'),
  receiver: entry('receiver/index.ts'),
  intercept: entry('intercept.ts'),
}

/**
 * Modules used by nearly every part, in one file instead of forty: each file costs a start several disk accesses.
 */
const common = {
  name: 'common',
  test: /server\/(core|contract\/words)\/|app\/config\/(callers|data-folder|flag-|own-command|resolve)|contract\/(flags|scopes|durations)\.ts/,
}

/**
 * Two builds. Both are CommonJS, which jest and its like ask for, and whose compiled code can be cached; modules import it
 * by name. So a program has one copy of the server and its error classes, whether its files import or require it.
 */
export default defineConfig(({ mode }) => {
  const isLibrary = mode === 'library'
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    publicDir: false,
    plugins: isLibrary ? [] : [executable('cli.cjs')],
    resolve: {
      alias: {
        '@fastify/ajv-compiler': entry('web/absent.ts'),
        '@fastify/fast-json-stringify-compiler': entry('web/absent.ts'),
        glob: entry('web/absent.ts'),
        'thread-stream': entry('web/absent.ts'),
      },
    },
    build: {
      ssr: true,
      target: 'node20',
      // Its users read it in their stack traces, where a failure shows the very line that threw.
      minify: false,
      outDir: isLibrary ? '../dist/library' : '../dist/server',
      license: { fileName: `.vite/packages-${mode}.json` },
      emptyOutDir: true,
      // Node reads it from the disk, without a download.
      chunkSizeWarningLimit: 4_000,
      rolldownOptions: {
        input: isLibrary ? library : alone,
        // An entry exports what its source does, whatever else the bundler would like to share by it.
        preserveEntrySignatures: 'strict',
        // The helpers must join the test runner of their user, not bring a second one along.
        external: [/^@playwright\/test$/, /^vitest(\/|$)/],
        // Libraries keep to the timers of Node too, as `core/timers.ts` says: light-my-request waits by it.
        transform: { inject: { setImmediate: [entry('core/timers.ts'), 'setImmediate'] } },
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          ...(isLibrary && { codeSplitting: { groups: [common] } }),
          comments: { legal: true, annotation: false, jsdoc: false },
        },
      },
    },
    // Bundled whole: it starts twice as fast as from node_modules, and the package installs nothing.
    ssr: { noExternal: true, target: 'node' },
  }
})

/**
 * Makes a file executable. npm does that only when it first links the command of a clone: after the next build, the link
 * would be to a file that the shell may not run.
 */
function executable(name: string): Plugin {
  return {
    name: 'hub-sandbox:executable',
    writeBundle: ({ dir = '' }) => chmodSync(join(dir, name), 0o755),
  }
}
