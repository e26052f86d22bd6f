import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const entry = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Two builds, one per mode: `main` is an ES module, `preload` must be CommonJS because a sandboxed
 * preload script cannot be a module.
 */
export default defineConfig(({ mode }) => {
  const preload = mode === 'preload'
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    // The icons are read by path, so they are copied next to the bundle.
    publicDir: preload ? false : 'icons',
    build: {
      ssr: true,
      target: 'node24',
      minify: true,
      outDir: '../dist/electron',
      license: { fileName: `.vite/packages-${mode}.json` },
      emptyOutDir: !preload,
      rolldownOptions: {
        input: preload ? { preload: entry('preload.ts') } : { main: entry('main.ts') },
        // Bundling the npm package would put its download stub in place of the real module.
        external: ['electron'],
        output: preload
          ? { format: 'cjs', entryFileNames: '[name].cjs' }
          : {
              format: 'es',
              entryFileNames: '[name].js',
              chunkFileNames: 'chunks/[name]-[hash].js',
            },
      },
    },
    ssr: { noExternal: true, target: 'node' },
  }
})
