import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const entries = {
  index: entry('index.ts'),
  cli: entry('cli.ts'),
  receiver: entry('receiver/index.ts'),
  testing: entry('testing.ts'),
  playwright: entry('playwright.ts'),
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  resolve: {
    alias: {
      '@fastify/ajv-compiler': entry('absent.ts'),
      '@fastify/fast-json-stringify-compiler': entry('absent.ts'),
    },
  },
  build: {
    ssr: true,
    target: 'node20',
    minify: true,
    outDir: '../dist/server',
    emptyOutDir: true,
    // Node reads it from the disk: nobody waits for a download.
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      input: entries,
      // The helpers must join the test runner of their user, not bring a second one along.
      external: [/^@playwright\/test$/, /^vitest(\/|$)/],
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
      },
    },
  },
  // Bundled whole: it starts twice as fast as from node_modules, and the package installs nothing.
  ssr: { noExternal: true, target: 'node' },
})
