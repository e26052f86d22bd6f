import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const sandbox = process.env['HUB_SANDBOX_URL'] ?? 'http://localhost:7420'

/** What the first page to be seen does without, with the parts of packages that only this needs. */
const later = [
  /renderer\/features\/(?!overview\/(?!(?:pending-)?devices))/,
  /renderer\/app\/[\w-]+-page\./,
  /renderer\/components\/(avatar|form-error|gauge|menu|palette|select|switch|table|tabs)\./,
  /@base-ui\/react\/(checkbox|combobox|menu|select|switch|tabs)/,
  /@tanstack\/(react-virtual|virtual-core)/,
]
const isLater = (id: string) => later.some((pattern) => pattern.test(id))

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/_sandbox/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/renderer',
    license: { fileName: '.vite/packages.json' },
    emptyOutDir: true,
    // The page's policy allows neither data: addresses nor anything inline.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // By itself each set of modules that some pages share is a file: dozens, which compress badly.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              priority: 3,
              test: (id) => id.includes('node_modules') && !isLater(id),
            },
            {
              name: 'shared',
              priority: 2,
              test: (id) =>
                /(renderer\/(api|components|lib)|server\/contract)\//.test(id) && !isLater(id),
            },
            { name: 'later', priority: 1, test: isLater },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '^/_sandbox/(api|health|openapi\\.json)': sandbox,
      '/_sandbox/live': { target: sandbox, ws: true },
    },
  },
})
