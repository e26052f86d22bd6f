import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const sandbox = process.env['HUB_SANDBOX_URL'] ?? 'http://localhost:7420'

/** Parts of packages that the first page to be seen does without. */
const onPages =
  /@base-ui\/react\/(menu|tabs|switch|checkbox)|@tanstack\/(virtual-core|react-virtual)/
const inPalette = /@base-ui\/react\/(combobox|select)/

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/_sandbox/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // The page's policy allows neither data: addresses nor anything inline.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What each page shares with some others would make dozens of small files, which compress badly.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'vendor',
              test: (id) => id.includes('node_modules') && !onPages.test(id) && !inPalette.test(id),
            },
            {
              name: 'pages',
              test: (id) =>
                /renderer\/features\/(?!overview|triggers)/.test(id) || onPages.test(id),
            },
          ],
        },
      },
    },
    // It comes from this very machine: nobody waits for a download.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    proxy: {
      '^/_sandbox/(api|health|openapi\\.json)': sandbox,
      '/_sandbox/live': { target: sandbox, ws: true },
    },
  },
})
