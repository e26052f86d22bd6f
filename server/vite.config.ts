import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const receiver = entry('receiver/index.ts')
const intercept = entry('intercept.ts')

/** Entries that start sandboxes inside the program of a user. */
const inProcess = {
  index: entry('index.ts'),
  testing: entry('testing.ts'),
  playwright: entry('playwright.ts'),
}

const inputs: Record<string, Record<string, string>> = {
  library: {
    ...inProcess,
    receiver,
    intercept,
    main: entry('commands/main.ts'),
    // Large, and needed under HTTPS alone.
    'self-signed': entry('sandbox/self-signed.ts'),
  },
  command: { cli: entry('cli.ts') },
}

/**
 * Modules used by nearly every part, in one file instead of forty: each file costs a start several disk accesses.
 */
const common = {
  name: 'common',
  test: /server\/(core|contract\/words)\/|config\/(callers|data-folder|flag-|own-command|resolve)|contract\/(flags|scopes|durations)\.ts/,
}

/**
 * Three builds, one per mode. The receiver and what intercepts are ES modules: those fit the edge.
 * The `library` is CommonJS, which jest and its like ask for, and whose compiled code can be cached; as modules its
 * entries only pass that on. So a program has one copy of the server and of its error classes, whichever way each of
 * its files takes it. The command line is in it as well.
 * The `command` is what is called: it loads the command line through the code cache.
 */
export default defineConfig(({ mode }) => {
  const isLibrary = mode === 'library'
  const isCommand = mode === 'command'
  const extension = isLibrary || isCommand ? 'cjs' : 'js'
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    publicDir: false,
    plugins: [
      ...(isLibrary || isCommand ? [inAscii()] : []),
      ...(isLibrary ? [withTimersOfNode(), asModules(Object.keys(inProcess))] : []),
      ...(isCommand ? [executable('cli.cjs')] : []),
    ],
    resolve: {
      alias: {
        '@fastify/ajv-compiler': entry('http/absent.ts'),
        '@fastify/fast-json-stringify-compiler': entry('http/absent.ts'),
        glob: entry('http/absent.ts'),
        'thread-stream': entry('http/absent.ts'),
      },
    },
    build: {
      ssr: true,
      target: 'node20',
      // Its users read it in their stack traces, where a failure shows the very line that threw.
      minify: false,
      outDir: isLibrary ? '../dist/library' : '../dist/server',
      license: { fileName: `.vite/packages-${mode}.json` },
      emptyOutDir: !isCommand,
      // Node reads it from the disk, without a download.
      chunkSizeWarningLimit: 4_000,
      rolldownOptions: {
        input: inputs[mode] ?? { receiver, intercept },
        // An entry exports what its source does, whatever else the bundler would like to share by it.
        preserveEntrySignatures: 'strict',
        // The helpers must join the test runner of their user, not bring a second one along.
        external: [/^@playwright\/test$/, /^vitest(\/|$)/],
        output: {
          format: extension === 'cjs' ? 'cjs' : 'es',
          entryFileNames: `[name].${extension}`,
          chunkFileNames: `chunks/[name]-[hash].${extension}`,
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
 * Writes every other character as its escape: V8 then reads a file at one byte a character instead of two, which saves
 * a twentieth of a start. Fails if that would change the value: a raw template tells its escapes themselves.
 */
function inAscii(): Plugin {
  return {
    name: 'hub-sandbox:in-ascii',
    generateBundle(_options, bundle) {
      const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        if (/String\.raw`[^`]*[^\0-\x7f]/.test(chunk.code)) {
          this.error(`${chunk.fileName} has a raw template that is not ASCII`)
        }
        chunk.code = chunk.code.replaceAll(/[^\0-\x7f]/g, escape)
      }
    },
  }
}

/** Has requests without a socket keep to the timers of Node, as `core/timers.ts` says. */
function withTimersOfNode(): Plugin {
  const timers = JSON.stringify(entry('core/timers.ts'))
  return {
    name: 'hub-sandbox:with-timers-of-node',
    transform: {
      filter: { id: /light-my-request\/lib\/re(?:quest|sponse)\.js$/ },
      handler(code) {
        if (!code.includes('setImmediate(')) this.error('it has no timers any more')
        return { code: `const { setImmediate } = require(${timers})\n${code}`, map: null }
      },
    },
  }
}

/** Gives CommonJS entries a module beside them that exports the same by name. */
function asModules(names: readonly string[]): Plugin {
  return {
    name: 'hub-sandbox:as-modules',
    generateBundle(_options, bundle) {
      for (const name of names) {
        const chunk = bundle[`${name}.cjs`]
        if (chunk?.type !== 'chunk') this.error(`there is no ${name}.cjs`)
        const source = `export { ${chunk.exports.join(', ')} } from './${name}.cjs'\n`
        this.emitFile({ type: 'asset', fileName: `${name}.js`, source })
      }
    },
  }
}

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
